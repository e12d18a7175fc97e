"""The exit codes of conform, `UsageError`, and the errors that become a UsageError."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from enum import IntEnum


class ExitCode(IntEnum):
    """The exit codes of all commands."""

    CONFORMS = 0  # done; nothing contradicts the expectation
    DEVIATES = 1  # a bot, a pair of bots or a game differs from the expectation
    USAGE = 2  # an error that the user can correct, or a shortage of this machine
    INCONCLUSIVE = 3  # done, but undecided
    UNUSABLE = 4  # a bot cannot be run
    INTERNAL = 70  # a bug of conform
    INTERRUPTED = 130  # Ctrl-C or SIGTERM


class UsageError(Exception):
    """An error that the user can correct, such as a wrong option. Its text is printed as it is."""


VERDICT_CODES = {
    "conforms": ExitCode.CONFORMS,
    "deviates": ExitCode.DEVIATES,
    "inconclusive": ExitCode.INCONCLUSIVE,
    "unusable": ExitCode.UNUSABLE,
}
"""By verdict on a bot: the exit code of `conform check`."""

GRAVITY = (ExitCode.DEVIATES, ExitCode.UNUSABLE, ExitCode.INCONCLUSIVE, ExitCode.CONFORMS)
"""The exit code of a check of several bots: the first of these that occurs among their codes."""


@contextmanager
def usage_errors_of_runs() -> Iterator[None]:
    """Turn the errors of a match or a stored run that the user can correct into a UsageError."""
    from harness.arena.folder.errors import USER_ERRORS, describe_error

    try:
        yield
    except USER_ERRORS as problem:
        if isinstance(problem, OSError) and problem.filename is None:
            raise  # no file is the cause: `main` reports a shortage of this machine, or a bug
        raise UsageError(describe_error(problem)) from None


@contextmanager
def usage_errors_of_checks() -> Iterator[None]:
    """Turn the error of a pattern that matches no check and no clause into a UsageError."""
    from harness.suite.registry import CheckPatternError

    try:
        yield
    except CheckPatternError as error:
        raise UsageError(str(error)) from None
