"""The base of refbot's errors, and the wording of errors of the operating system."""

from __future__ import annotations


class RefbotError(Exception):
    """Every error that refbot raises by itself, except ValueError for a number out of its range."""


def os_reason(error: OSError) -> str:
    """Return the reason of an error without its path, in lower case, for use inside a sentence."""
    reason = error.strerror or str(error)
    return reason[:1].lower() + reason[1:]
