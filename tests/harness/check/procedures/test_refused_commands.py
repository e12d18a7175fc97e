"""A bot is compared with itself, with and without a refused command."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import cast

import pytest

from harness.check.bot.chaser import Chaser
from harness.check.bot.session import Session
from harness.check.model import Judgement, Outcome
from harness.check.procedures.probe import Probe
from harness.check.procedures.refused_commands import (
    Answers,
    NothingChanged,
    NumbersAround,
    NumbersKept,
    RefusalsAt,
    Trial,
)
from harness.gtp import Answer, Exchange
from harness.suite.families.refusals import CHECKS

NOTHING_CHANGED = [check.procedure for check in CHECKS if isinstance(check.procedure, NothingChanged)]
PROBES = {probe.id: probe for procedure in NOTHING_CHANGED for probe in procedure.probes}

PLAIN = ("E9", "300", "1.0")
OTHER = ("E9", "250", "1.0")
LINES = (b"play w B1\n", b"play x A1\n")


@pytest.mark.parametrize("probe", PROBES.values(), ids=list(PROBES))
def test_all_playouts_of_a_position_are_alike(probe: Probe) -> None:
    """So that a right bot always answers the same numbers there, whatever random numbers it draws."""
    assert (probe.expected.sd_length, probe.expected.sd_result) == (0.0, 0.0)


def judged(plain: Answers, repeated: Answers, *trials: tuple[tuple[bytes, ...], Answers]) -> Judgement:
    procedure = NOTHING_CHANGED[0]
    return procedure.judge(
        (RefusalsAt(procedure.probes[0], plain, repeated, tuple(Trial(*one) for one in trials)),)
    )


def test_the_same_search_is_a_pass() -> None:
    assert judged(PLAIN, PLAIN, (LINES, PLAIN)).outcome is Outcome.PASS


def test_letters_of_either_case_are_one() -> None:
    assert judged(PLAIN, PLAIN, (LINES, ("e9", "300", "1.0"))).outcome is Outcome.PASS


def test_the_line_that_changes_the_search_is_named() -> None:
    trials = ((LINES, OTHER), (LINES[:1], PLAIN), (LINES[1:], OTHER))
    judgement = judged(PLAIN, PLAIN, *trials)
    assert judgement.outcome is Outcome.FAIL
    assert judgement.observed.startswith("after play x A1 (refused): ref-nodes → 250 instead of 300")


def test_lines_that_only_together_change_the_search_are_named_together() -> None:
    judgement = judged(PLAIN, PLAIN, (LINES, OTHER), (LINES[:1], PLAIN), (LINES[1:], PLAIN))
    assert judgement.observed.startswith("after play w B1, play x A1 (refused): ")


def test_a_bot_whose_searches_differ_anyway_is_not_judged() -> None:
    assert judged(PLAIN, OTHER, (LINES, OTHER)).outcome is Outcome.SKIP


def test_a_bot_that_refuses_nothing_is_not_judged() -> None:
    assert judged(PLAIN, PLAIN, ((), PLAIN)).outcome is Outcome.SKIP


def answered(text: str) -> Exchange:
    return Exchange(b"ref-nodes\n", f"= {text}\n\n".encode(), Answer(True, None, text), "answer", b"", 0.0)


@pytest.mark.parametrize(("after", "outcome"), [("300", Outcome.PASS), ("0", Outcome.FAIL)])
def test_the_numbers_of_the_last_search_stay(after: str, outcome: Outcome) -> None:
    trials = (NumbersAround(LINES[0], (answered("300"),), (answered(text),)) for text in ("300", after))
    assert NumbersKept(LINES).judge(tuple(trials)).outcome is outcome


class Moody:
    """Stands for a bot that refuses the lines, and whose searches have these numbers of nodes."""

    chaser = Chaser()

    def __init__(self, nodes: list[int]) -> None:
        self._nodes = iter(nodes)

    def set_up(self, lines: object) -> None:
        pass

    def ask(self, line: bytes) -> Exchange:
        if line in LINES:
            return Exchange(line, b"? no\n\n", Answer(False, None, "no"), "answer", b"", 0.0)
        return answered(str(next(self._nodes)) if line == b"ref-nodes\n" else "E9")

    ask_chased = ask


@pytest.mark.parametrize(
    ("nodes", "outcome"),
    [
        ([250, 300, 250, 250, 300, 300, 300, 300, 300, 250], Outcome.FAIL),
        ([250, 300, 300, 300, 300, 300, 300, 300, 300, 300], Outcome.SKIP),  # the first search is another
        ([250, 300, 250, 250, 300, 300, 270], Outcome.SKIP),
    ],
)
def test_searches_that_agree_by_chance_are_made_again(nodes: list[int], outcome: Outcome) -> None:
    procedure = replace(NOTHING_CHANGED[0], lines=LINES, probes=NOTHING_CHANGED[0].probes[:1])
    session = SimpleNamespace(bot=Moody(nodes), has=lambda name: name == "ref-nodes")
    assert procedure.judge(procedure.observe(cast("Session", session))).outcome is outcome
