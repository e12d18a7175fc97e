"""The errors of matches. Each has a text for the user, without a traceback."""

from __future__ import annotations

from pathlib import Path


class MatchError(Exception):
    """Base class: a match cannot be configured, played, stored or read."""


class PlayError(MatchError):
    """The match cannot be played: an engine does not start, an opening is wrong, or workers are lost."""


class FileError(MatchError):
    """A file cannot be used. The text is one line that starts with its path."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(path, reason)
        self.path = path
        self.reason = reason

    def __str__(self) -> str:
        return f"{self.path}: {self.reason}"
