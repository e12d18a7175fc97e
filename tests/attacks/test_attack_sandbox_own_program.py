"""A bot replaces its own program, in its own folder, by another one or by a pipe.

Before: the hash of a program in the sandbox was that of the file that sets up the sandbox, so no change was
seen; without a sandbox, a pipe in the place of the program stopped the match for ever. After: the bot's own
program is looked at, and nothing waits for a pipe.
"""

import os
import shlex
import sys
from pathlib import Path

import pytest

from harness.arena.game.program import program_of
from harness.gtp import EngineStartError, Launch
from harness.gtp.launch import resolve
from tests.sandboxed import needs_sandbox

SANDBOX = [False, pytest.param(True, marks=needs_sandbox)]


@pytest.fixture
def bot(tmp_path: Path) -> Path:
    program = tmp_path / "bot.py"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    return program


@pytest.mark.parametrize("sandbox", SANDBOX)
@pytest.mark.parametrize("command", ["./bot.py", f"{shlex.quote(sys.executable)} bot.py"])
def test_a_change_of_the_program_is_seen(bot: Path, command: str, sandbox: bool) -> None:
    launch = Launch(command, cwd=bot.parent, sandbox=sandbox)
    before = program_of(launch)
    bot.write_text("#!/bin/bash\n")
    assert None not in (before, program_of(launch))
    assert program_of(launch) != before


@pytest.mark.parametrize("sandbox", SANDBOX)
@pytest.mark.parametrize("mode", [0o755, 0o644])
def test_nothing_waits_for_a_pipe_in_the_place_of_the_program(bot: Path, mode: int, sandbox: bool) -> None:
    bot.unlink()
    os.mkfifo(bot, mode)
    launch = Launch("./bot.py", cwd=bot.parent, sandbox=sandbox)
    assert program_of(launch) is None
    with pytest.raises(EngineStartError, match="pipe"):
        resolve(launch)
    command = f"{shlex.quote(sys.executable)} bot.py"
    assert program_of(Launch(command, cwd=bot.parent, sandbox=sandbox)) is not None
