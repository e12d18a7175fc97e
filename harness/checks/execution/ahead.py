"""Explorations beside the searches, in a process of their own with a bot of its own.

Sessions and positions are generated and judged by the harness, which takes as long as a fast bot takes for
its searches. A pass stands: they are those that the run would go through later. Whatever else comes of it is
left to the run, which explores again, confirms and reports.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path
from types import TracebackType
from typing import NoReturn

from harness.checks.bot.bot import Bot
from harness.checks.bot.errors import BotError
from harness.checks.bot.profile import Profile
from harness.checks.bot.session import Session
from harness.checks.execution.findings import ALPHA
from harness.checks.model import Check, Judgement, Outcome
from harness.gtp import Launch, Limits, ShortageError

END_SECONDS = 5.0
"""Time in which the process ends its bot; then it is killed."""


@dataclass(frozen=True)
class Errand:
    """With what to explore; the fields are those of `Bot` and `Session`."""

    launch: Launch
    limits: Limits
    queues: bool
    profile: Profile
    playouts: int | None
    seed: int
    deadline: float
    explored: int
    failed: frozenset[str]
    failed_clauses: frozenset[str]


class Ahead:
    """The process that explores; a context manager. It starts at once, and waits for its errand."""

    def __init__(self, checks: Sequence[Check]) -> None:
        """`checks`: the explorations, in the order of the run."""
        self._checks = checks
        self._passed: dict[str, Judgement] = {}
        self._awaited: list[str] = []
        self.sent = False  # whether it has its errand
        self._connection, other = Pipe()
        with other:
            self._process = _started(other.fileno())
        self._send(checks)

    def __enter__(self) -> Ahead:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.end()

    def end(self) -> None:
        """End the process; nothing more is explored ahead. May be called again."""
        self._awaited = []
        self._connection.close()  # which ends the process
        try:
            self._process.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def send(self, errand: Errand) -> None:
        """Have the checks held, once."""
        self._send(errand)
        self.sent = True
        self._awaited = [check.id for check in self._checks]

    def passed(self, check: str) -> Judgement | None:
        """The judgement of a check that passed, as soon as it stands; None for any other."""
        while check in self._awaited:
            name = self._awaited.pop(0)
            try:
                judgement = self._connection.recv()
            except (EOFError, OSError):
                self._awaited = []
                break
            if judgement is not None:
                self._passed[name] = judgement
        return self._passed.get(check)

    def _send(self, message: object) -> None:
        with suppress(OSError):  # the process is gone: nothing is explored ahead
            self._connection.send(message)


def _started(descriptor: int) -> subprocess.Popen[bytes]:
    """The process, with its end of the pipe.

    It imports this package, whatever folder it is started in, and Ctrl-C reaches the harness only. It stays
    in the session of the harness: a child elsewhere would be taken for an orphan of the bot.
    """
    words = [sys.executable, "-P", "-m", __name__, str(descriptor)]
    packages = str(Path(__file__).parents[3])
    path = os.pathsep.join(filter(None, [packages, os.environ.get("PYTHONPATH")]))
    env = {**os.environ, "PYTHONPATH": path}
    return subprocess.Popen(words, pass_fds=[descriptor], env=env, process_group=0)


def serve(connection: Connection) -> None:
    """Take the checks and an errand; send a judgement for each check, None unless it is a pass."""
    signal.signal(signal.SIGTERM, _interrupt)
    with suppress(KeyboardInterrupt, EOFError, OSError), connection:
        checks: Sequence[Check] = connection.recv()
        errand: Errand = connection.recv()
        threading.Thread(target=_end_with, args=(connection,), daemon=True).start()
        with Bot(errand.launch, errand.limits) as bot:
            bot.queues = errand.queues
            for check in checks:
                connection.send(_passing(bot, errand, check))
            signal.signal(signal.SIGTERM, signal.SIG_IGN)  # the bot ends in peace


def _passing(bot: Bot, errand: Errand, check: Check) -> Judgement | None:
    """A pass whatever level the run will judge it at, or None."""
    session = Session(
        bot,
        errand.profile,
        errand.playouts,
        seed=errand.seed,
        deadline=errand.deadline,
        alpha=ALPHA,
        failed=errand.failed,
        failed_clauses=errand.failed_clauses,
        explored=errand.explored,
        hasty=True,
    )
    try:
        judgement = check.procedure.judge(check.procedure.observe(session))
    except (BotError, ShortageError):
        return None
    decided = judgement.p_value is not None and judgement.p_value <= ALPHA
    return None if decided or judgement.outcome is not Outcome.PASS else judgement


def _interrupt(number: int, frame: object) -> NoReturn:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # once: what follows ends the bot
    raise KeyboardInterrupt


def _end_with(connection: Connection) -> None:
    """Interrupt this process when the other end of the pipe is closed, however that came."""
    with suppress(EOFError, OSError):
        connection.recv()
    os.kill(os.getpid(), signal.SIGTERM)


if __name__ == "__main__":
    serve(Connection(int(sys.argv[1])))
