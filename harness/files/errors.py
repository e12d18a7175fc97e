"""The errors of this package."""

from __future__ import annotations

import errno
from pathlib import Path


class UnsafeFileError(OSError):
    """A file of a run is not one that `conform` can have made, and it is neither read nor written.

    The reason says what the file is and what to do.
    """

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(errno.ELOOP, reason, str(path))


def os_reason(error: OSError) -> str:
    """The reason of an error of the operating system, without the path, to stand in a sentence."""
    reason = error.strerror or str(error)
    return reason[:1].lower() + reason[1:]
