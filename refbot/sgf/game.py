"""The result of reading: one game of a record file, or an error with a reason in one line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

from refbot.errors import RefbotError

MOST_SHOWN = 40  # characters of a file that a message quotes; chosen: the message stays one line

Colour = Literal["b", "w"]
Point = tuple[int, int]
"""(row, column) from the lower left corner: (0, 0) is A1."""


class Move(NamedTuple):
    """One move of a record; the point is None for a pass."""

    colour: Colour
    point: Point | None


@dataclass(frozen=True)
class SgfGame:
    """The main line of a game, up to the number of moves that the caller wants.

    The reader checks only that set-up stones and moves are on the board. It knows no rules: a stone may have
    no liberty, and a move may be illegal.
    """

    number: int  # of the game in its file, from 1
    size: int  # at most 52, which may be more than an engine plays on
    komi: float | None  # None: the file has none, or an unreadable one
    handicap: int | None  # the number of HA; None: the file has none, or an unreadable one
    black_stones: frozenset[Point]  # set up before the first move
    white_stones: frozenset[Point]
    moves: tuple[Move, ...]
    to_move: Colour  # the side to move after `moves`
    notes: tuple[str, ...] = ()  # damage that did not prevent reading, one sentence each


def opponent(colour: Colour) -> Colour:
    """Return the opponent's colour."""
    return "w" if colour == "b" else "b"


class SgfError(RefbotError, ValueError):
    """A game that cannot be read: its number in the file and the line of the problem, both from 1."""

    def __init__(self, game: int, line: int, reason: str) -> None:
        super().__init__(game, line, reason)
        self.game = game
        self.line = line
        self.reason = reason

    def __str__(self) -> str:
        return f"game {self.game}, line {self.line}: {self.reason}"


class SgfFileError(RefbotError, ValueError):
    """A file whose bytes cannot be read: missing, too long, a folder, a pipe or a device.

    Its text continues a sentence that begins with "the file".
    """


def excerpt(raw: bytes) -> str:
    """Return the beginning of a part of a file as short printable text, safe for a terminal.

    "…" follows if the part is longer.
    """
    whole = raw.strip()
    begin = whole[: 4 * MOST_SHOWN]  # a character has up to four bytes
    text = " ".join(begin.decode("utf-8", "replace").split())
    text = "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in text)
    return text if begin == whole and len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN]}…"
