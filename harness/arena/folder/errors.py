"""The errors of run folders, and the description of any error that a user can mend."""

from __future__ import annotations

from harness.arena.errors import FileError, MatchError
from harness.files import os_reason
from harness.tasks import ClusterError
from refbot.compile.devices import DeviceError


class RunError(MatchError):
    """Base class: a run cannot be started or continued in its folder."""


class FolderInUseError(RunError):
    """Another process holds the lock of the folder."""


class FolderGoneError(RunError):
    """The folder was moved or deleted while the run was played. The text says where its games are."""


class ContinuationError(RunError):
    """The config defines other games than the config of the run in the folder."""


class StateFileError(RunError, FileError):
    """A file beside the store of a run cannot be used. The reason says what to do."""


USER_ERRORS = (MatchError, ClusterError, DeviceError, OSError)
"""The errors that a user can mend. Any other exception is a bug of the harness."""


def describe_error(error: Exception) -> str:
    """Describe the error in one sentence, with the file that it concerns."""
    if isinstance(error, OSError) and error.filename is not None:
        return f"{error.filename}: {os_reason(error)}"
    return str(error)
