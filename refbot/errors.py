"""The base of refbot's errors."""

from __future__ import annotations


class RefbotError(Exception):
    """Every error that refbot raises by itself, apart from ValueError for a number out of its range."""
