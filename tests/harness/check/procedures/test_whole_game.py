"""A game of the bot against itself, as the referee follows it under the rules of the bot."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import pytest

from harness.check.bot.session import Session
from harness.check.model import Outcome
from harness.check.play_rules import PlayRules
from harness.check.procedures.whole_game import GameRecord, WholeGame
from harness.gtp import Answer, Exchange

LAID = (("play b A2", ""), ("play w E5", ""), ("play b B1", ""))


def recorded(*moves: tuple[str, str], rules: PlayRules) -> GameRecord:
    exchanges = (
        Exchange(f"{sent}\n".encode(), f"= {text}\n\n".encode(), Answer(True, None, text), "answer", b"", 0.0)
        for sent, text in moves
    )
    return GameRecord(tuple(exchanges), rules=rules)


@pytest.mark.parametrize(
    ("rules", "last", "outcome"),
    [
        (PlayRules(suicide="allowed", passing="free"), "A1", Outcome.SKIP),  # a single stone
        (PlayRules(suicide="forbidden", passing="free"), "A1", Outcome.FAIL),
        (PlayRules(suicide="allowed", passing="free"), "B1", Outcome.FAIL),  # on a stone
        (PlayRules(resignation="allowed", passing="free"), "resign", Outcome.PASS),
    ],
)
def test_a_move_whose_legality_is_open_ends_the_judgement(
    rules: PlayRules, last: str, outcome: Outcome
) -> None:
    record = recorded(*LAID, ("genmove w", last), ("genmove b", "C3"), rules=rules)
    assert WholeGame().judge(record).outcome is outcome


@pytest.mark.parametrize(("seconds", "opening"), [(0.0, 10), (1.0, 90)])
def test_only_the_seconds_of_the_bot_set_the_length_of_the_opening(seconds: float, opening: int) -> None:
    """Other work of the machine does not count: a bot that is checked again gets the same lines."""

    class Resigning:
        def set_up(self, lines: object) -> None:
            pass

        def ask(self, line: bytes) -> Exchange:
            return Exchange(line, b"= resign\n\n", Answer(True, None, "resign"), "answer", b"", seconds)

    session = SimpleNamespace(bot=Resigning(), rules=PlayRules())
    record = WholeGame().observe(cast("Session", session))
    assert sum(exchange.sent.startswith(b"play") for exchange in record.moves) == opening
