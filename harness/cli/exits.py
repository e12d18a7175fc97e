"""Exit codes, and the one class for what a user can do wrong."""

from __future__ import annotations

from enum import IntEnum


class ExitCode(IntEnum):
    """What every command's exit code means."""

    CONFORMS = 0
    DEVIATES = 1
    USAGE = 2
    INCONCLUSIVE = 3
    UNUSABLE = 4
    INTERNAL = 70
    INTERRUPTED = 130


class UsageProblem(Exception):  # noqa: N818 (shown to the user as it is)
    """A mistake of the user, in one clear line that says what to do."""


VERDICT_CODES = {
    "conforms": ExitCode.CONFORMS,
    "deviates": ExitCode.DEVIATES,
    "inconclusive": ExitCode.INCONCLUSIVE,
    "unusable": ExitCode.UNUSABLE,
}

GRAVITY = (ExitCode.DEVIATES, ExitCode.UNUSABLE, ExitCode.INCONCLUSIVE, ExitCode.CONFORMS)
"""Of several bots, the first of these that occurs is the exit code."""
