"""One run of a match config: its folder, its lock and its files."""

from harness.runs.audit import AuditedRun, AuditProgress, audit_run, audit_store
from harness.runs.errors import (
    USER_ERRORS,
    ContinuationError,
    FolderInUseError,
    RunError,
    StateFileError,
    describe_error,
)
from harness.runs.folder import UnfinishedRun, open_run, unfinished_run
from harness.runs.history import ChangePoint, History, HistoryRow, read_history
from harness.runs.lock import locked
from harness.runs.play import RunOutcome, play_run
from harness.runs.salvage import salvage_run
from harness.runs.scheduled_run import ScheduledRun, scheduled_runs
from harness.runs.watcher import Watcher
from harness.runs.writer import RunWriter

__all__ = [
    "USER_ERRORS",
    "AuditProgress",
    "AuditedRun",
    "ChangePoint",
    "ContinuationError",
    "FolderInUseError",
    "History",
    "HistoryRow",
    "RunError",
    "RunOutcome",
    "RunWriter",
    "ScheduledRun",
    "StateFileError",
    "UnfinishedRun",
    "Watcher",
    "audit_run",
    "audit_store",
    "describe_error",
    "locked",
    "open_run",
    "play_run",
    "read_history",
    "salvage_run",
    "scheduled_runs",
    "unfinished_run",
]
