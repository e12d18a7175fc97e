"""Exit codes, and the mistakes of a user."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
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


@contextmanager
def usage_errors_of_runs() -> Iterator[None]:
    """Raise UsageError for each error of a run that its user can mend."""
    from harness.arena.folder.errors import USER_ERRORS, describe_error

    try:
        yield
    except USER_ERRORS as problem:
        if isinstance(problem, OSError) and problem.filename is None:
            raise  # about no file: main says what this machine lacks, or it is a bug
        raise UsageError(describe_error(problem)) from None


@contextmanager
def usage_errors_of_checks() -> Iterator[None]:
    """Raise UsageError for a pattern that no check and no clause matches."""
    from harness.suite.registry import UnknownCheckError

    try:
        yield
    except UnknownCheckError as error:
        raise UsageError(str(error)) from None
