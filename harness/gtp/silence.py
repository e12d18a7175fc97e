"""Why does an engine not answer on pipes? Diagnoses for an engine that was silent; never judgements.

Both functions ask a new process of the engine. An engine that answers on pipes answers here too.
"""

from __future__ import annotations

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

_PAUSE = 0.01  # seconds between looks at a killed child; chosen: short beside its end
_WIDTH = 1000  # columns: wide enough that no program wraps an answer
_ANSWER = rb"(?m)^[=?](?=[^=?])[^\n]*\n(?:[^\r\n][^\n]*\n)*\r?\n"


def answers_when_input_closes(launch: Launch, limits: Limits | None = None) -> bool:
    """Return whether the engine answers `name` within `Limits.startup` after its input is closed.

    If it answers only then, it keeps its answers in a buffer and never flushes them, or it reads its input to
    the end before it starts. Raises EngineStartError.
    """
    with Engine(launch, limits) as engine:
        engine.send(b"name\n")
        engine.end_input()
        return engine.receive().ending in ("answer", "malformed")


def answers_on_terminal(launch: Launch, limits: Limits | None = None) -> bool:
    """Return whether the engine answers `name` on a tty within `Limits.startup`. Raises EngineStartError.

    If it answers only there, it does not flush its answers on pipes. Terminals are used for nothing
    else: they mix stderr into the answers and hide a missing flush.
    """
    limits = limits or Limits()
    # Started once without a terminal: of a program that the system refuses to run, pexpect.spawn would leave
    # a child and a descriptor.
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


def _close(child: pexpect.spawn[Any], seconds: float) -> None:
    """Close the terminal of a child that was killed, once it has ended.

    pexpect alone waits a few tenths of a second and then raises an error: too short on a busy machine.
    """
    deadline = time.monotonic() + seconds
    while child.isalive() and time.monotonic() < deadline:
        time.sleep(_PAUSE)
    with suppress(pexpect.ExceptionPexpect):  # it cannot end now: its guard kills it again
        child.close(force=True)


def _escaped(program: str) -> str:
    """A program for `pexpect.spawn` without arguments, which would split its path at blanks and quotes."""
    return "".join(f"\\{character}" for character in program)
