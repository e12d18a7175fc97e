"""Checks whose next command depends on the answer of the bot, on bots that go wrong for one side alone."""

from __future__ import annotations

import pytest

from harness.check.model import Outcome
from harness.check.phases.settings import RunSettings
from harness.gtp import Launch
from harness.suite.registry import select
from tests.command_line import bot
from tests.harness.check.idle_machine import findings_about


@pytest.mark.parametrize(
    ("command", "outcome"),
    [
        (bot("pure_bot.py", "--playouts", 1), Outcome.PASS),
        (bot("wrong_pure.py", "white-not-played", "--playouts", 1), Outcome.FAIL),
    ],
)
def test_the_generated_move_of_either_side_is_made(command: str, outcome: Outcome) -> None:
    (check,) = select(("gtp.play.genmove-plays",))
    findings = findings_about(RunSettings(Launch(command), (check,)))
    assert [result.outcome for result in findings.results] == [outcome]
