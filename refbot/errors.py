"""The base of refbot's errors."""

from __future__ import annotations


class RefbotError(Exception):
    """Every error that refbot raises by itself, except ValueError for a number out of its range."""
