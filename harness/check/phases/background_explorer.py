"""Runs the explorations in a process of their own, with a second process of the bot, beside the run.

Generating and judging dialogues and positions takes the harness about as long as a fast bot searches.
The explorer tries the same dialogues and positions that the run would try later, so the run accepts a pass.
After any other result the run explores again itself, confirms and reports.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from types import TracebackType

from harness.check.bot.bot import Bot
from harness.check.bot.errors import BotError
from harness.check.bot.session import Known, Session
from harness.check.model import Check, Judgement, Outcome
from harness.check.phases.findings import ALPHA
from harness.gtp import Launch, Limits, ShortageError
from harness.tasks.process import (
    end_process,
    end_when_closed,
    ignore_sigterm,
    let_sigterm_interrupt,
    start_process,
)


@dataclass(frozen=True)
class ExplorationRequest:
    """A request to explore: how to start the bot, and the run's knowledge of it.

    queues   the bot answers several commands of one write (see `RecordedBot`)
    """

    launch: Launch
    limits: Limits
    queues: bool
    known: Known


class BackgroundExplorer:
    """A context manager around the process that explores. It starts at once and waits for its request."""

    def __init__(self, checks: Sequence[Check]) -> None:
        """`checks`: the explorations, in the order of the run."""
        self._checks = checks
        self._passed: dict[str, Judgement] = {}
        self._awaited: list[str] = []
        self.sent = False  # the request was sent
        self._process, self._connection = start_process(__name__)
        self._send(checks)

    def __enter__(self) -> BackgroundExplorer:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.end()

    def end(self) -> None:
        """End the process. May be called again."""
        self._awaited = []
        self._connection.close()  # which ends the process
        end_process(self._process)

    def send(self, request: ExplorationRequest) -> None:
        """Send the request; at most once."""
        self._send(request)
        self.sent = True
        self._awaited = [check.id for check in self._checks]

    def await_pass(self, check: str) -> Judgement | None:
        """Wait until the process has judged a check; return its judgement if it passed, else None.

        None also if no request was sent, or if the process has died before it judged the check.
        """
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
        with suppress(OSError):  # the process has ended: the run explores itself
            self._connection.send(message)


def serve(connection: Connection) -> None:
    """Receive the checks and a request; send for each check its judgement if it is a pass, else None."""
    let_sigterm_interrupt()
    with suppress(KeyboardInterrupt, EOFError, OSError), connection:
        checks: Sequence[Check] = connection.recv()
        request: ExplorationRequest = connection.recv()
        end_when_closed(connection)
        with Bot(request.launch, request.limits) as bot:
            bot.queues = request.queues
            for check in checks:
                connection.send(_passing(bot, request, check))
            ignore_sigterm()  # the bot still has to end


def _passing(bot: Bot, request: ExplorationRequest, check: Check) -> Judgement | None:
    """Explore; return the judgement if it passes under any share of the error budget, else None."""
    session = Session(bot=bot, hasty=True, **vars(request.known))
    try:
        judgement = check.procedure.judge(check.procedure.observe(session))
    except (BotError, ShortageError):
        return None
    decided = judgement.p_value is not None and judgement.p_value <= ALPHA
    return None if decided or judgement.outcome is not Outcome.PASS else judgement


if __name__ == "__main__":
    serve(Connection(int(sys.argv[1])))
