"""Dynamic komi, compared with the values that Yamashita published from one of his games."""

from __future__ import annotations

import pytest

from refbot.rules import BLACK, WHITE, Game
from refbot.search import DynamicKomi, Search, UnknownModeError
from refbot.search.dynamic_komi import Komi, handicap_komi, parse_mode

PRINTED = [  # latest margin, komi adjusted from 6.5; the board was a tenth or a fifth full
    (4.3, 0.1, 5.5), (4.7, 0.1, 6.5), (8.1, 0.2, 6.5), (7.4, 0.2, 6.5), (2.8, 0.2, 4.5), (6.8, 0.2, 6.5),
    (4.9, 0.2, 6.5), (13.9, 0.2, 12.5), (13.0, 0.2, 11.5), (9.4, 0.2, 7.5),
]  # fmt: skip


@pytest.mark.parametrize(("latest", "occupied", "adjusted"), PRINTED)
def test_printed_adjustments(latest: float, occupied: float, adjusted: float) -> None:
    assert DynamicKomi().pulled_back(6.5, latest, occupied) == adjusted


def test_a_full_board_has_the_real_komi() -> None:
    assert DynamicKomi().pulled_back(6.5, 60.5, 0.83) == 6.5  # share 1 / (1 + e^5.6), of 54 points


def test_modes() -> None:
    assert parse_mode("searches") == DynamicKomi("searches", 1)
    assert parse_mode("searches:4,slope=10,offset=-0.05") == DynamicKomi("searches", 4, 10.0, -0.05)
    assert parse_mode("playouts") == DynamicKomi("playouts", 100)
    for wrong in (
        "",
        "search",
        "searches:x",
        "searches:0",
        "playouts,slop=3",
        "handicap:2",
        "searches,slope",
    ):
        with pytest.raises(UnknownModeError, match="with N from 1 on"):
            parse_mode(wrong)


def test_mean_of_the_last_searches_and_a_new_game() -> None:
    game, komi = Game(9, 6.5), Komi(DynamicKomi("searches", 2))
    assert komi.for_search(game) == 6.5
    for lead in (100.0, 10.0, 20.0):  # the first is forgotten; mean 15 + ½, 9 more than the real komi
        komi.learn(lead)
    game.play(BLACK, 40)
    assert komi.for_search(game) == 6.5 + int(0.95 * 9)
    game.clear()
    assert komi.for_search(game) == 6.5


def test_margins_of_another_game_of_the_same_length_are_forgotten() -> None:
    game, komi = Game(9, 6.5), Komi(DynamicKomi("searches", 2))
    komi.for_search(game)
    komi.learn(100.0)
    game.clear()
    assert komi.for_search(game) == 6.5


def test_large_settings_do_not_overflow() -> None:
    rule = parse_mode(f"searches:{10**20},slope=1e5")
    assert (rule.share(0.0), rule.share(1.0)) == pytest.approx((0.95, 0.0))
    assert Komi(rule).for_search(Game(9, 6.5)) == 6.5


def test_handicap_fades() -> None:
    game = Game(19, 0.5)
    for point in (60, 72, 288):
        game.play(BLACK, point)
    assert handicap_komi(game) == 21
    for k in range(45):
        game.play(WHITE if k % 2 == 0 else BLACK, None)
    assert handicap_komi(game) == 10  # half of 21, to the even number
    for k in range(45):
        game.play(WHITE if k % 2 else BLACK, None)
    assert handicap_komi(game) == 0
    plain = Game(19)
    plain.play(BLACK, 60)
    assert handicap_komi(plain) == 0


@pytest.mark.parametrize("mode", ["searches:2", "playouts:50", "handicap"])
def test_a_search_runs_with_it(mode: str) -> None:
    search = Search(120, seed=1, dynamic_komi=parse_mode(mode))
    game = Game(5, 0.5)
    for _ in range(3):
        result = search.search(game, game.to_move)
        assert result.playouts == 120
        game.play(game.to_move, result.move)


def test_the_first_playouts_decide_the_komi_of_the_others() -> None:
    """Black has the whole board except two eyes: every playout ends 25 ahead, and the komi goes half way."""
    game = Game(5, 0.5)
    for point in range(25):
        if point not in (0, 24):
            game.play(BLACK, point)
    full = Search(100, seed=1, dynamic_komi=DynamicKomi("playouts", 99, slope=0.001, offset=0.0))
    result = full.search(game, WHITE)
    assert result.stats.mean_lead == 25
    assert Komi(DynamicKomi("playouts", 99, slope=0.001)).for_search(game, 25.0) == 0.5 + int(0.5 * 25)
