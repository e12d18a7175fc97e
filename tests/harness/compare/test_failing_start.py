"""A comparison goes on when one of its bots cannot be started again, and keeps what that bot showed."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import pytest

from harness.check.phases.settings import RunSettings
from harness.compare.run import ROUND, compare
from harness.gtp import Launch, Limits
from harness.suite.registry import select

ENGINES = Path(__file__).parents[2] / "engines"
ENGINE = shlex.join([sys.executable, "-S", "-E", str(ENGINES / "hostile.py")])
RIGHT = f"{ENGINE} right"
LIMITS = Limits(startup=600.0, answer=600.0, quit=60.0)
CHECKS = select(["ref.nodes.three", "ref.nodes.six"])


def mortal(folder: Path, commands: int) -> str:
    """A program that dies at a command and cannot be started again."""
    program = folder / "bot"
    program.write_text(f'#!/bin/sh\nchmod -x "$0"\nexec {ENGINE} die --at {commands}\n')
    program.chmod(0o700)
    return str(program)


@pytest.mark.parametrize("commands", [2, 10, 30, 50, 100])
def test_the_others_are_compared(tmp_path: Path, commands: int) -> None:
    bots = [RIGHT, mortal(tmp_path, commands), RIGHT]
    found = compare([RunSettings(Launch(bot), CHECKS, limits=LIMITS) for bot in bots], 2 * ROUND)
    assert "no permission to run" in found.bots[1].reason
    assert [bot.reason for bot in (found.bots[0], found.bots[2])] == ["", ""]
    assert (0, 2) in {(pair.first, pair.second) for pair in found.pairs}
    for bot in (found.bots[0], found.bots[2]):
        assert {len(one.searches) for one in (bot.series or {}).values()} == {2 * ROUND}
