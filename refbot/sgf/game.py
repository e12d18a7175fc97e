"""One game of a record file, as the file gives it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

Colour = Literal["b", "w"]
Point = tuple[int, int]
"""(row, column) from the lower left corner: (0, 0) is A1."""


class Move(NamedTuple):
    """One move of a record; the point is None for a pass."""

    colour: Colour
    point: Point | None


@dataclass(frozen=True)
class SgfGame:
    """The main line of a game, up to the number of moves that was asked for.

    Set-up stones and moves are on the board and otherwise as the file has them: the reader knows no rules, so
    a stone may lack liberties and a move may be illegal.
    """

    number: int  # of the game in its file, from 1
    size: int
    komi: float | None  # None: the file has none, or none that can be read
    handicap: int | None
    black_stones: frozenset[Point]  # set up before the first move
    white_stones: frozenset[Point]
    moves: tuple[Move, ...]
    to_move: Colour  # after these moves
    black_name: str = ""
    white_name: str = ""
    notes: tuple[str, ...] = ()  # what was damaged and not needed, a sentence each


def other(colour: Colour) -> Colour:
    """The opponent's colour."""
    return "w" if colour == "b" else "b"
