"""A saved session that is held several times: the evidence of its last line adds up."""

from __future__ import annotations

from typing import Any

from harness.explore.abilities import Abilities
from harness.explore.dialogue_case import DialogueCase
from harness.gtp import Exchange
from tests.harness.explore.exploring import answered

PLAYOUTS = 100
LINES = ("boardsize 2", *("clear_board", "genmove b", "ref-nodes") * 2)
ABILITIES = Abilities((2,), frozenset({"ref-nodes"}), cap_of_game=True)


class Scripted:
    """A bot that gives the same answers in each process."""

    def __init__(self, *numbers: str) -> None:
        self.numbers = numbers
        self.waiting = list(numbers)

    def fresh(self) -> None:
        self.waiting = list(self.numbers)

    def take_record(self) -> None: ...

    def take_analysis(self) -> None: ...

    def ask(self, line: bytes) -> Exchange:
        if line == b"ref-nodes\n":
            return answered(line, f"= {self.waiting.pop(0)}")
        return answered(line, "= A1" if line.startswith(b"genmove") else "=")


def test_evidence_of_several_tries_is_a_deviation_of_the_last_line() -> None:
    """The weak evidence of an earlier line is no deviation."""
    bot: Any = Scripted("1012", "1048")
    found = DialogueCase(LINES, tries=8).hold(bot, ABILITIES, PLAYOUTS)
    assert found.deviation is not None
    assert found.deviation.number == len(LINES) - 1
    assert "1048" in found.deviation.observed
