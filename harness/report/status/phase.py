"""The phase of a run or a check (running, silent, stopped, …), found from its status and its process."""

from __future__ import annotations

import math
import socket
import time
from dataclasses import dataclass
from datetime import datetime

import psutil

from harness.report.status.check import CheckStatus
from harness.report.status.record import Writer
from harness.report.status.run import RunStatus

SILENT_SECONDS = 20.0
"""Age of a status above which its process, which usually writes each second, is silent. Chosen: judging takes
less."""
SAME_START = 2.0
"""Seconds by which two readings of one process's start time may differ. Chosen: clocks are set by less."""


@dataclass(frozen=True)
class Phase:
    """A phase for readers: a word, the CSS class and the sign of its badge, and a sentence (may be empty)."""

    word: str
    style: str
    sign: str
    sentence: str

    @property
    def running(self) -> bool:
        """True if the process of the run or check works, as far as is known."""
        return self.word == RUNNING.word


RUNNING = Phase("running", "pass", "▶", "")
COMPLETE = Phase("complete", "skip", "■", "All games that were due were played.")
STOPPED = Phase("stopped", "open", "❚❚", "The run was stopped. The same command continues it.")
STORED = Phase("stored", "skip", "■", "Read from its store (run.db): it has no usable status file.")
ENDED = Phase(
    "broken off", "fail", "✗", "Its process ended before the run did. The same command continues it."
)
GIVEN_UP = Phase("given up", "skip", "■", "The scheduler does not continue it. Its games are kept.")
SILENT = Phase(
    "silent", "open", "?",
    "Its process has written no status for a while: it is held up, or it ended on another machine.",
)  # fmt: skip


def phase_of_run(status: RunStatus, now: datetime) -> Phase:
    """The phase of a run at the time `now`."""
    if status.state == "complete":
        return COMPLETE
    if status.state == "stopped":
        return STOPPED
    phase = _phase_of_process(status, now)
    if phase is SILENT and status.doing and _is_here(status.writer):
        return RUNNING  # an audit or a long file takes long between two writes; the process is alive
    return phase


def phase_of_check(status: CheckStatus, now: datetime) -> Phase:
    """The phase of a check that has a status file, so that its report is not written yet."""
    phase = _phase_of_process(status, now)
    if phase is SILENT and _is_here(status.writer):
        return RUNNING  # a check writes at its events, and one search may take longer than SILENT_SECONDS
    if phase is ENDED:
        return Phase(ENDED.word, ENDED.style, ENDED.sign, "Its process ended without a report.")
    return phase


def _phase_of_process(status: RunStatus | CheckStatus, now: datetime) -> Phase:
    """The phase by the process alone: RUNNING, SILENT or ENDED. A process elsewhere never counts as ended."""
    here = _is_here(status.writer)
    if here and status.writer is not None and not _is_alive(status.writer):
        return ENDED
    return SILENT if _age(status, now, here=here) > SILENT_SECONDS else RUNNING


def _age(status: RunStatus | CheckStatus, now: datetime, *, here: bool) -> float:
    """Seconds since a status was written; infinite if its time cannot be read. `here`: see `_is_here`."""
    if here and status.monotonic is not None:
        return time.monotonic() - status.monotonic
    try:
        return (now - datetime.fromisoformat(status.at)).total_seconds()
    except (ValueError, TypeError):  # no time, or a time without a zone
        return math.inf


def _is_here(writer: Writer | None) -> bool:
    """Return True if the process that wrote a status is or was one of this machine."""
    return writer is not None and writer.host == socket.gethostname()


def _is_alive(writer: Writer) -> bool:
    """Return True if the writer still runs. A later process may have its id, but has another start time."""
    try:
        process = psutil.Process(writer.pid)
        started = process.create_time()
        return abs(started - writer.process_started) < SAME_START and process.is_running()
    except (psutil.NoSuchProcess, ValueError, OverflowError):
        return False
    except psutil.AccessDenied:
        return True
