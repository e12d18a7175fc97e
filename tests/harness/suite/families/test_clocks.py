"""Checks of clocks: no clock is left behind, and a late move is excused by a busy machine."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from harness.check.model import Level, Outcome
from harness.check.phases.findings import Findings
from harness.check.phases.run import check_bot, findings_of
from harness.check.phases.settings import RunSettings
from harness.check.procedures.time_commands import LATE, MoveInTime, MoveRecord
from harness.gtp import Answer, Exchange, parse_answer
from harness.selftest.hosted_bot import PLAYOUTS, HostedBot
from harness.suite.registry import select

CheckHosted = Callable[..., Findings]

FAMILY = "gtp.clock.*"


def test_no_clock_is_left_behind(hosted_bot: Callable[..., HostedBot]) -> None:
    """A later search of a bot that hurries makes all its playouts."""
    for check in select([FAMILY]):
        bot = hosted_bot("hurried", "overtime", "extensions")
        findings_of(check_bot(bot, RunSettings(bot.launch, (check,))))
        searcher = bot.running_engine().server.session.searcher
        assert (searcher.playouts_now(), searcher.overtime) == (PLAYOUTS, 0.0), check.id


def test_only_commands_that_a_bot_lists_are_judged(check_hosted: CheckHosted) -> None:
    found = check_hosted("optional-commands-missing", only=[FAMILY])
    assert {result.outcome for result in found.results} == {Outcome.SKIP}


@pytest.mark.parametrize(
    "fault", ["numbers-by-atoi", "missing-argument-crashes", "missing-argument-succeeds", "colour-any-word"]
)
def test_a_fault_of_every_command_is_not_charged_to_clocks(check_hosted: CheckHosted, fault: str) -> None:
    found = check_hosted(fault, "extensions", only=["gtp.setup.*", "gtp.play.*", FAMILY])
    charged = {r.check.id for r in found.results if r.refuses and r.check.level is Level.MUST}
    assert not {name for name in charged if name.startswith("gtp.clock.")}


def after(seconds: float) -> Exchange:
    answer = parse_answer(b"= E5\n\n")
    assert isinstance(answer, Answer)
    return Exchange(b"genmove b\n", b"= E5\n\n", answer, "answer", b"", seconds)


@pytest.mark.parametrize(
    ("record", "outcome"),
    [
        (MoveRecord(after(0.1)), Outcome.PASS),
        (MoveRecord(after(LATE)), Outcome.PASS),
        (MoveRecord(after(LATE + 0.1)), Outcome.FAIL),
        (MoveRecord(after(LATE + 0.1), busy=True), Outcome.SKIP),
    ],
)
def test_a_late_move(record: MoveRecord, outcome: Outcome) -> None:
    assert MoveInTime().judge(record).outcome is outcome
