"""The status of a running check: the file `FILE.live` beside the report that `check --json FILE` will write.

The process of the check replaces the whole file at an event, about once a second at most, and removes it at
its end. During a long search there is no event.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Literal

from pydantic import ValidationError

from harness.check.model import Level
from harness.check.phases.events import CheckEnded, Event, FailureSeen, RunEnded, RunStarted
from harness.check.phases.progress import ProgressMeter
from harness.files import remove_file, replaced, timestamp
from harness.report.errors import StatusFileError
from harness.report.status.record import Count, Record, Writer, as_text, this_process

if TYPE_CHECKING:
    from harness.check.model import Result

SUFFIX = ".live"
"""The ending of the status file, after the name of the report."""
PAUSE = 1.0
"""Least seconds between two writes, except at the start and end of a bot. Chosen: readers read that often."""


class FailedCheck(Record):
    """A MUST check that failed."""

    id: str
    title: str
    outcome: str


class BotProgress(Record):
    """The progress of the check of one bot."""

    command: str
    doing: str = "waiting"  # the present activity, in words
    searches: Count = 0  # made so far, while the bot searches; 0 during any other activity
    decided: Count = 0  # checks with a result
    total: Count = 0  # checks of the profile of the bot; 0 until the profile is known
    seconds_left: float | None = None  # estimate; None: not known, or without end
    failed: tuple[FailedCheck, ...] = ()
    ended: bool = False


class CheckStatus(Record):
    """A running check at one moment. The times are those of `harness.report.status.run.RunStatus`."""

    format: Literal["conform-status/1"] = "conform-status/1"
    kind: Literal["check"] = "check"
    writer: Writer | None
    started: str
    at: str
    monotonic: float | None = None
    budget: str
    bots: tuple[BotProgress, ...]


class CheckStatusFile:
    """Keeps the status file of a check up to date. As a context manager it removes the file at the end.

    An error with the file is ignored: it must not end the check.
    """

    def __init__(self, report: Path | None, commands: Sequence[str], budget: str) -> None:
        """`report`: the file that the check will write; None: no report, and so no status file."""
        self._path = report.with_name(report.name + SUFFIX) if report is not None else None
        self._bots = [BotProgress(command=command) for command in commands]
        self._budget = budget
        self._started = timestamp()
        self._next = 0.0

    def __enter__(self) -> CheckStatusFile:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._path is not None:
            with suppress(OSError):
                remove_file(self._path)

    def handler_of_bot(self, number: int) -> Callable[[Event], None]:
        """Return a handler of the events of one bot; `number` is its index among the commands, from 0."""
        meter = ProgressMeter()

        def handle(event: Event) -> None:
            shows = meter.handle(event)
            match event:
                case CheckEnded(result=result) | FailureSeen(result=result):
                    self._note_result(number, result)
                case RunEnded(findings=findings):
                    decided = len(findings.results)
                    self._change(number, doing="ended", ended=True, decided=decided, seconds_left=None)
            if shows:
                progress, left = meter.progress, meter.progress.seconds_left
                self._change(
                    number,
                    **{name: getattr(progress, name) for name in ("doing", "searches", "decided", "total")},
                    seconds_left=left if left is not None and math.isfinite(left) else None,
                )
            if isinstance(event, RunStarted | RunEnded) or time.monotonic() >= self._next:
                self._write()

        return handle

    def _note_result(self, number: int, result: Result) -> None:
        """List a failed MUST check. A later result, such as that of a repetition, may take it off."""
        check, failed = result.check, {one.id: one for one in self._bots[number].failed}
        if result.refuses and check.level is Level.MUST:
            failed[check.id] = FailedCheck(id=check.id, title=check.title, outcome=str(result.outcome))
        else:
            failed.pop(check.id, None)
        self._change(number, failed=tuple(failed.values()))

    def _change(self, number: int, **fields: object) -> None:
        self._bots[number] = self._bots[number].model_copy(update=fields)

    def _write(self) -> None:
        """Replace the status file. An error is ignored."""
        self._next = time.monotonic() + PAUSE
        if self._path is None:
            return
        status = CheckStatus(
            writer=this_process(),
            started=self._started,
            at=timestamp(),
            monotonic=time.monotonic(),
            budget=self._budget,
            bots=tuple(self._bots),
        )
        with suppress(OSError), replaced(self._path) as file:
            file.write(as_text(status))


def parse_check_status(text: bytes, name: str) -> CheckStatus:
    """The status of a check from the bytes of its file. Raises StatusFileError, which names `name`."""
    try:
        return CheckStatus.model_validate_json(text)
    except ValidationError:
        raise StatusFileError(f"{name} is damaged; delete it, or check again with --json") from None
