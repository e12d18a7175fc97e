import random

import numpy as np
import pytest

from refbot.deviations.faults import FAULTS
from refbot.rules import (
    BLACK,
    NO_POINT,
    WHITE,
    Game,
    IllegalMoveError,
    NothingToUndoError,
    UnacceptableSizeError,
)
from tests.parameters import thorough_but
from tests.refbot import naive
from tests.refbot.positions import random_game, set_up
from tests.thorough import Mutant

KO = """
.XO.
X.XO
.XO.
....
"""  # White takes point 10 (C3) by 9 (B3); the last stone to be set up, 14, is White's


def twin_board(game: Game) -> naive.Board:
    return {divmod(int(p), game.size): int(game.stones[p]) for p in np.flatnonzero(game.stones)}


def as_reason(reason: str | None) -> str | None:
    return "repeats" if reason in ("ko", "superko") else reason


@pytest.mark.parametrize(
    "size",
    thorough_but(
        range(2, 10),
        [*range(2, 10), 13],
        Mutant(
            "refbot/rules/board.py",
            "return Sides(own, other ^ captured)",
            "return Sides(own, other)",
            "tests/refbot/test_game.py::test_game_agrees_with_slow_twin_on_random_games[9]",
        ),
    ),
)
def test_game_agrees_with_slow_twin_on_random_games(size: int) -> None:
    rng = random.Random(size)
    for _ in range(8 if size <= 5 else 3 if size <= 9 else 1):
        game, twin = Game(size), naive.Game(size)
        for _ in range(min(3 * size * size, 90)):
            colour = game.to_move if rng.random() < 0.95 else 3 - game.to_move
            reasons = [as_reason(game.legality(colour, p)) for p in range(size * size)]
            assert reasons == [twin.reason(colour, divmod(p, size)) for p in range(size * size)]
            found = [divmod(int(p), size) for p in game.candidates(colour)]
            assert found == twin.candidates(colour)
            assert game.area_score() + game.komi == naive.area(twin.boards[-1], size)
            legal = [p for p, reason in enumerate(reasons) if reason is None]
            point = rng.choice(legal) if legal and rng.random() < 0.95 else None
            game.play(colour, point)
            twin.play(colour, None if point is None else divmod(point, size))
            assert twin_board(game) == twin.boards[-1]
            if rng.random() < 0.1 and game.moves:
                game.undo()
                twin.boards.pop()
                assert twin_board(game) == twin.boards[-1]


def is_own_eye(game: Game, colour: int, point: int) -> bool:
    """Return whether all neighbours of an empty point are stones of the colour."""
    row, column = divmod(point, game.size)
    beside = ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1))
    return all(
        game.stones[r * game.size + c] == colour
        for r, c in beside
        if 0 <= r < game.size and 0 <= c < game.size
    )


FAULTS_OF_THE_GAME = [
    name for name, fault in FAULTS.items() if fault.where == "game" and name != "candidates-leave-enemy-eyes"
]
"""The fault that is left out restricts the candidates alone."""


@pytest.mark.parametrize("fault", FAULTS_OF_THE_GAME)
def test_candidates_of_a_faulty_game_are_moves_that_it_allows(fault: str) -> None:
    """And all of them, but for points between its own stones, which may be eyes."""
    for seed in range(40):
        rng, game = random.Random(seed), Game(3, faults={fault})
        for _ in range(40):
            colour = rng.choice((BLACK, WHITE))
            legal = {point for point in range(9) if game.legality(colour, point) is None}
            candidates = set(game.candidates(colour).tolist())
            assert candidates <= legal
            assert all(is_own_eye(game, colour, point) for point in legal - candidates)
            if not legal:
                break
            game.play(colour, rng.choice(sorted(legal)))
            if rng.random() < 0.1:
                game.undo()


def ko_game(faults: frozenset[str] = frozenset()) -> Game:
    """White has just taken a ko on 4x4: Black may not take back at once."""
    game = Game(4, faults=faults)
    set_up(KO, game)
    game.play(BLACK, None)
    assert game.play(WHITE, 9) == 1
    return game


def test_ko_point_is_banned_for_the_opponent_until_any_other_move() -> None:
    game = ko_game()
    assert game.ko_point(BLACK) == 10
    assert game.ko_point(WHITE) == NO_POINT
    assert game.legality(BLACK, 10) == "ko"
    assert 10 not in game.candidates(BLACK)
    assert game.position(BLACK).ko == 10
    game.play(BLACK, None)
    game.play(WHITE, None)
    assert game.ko_point(BLACK) == NO_POINT
    assert game.legality(BLACK, 10) == "superko"  # the position before White took


def test_refused_move_changes_nothing() -> None:
    game = ko_game()
    before, moves = game.stones, list(game.moves)
    for point, reason in ((10, "ko"), (9, "occupied")):
        with pytest.raises(IllegalMoveError) as caught:
            game.play(BLACK, point)
        assert caught.value.reason == reason
    assert game.stones == before
    assert game.moves == moves


def test_undo_takes_back_captures_ko_and_history() -> None:
    game = ko_game()
    game.undo()
    assert game.stones[10] == BLACK
    assert game.legality(WHITE, 9) is None
    assert game.play(WHITE, 9) == 1
    while game.moves:
        game.undo()
    with pytest.raises(NothingToUndoError):
        game.undo()


def test_clear_forgets_history_and_keeps_komi() -> None:
    game = ko_game()
    game.komi = 3.5
    game.clear()
    assert game.komi == 3.5
    assert not game.moves
    set_up(KO, game)


def test_history_longer_than_its_first_space() -> None:
    game = Game(5)
    for _ in range(400):
        game.play(game.to_move, None)
    assert game.play(game.to_move, 0) == 0
    assert game.position().moves_made == 401


@pytest.mark.parametrize("size", [-1, 0, 1, 26])
def test_size_out_of_range(size: int) -> None:
    with pytest.raises(UnacceptableSizeError) as caught:
        Game(size)
    assert caught.value.size == size


def test_position_counts_moves_and_passes() -> None:
    game = random_game(5, 7, 1)
    game.play(BLACK, None)
    assert game.position(WHITE).moves_made == 8
    assert game.position(WHITE).passes >= 1


# Faults: what a right game refuses, a faulty one allows, or the other way round.


@pytest.mark.parametrize("fault", ["superko-none", "superko-simple", "superko-survives-undo"])
def test_ko_under_fault(fault: str) -> None:
    game = ko_game(frozenset({fault}))
    if fault == "superko-none":
        assert game.legality(BLACK, 10) is None
        return
    if fault == "superko-simple":
        assert game.legality(BLACK, 10) == "ko"
        game.play(BLACK, None)
        game.play(WHITE, None)
        assert game.legality(BLACK, 10) is None  # a right bot: superko
        return
    game.undo()
    assert game.legality(WHITE, 9) == "superko"  # a right bot: legal, the position is forgotten


def test_situational_superko_lets_the_other_mover_recreate() -> None:
    """White makes the position and takes the ko; Black, taking back, makes it for the first time."""
    for fault, expected in (("", "ko"), ("superko-situational", None)):
        game = Game(4, faults=frozenset({fault} - {""}))
        set_up(KO, game)
        game.play(WHITE, 9)
        assert game.legality(BLACK, 10) == expected


def test_superko_of_captures_lets_a_candidate_without_capture_repeat_a_board() -> None:
    """Black's A2 captures nothing, and brings back the board after White's first B1."""
    for fault, expected in (("", "superko"), ("superko-captures-only", None)):
        game = Game(2, faults=frozenset({fault} - {""}))
        for colour, point in ((WHITE, 3), (BLACK, 2), (WHITE, 1), (BLACK, 0), (WHITE, 1), (WHITE, 3)):
            game.play(colour, point)
        assert game.legality(BLACK, 2) == expected
        assert (2 in game.candidates(BLACK)) == (expected is None)


def test_recent_superko_forgets_after_eight_positions() -> None:
    for fault, expected in (("", "superko"), ("superko-recent", None)):
        game = ko_game(frozenset({fault} - {""}))
        for _ in range(8):
            game.play(game.to_move, None)
        assert game.legality(BLACK, 10) == expected


def test_history_that_survives_clear() -> None:
    for fault, expected in (("", None), ("superko-survives-clear", "superko")):
        game = Game(5, faults=frozenset({fault} - {""}))
        game.play(BLACK, 0)
        game.clear()
        assert game.legality(BLACK, 0) == expected


@pytest.mark.parametrize(
    ("fault", "single", "multi"),
    [
        (None, "suicide", "suicide"),
        ("suicide-game", "superko", None),
        ("suicide-game-multi", "suicide", None),
    ],
)
def test_suicide(fault: str | None, single: str, multi: str | None) -> None:
    """A lone Black stone dies at A1, two at D4. The lone one leaves the board as it was: superko.

    . O X .
    . . O O
    O . . .
    . O . .
    """
    game = Game(4, faults=frozenset({fault} if fault else ()))
    game.play(BLACK, 14)  # first, so that no earlier board is the one without it
    for point in (1, 4, 10, 11, 13):
        game.play(WHITE, point)
    assert game.legality(BLACK, 0) == single
    assert game.legality(BLACK, 15) == multi
    if multi is None:
        game.play(BLACK, 15)
        assert BLACK not in game.stones
