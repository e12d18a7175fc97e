"""Exit codes, and the one exception for mistakes of the user."""

from __future__ import annotations

from enum import IntEnum


class ExitCode(IntEnum):
    """The exit codes of every command."""

    CONFORMS = 0
    DEVIATES = 1
    USAGE = 2
    INCONCLUSIVE = 3
    UNUSABLE = 4
    INTERNAL = 70
    INTERRUPTED = 130


class UsageError(Exception):
    """A mistake of the user. The text says in one line what to do."""


VERDICT_CODES = {
    "conforms": ExitCode.CONFORMS,
    "deviates": ExitCode.DEVIATES,
    "inconclusive": ExitCode.INCONCLUSIVE,
    "unusable": ExitCode.UNUSABLE,
}

GRAVITY = (ExitCode.DEVIATES, ExitCode.UNUSABLE, ExitCode.INCONCLUSIVE, ExitCode.CONFORMS)
"""The exit code for several bots is the first of these that occurs."""
