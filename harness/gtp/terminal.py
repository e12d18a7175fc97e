"""Does an engine that is silent on a pipe speak on a terminal? Then it forgets to flush its answers."""

from __future__ import annotations

import signal

import pexpect

from harness.gtp.engine import Engine
from harness.gtp.launch import Launch, marked, resolve
from harness.gtp.limits import Limits
from harness.gtp.process import signal_group, sweep

_WIDTH = 1000  # columns: wide enough that no program wraps an answer
_ANSWER = rb"(?m)^[=?](?=[^=?])[^\n]*\n(?:[^\r\n][^\n]*\n)*\r?\n"


def answers_on_terminal(launch: Launch, limits: Limits | None = None) -> bool:
    """Whether the engine answers `name` on a terminal within `Limits.startup`. Raises EngineStartError.

    The one place for a terminal: it merges stderr into the answers, echoes, and hides a missing flush.
    """
    limits = limits or Limits()
    # A trial: of a program that the system refuses to run, pexpect.spawn leaves a child and a descriptor.
    Engine(launch, limits).start().kill()
    with_mark, mark = marked(launch)
    words, program, env = resolve(with_mark)
    child = pexpect.spawn(
        program,
        words[1:],
        cwd=str(launch.cwd) if launch.cwd else None,
        env=env,
        echo=False,
        timeout=limits.startup,
        dimensions=(24, _WIDTH),
    )
    child.delaybeforesend = child.delayafterread = None
    assert child.pid is not None
    try:
        child.send(b"name\n")
        return bool(child.expect([_ANSWER, pexpect.EOF, pexpect.TIMEOUT]) == 0)
    finally:
        signal_group(child.pid, signal.SIGKILL)
        sweep(child.pid, mark, limits.reap)
        child.close(force=True)
