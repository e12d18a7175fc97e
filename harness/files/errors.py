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
