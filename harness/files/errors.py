"""The errors of this package."""

from __future__ import annotations

import errno
from pathlib import Path


class LinkedPathError(OSError):
    """A file of a run would be written outside the folder of the run, through a symbolic link."""

    def __init__(self, path: Path) -> None:
        reason = "is a symbolic link, and conform writes only inside the folder; remove the link"
        super().__init__(errno.ELOOP, reason, str(path))
