"""Two tests that explain why an engine does not answer on pipes.

Each test starts the engine anew. An engine that answers on pipes also passes the first test, and the second
one if the machine has a free terminal.
"""

from __future__ import annotations

import os
import signal
import time
from contextlib import suppress
from typing import Any

import pexpect

from harness.gtp.engine import Engine
from harness.gtp.guard import Guard
from harness.gtp.launch import Launch, marked, resolve
from harness.gtp.limits import Limits
from harness.gtp.orphans import child_starting, forget, register
from harness.gtp.process import kill_descendants, signal_group

_PAUSE = 0.01  # seconds between checks whether a killed child has ended; chosen: no longer than its end takes
_WIDTH = 1000  # columns: wide enough that no program wraps an answer
_ANSWER = rb"(?m)^[=?](?=[^=?])[^\n]*\n(?:[^\r\n][^\n]*\n)*\r?\n"


def answers_when_input_closes(launch: Launch, limits: Limits | None = None) -> bool:
    """Return True if the engine answers `name` within `Limits.startup` after its input is closed.

    If it answers only then, it never flushes its output buffer, or it reads its input to the end before it
    starts. Raises EngineStartError and ShortageError.
    """
    with Engine(launch, limits) as engine:
        engine.send(b"name\n")
        engine.end_input()
        return engine.receive().is_answered


def answers_on_terminal(launch: Launch, limits: Limits | None = None) -> bool:
    """Return True if the engine answers `name` on a tty within `Limits.startup`; False if no tty is free.

    If it answers only there, it does not flush its answers on pipes. Nothing else in the harness uses a
    terminal, which mixes stderr into the answers and hides a missing flush. Raises EngineStartError,
    ShortageError and OSError.
    """
    if not _has_terminals():
        return False
    limits = limits or Limits()
    # A first start on pipes raises EngineStartError for a program that the system refuses to run. For such a
    # program, pexpect.spawn would leave a child and a descriptor.
    Engine(launch, limits).start().kill()
    with_mark, mark = marked(launch)
    words, program, env = resolve(with_mark)
    guard = Guard(mark, limits.terminate)
    arguments = words[1:]
    with child_starting():
        child = pexpect.spawn(
            program if arguments else _escaped(program),
            arguments,
            cwd=str(launch.cwd) if launch.cwd else None,
            env=env,
            echo=False,
            timeout=limits.startup,
            dimensions=(24, _WIDTH),
        )
        assert child.pid is not None
        register(child.pid, engine=True)
    child.delaybeforesend = child.delayafterread = None
    try:
        guard.watch(child.pid)
        child.send(b"name\n")
        return bool(child.expect([_ANSWER, pexpect.EOF, pexpect.TIMEOUT]) == 0)
    finally:
        signal_group(child.pid, signal.SIGKILL)
        kill_descendants(child.pid, mark, limits.reap)
        _close(child, limits.reap)
        forget(child.pid)
        guard.dismiss()


def _has_terminals() -> bool:
    """Return True if the machine has a free tty."""
    try:
        for descriptor in os.openpty():
            os.close(descriptor)
    except OSError:
        return False
    return True


def _close(child: pexpect.spawn[Any], seconds: float) -> None:
    """Close the terminal of a child that was killed, after at most `seconds` for its end.

    pexpect itself waits only a few tenths of a second before it raises an error: too short on a busy machine.
    """
    deadline = time.monotonic() + seconds
    while child.isalive() and time.monotonic() < deadline:
        time.sleep(_PAUSE)
    with suppress(pexpect.ExceptionPexpect):  # it has not ended: its guard kills it again
        child.close(force=True)


def _escaped(program: str) -> str:
    """Escape a program's path for `pexpect.spawn`, which without arguments splits it at blanks and quotes."""
    return "".join(f"\\{character}" for character in program)
