"""Generated moves that a right bot does not make."""

from __future__ import annotations

from dataclasses import dataclass

from harness.go import Colour, Position
from harness.gtp import format_vertex, parse_vertex

MOST_NAMED = 12
"""Number of candidates that a report names."""


@dataclass(frozen=True)
class WrongMove:
    """The clause that a generated move breaks, the moves that are right, and what is wrong with it."""

    clause: str
    expected: str
    why: str


def wrong_move(position: Position, colour: Colour, move: str) -> WrongMove | None:
    """What is wrong with a move (upper case, PASS or RESIGN) for a side; None for a move of a right bot."""
    candidates = position.candidates(colour)
    point = None if move in ("PASS", "RESIGN") else parse_vertex(move, position.size)
    if point in candidates or (move == "PASS" and not candidates):
        return None
    names = [format_vertex(candidate) for candidate in candidates]
    shown = ", ".join(names[:MOST_NAMED]) + (", …" if len(names) > MOST_NAMED else "")
    expected = f"one of {shown}" if candidates else "PASS: there is no candidate"
    if move == "RESIGN":
        return WrongMove("complete-games", expected, "a conforming bot plays to the end")
    if point is None:
        if all(position.is_surrounded(colour, candidate) for candidate in candidates):
            return WrongMove("eye", expected, "it passes and could play: these are false eyes")
        return WrongMove("no-early-pass", expected, "it passes and could play")
    match position.legality(colour, point):
        case "ko" | "superko":
            return WrongMove("superko", expected, "it brings an earlier board back")
        case "suicide":
            return WrongMove("no-suicide", expected, "it is suicide")
        case "occupied":
            return WrongMove("complete-games", expected, "a stone is there")
    return WrongMove("best-rate", expected, "it fills an own eye")
