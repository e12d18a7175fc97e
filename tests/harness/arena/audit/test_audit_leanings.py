"""Moves of a bot that chooses by another rule rank high among the reference's by that rule."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from harness.arena.audit.leanings import RULES, leanings
from harness.arena.audit.reference import CHOICES
from harness.go import random_game
from harness.gtp import Colour
from harness.stats import HIGH, Rank, RankEvidence
from refbot.deviations.faults import FAULTS, Faults
from refbot.rules import BLACK, WHITE, Game
from refbot.search import Search
from tests.parameters import thorough_but
from tests.thorough import Mutant

SIZE, KOMI, PLAYOUTS = 5, 6.0, 200
STONES: dict[Colour, int] = {"b": BLACK, "w": WHITE}


def games(count: int) -> Iterator[Game]:
    """Positions after a few random moves."""
    for number in range(count):
        game = Game(SIZE, KOMI)
        for move in random_game(SIZE, f"leanings {number}", 2 + number % 9).moves:
            point = None if move.point is None else move.point[0] * SIZE + move.point[1]
            game.play(STONES[move.colour], point)
        if len(game.candidates(game.to_move)) > 1:
            yield game


def evidence_about(fault: str, positions: int) -> dict[str, RankEvidence]:
    """What the ranks say about a bot with this fault, by rule. "" is the right bot."""
    bot, reference = Search(PLAYOUTS, [fault] if fault else [], seed=1), Search(PLAYOUTS, seed=2)
    found: dict[str, RankEvidence] = {}
    for seed, game in enumerate(games(positions)):
        side = game.to_move
        moves = [reference.search(game, side).move for _ in range(CHOICES)]
        own = bot.search(game, side).move
        ranks = leanings(game.position(), game.candidates(side), KOMI, PLAYOUTS, moves, own, seed)
        for rule, (below, equal) in ranks.items():
            found.setdefault(rule, RankEvidence(HIGH)).add(Rank(below, equal, CHOICES))
    return found


@pytest.mark.parametrize(
    "fault",
    thorough_but(
        ("best-visits",),
        ["best-visits", "amaf-opponent"],
        Mutant(
            "harness/arena/audit/leanings.py",
            "ranks[name] = rank.below, rank.equal",
            "ranks[name] = rank.others - rank.below - rank.equal, rank.equal",
            "tests/harness/arena/audit/test_audit_leanings.py::"
            "test_a_bot_with_another_rule_is_found_by_it[best-visits]",
        ),
    ),
)
def test_a_bot_with_another_rule_is_found_by_it(fault: str) -> None:
    found = evidence_about(fault, 60)
    assert found[fault].p_value < 1e-5
    assert found[fault].log_e > 0.5 * max(one.log_e for one in found.values())


def test_a_right_bot_is_found_by_no_rule() -> None:
    found = evidence_about("", 60)
    assert found.keys() <= RULES.keys()
    assert min(one.p_value for one in found.values()) > 1e-4


def test_equal_seeds_give_equal_ranks() -> None:
    game = next(games(1))
    candidates = game.candidates(game.to_move)
    moves = [int(point) for point in random.Random(1).choices(list(candidates), k=CHOICES)]
    once, again, other = (
        leanings(game.position(), candidates, KOMI, PLAYOUTS, moves, moves[0], seed) for seed in (1, 1, 2)
    )
    assert once == again
    assert once != other


def test_the_rules_are_the_faults_that_change_nothing_but_moves() -> None:
    assert {FAULTS[name].clause for name in RULES} == {"amaf", "best-rate", "ties", "no-early-pass", "unseen"}
    assert Faults.BEST_VISITS in RULES.values()
