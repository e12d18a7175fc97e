"""Why a record cannot be read, in one line for the user."""

from __future__ import annotations

from refbot.errors import RefbotError

MOST_SHOWN = 40  # characters of a file that a message quotes


class SgfError(RefbotError, ValueError):
    """A game that cannot be read. `game` counts from 1 in its file; `line` is where the reason stands."""

    def __init__(self, game: int, line: int, reason: str) -> None:
        super().__init__(game, line, reason)
        self.game = game
        self.line = line
        self.reason = reason

    def __str__(self) -> str:
        return f"game {self.game}, line {self.line}: {self.reason}"


class SgfFileError(RefbotError, ValueError):
    """A file whose bytes cannot be read: missing, too long, a folder, a pipe or a device."""


def quoted(raw: bytes) -> str:
    """Bytes of a file as short text without anything that a terminal could obey."""
    text = " ".join(raw[: 4 * MOST_SHOWN].decode("utf-8", "replace").split())
    text = "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in text)
    return text if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN]}…"
