"""A board that genmove led to is a board of the game: what the check makes of the bot's moves."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import repeat
from types import SimpleNamespace
from typing import cast

import pytest

from harness.check.bot.session import Session
from harness.check.model import Judgement, Outcome
from harness.check.procedures.superko_games import MOST_TRIES, ROUNDS, SECONDS, GeneratedBoard, KoForEver
from harness.gtp import Answer, Exchange
from harness.selftest.hosted_bot import HostedBot
from harness.suite.registry import CHECKS

PROCEDURE = cast(
    "GeneratedBoard", next(check.procedure for check in CHECKS if check.id == "game.superko.generated")
)


class Player:
    """Stands for a bot that answers genmove with these moves."""

    def __init__(self, moves: Iterator[str], seconds: float = 0.0) -> None:
        self._moves = moves
        self._seconds = seconds  # of each answer, by the bot's own clock: it takes no time

    def set_up(self, lines: object) -> None:
        pass

    def ask(self, line: bytes) -> Exchange:
        move = next(self._moves)
        return Exchange(
            line, f"= {move}\n\n".encode(), Answer(True, None, move), "answer", b"", self._seconds
        )


def judged(*moves: str) -> Judgement:
    session = SimpleNamespace(bot=Player(iter(moves)))
    return PROCEDURE.judge(PROCEDURE.observe(cast("Session", session)))


@pytest.mark.parametrize(
    ("moves", "outcome"),
    [
        (("E9", "pass"), Outcome.PASS),
        (("D5", "D5", "e9", "PASS"), Outcome.PASS),  # it fills the ko first, as it may
        (("E9", "E5"), Outcome.FAIL),
        (("D5",) * MOST_TRIES, Outcome.SKIP),
    ],
)
def test_the_ko_may_not_be_taken_back(moves: tuple[str, ...], outcome: Outcome) -> None:
    assert judged(*moves).outcome is outcome


def test_another_violation_is_reported_by_its_own_check() -> None:
    judgement = judged("E9", "A9")
    assert (judgement.outcome, judgement.reported_by) == (Outcome.FAIL, "game.eye.genmove")


def test_the_last_board_is_the_one_that_black_would_bring_back() -> None:
    """Nothing is left to Black but the ko, which the superko rule forbids."""
    position = PROCEDURE.last.position
    assert position.candidates("b") == []
    assert position.legality("b", (4, 4)) == "superko"


@pytest.mark.parametrize(("seconds", "rounds"), [(0.0, ROUNDS), (SECONDS, 2)])
def test_only_the_seconds_of_the_bot_end_the_rounds(seconds: float, rounds: int) -> None:
    """Other work of the machine does not count: a bot that is checked again gets the same lines."""
    check = next(check for check in CHECKS if isinstance(check.procedure, KoForEver))
    session = SimpleNamespace(bot=Player(repeat("PASS"), seconds))
    assert len(check.procedure.observe(cast("Session", session))) == rounds


@pytest.mark.parametrize(
    ("switch", "outcome"),
    [("superko-own-moves-forgotten", Outcome.FAIL), ("pass-without-search", Outcome.PASS)],
)
def test_a_hosted_bot(switch: str, outcome: Outcome) -> None:
    session = SimpleNamespace(bot=HostedBot(switch, playouts=20))
    assert PROCEDURE.judge(PROCEDURE.observe(cast("Session", session))).outcome is outcome
