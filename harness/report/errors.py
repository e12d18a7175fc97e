"""The errors of this package: a file is not what it should be, a status or a report."""

from __future__ import annotations

from harness.report.check_format import FORMAT


class ReportError(Exception):
    """Base class of all errors of `harness.report`."""


class StatusFileError(ReportError):
    """A file is not a status."""


class ReportFileError(ReportError):
    """A file is not a report of a check, or not what is kept of one. `expected`: what it should be."""

    def __init__(
        self, source: str, reason: str, expected: str = f"a file that check --json wrote ({FORMAT})"
    ) -> None:
        super().__init__(f"{source}: {reason}; expected {expected}")
