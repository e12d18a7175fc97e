"""Candidates (legal moves that fill no own eye), and what is wrong with a move that a bot chose.

By the rules of the reference bot, a right bot plays candidates only, and passes only without one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from harness.check.play_rules import REFERENCE_RULES, PlayRules
from harness.explore.dice import Dice
from harness.go import Colour, Point, Position, all_points
from harness.gtp import format_vertex, parse_vertex

MOST_NAMED = 12
"""Most moves that a report names. Chosen: they fit in one line."""


class Finding(NamedTuple):
    """A deviation in words: the clause that it breaks, what was expected and what was observed."""

    clause: str
    expected: str
    observed: str


def is_candidate(position: Position, colour: Colour, point: Point) -> bool:
    """Return True if a move is legal and fills no own eye."""
    return not position.is_eye(colour, point) and position.legality(colour, point) is None


def has_candidate(position: Position, colour: Colour) -> bool:
    """Return True if a side has a candidate."""
    return any(is_candidate(position, colour, point) for point in empty_points(position))


def some_candidate(position: Position, colour: Colour, dice: Dice) -> Point | None:
    """Return a candidate of a side, each with the same probability; None if there is none.

    Points are drawn until one is a candidate: that takes less time than to find all candidates.
    """
    waiting = empty_points(position)
    while waiting:
        point = waiting.pop(dice.below(len(waiting)))
        if is_candidate(position, colour, point):
            return point
    return None


def empty_points(position: Position) -> list[Point]:
    """Return the points without a stone, lowest row first."""
    points = all_points(position.size)
    return [point for point, stone in zip(points, position.fingerprint, strict=True) if not stone]


def _is_right(position: Position, colour: Colour, move: str, point: Point | None, rules: PlayRules) -> bool:
    """Return True if the bot may choose this move by its rules."""
    is_free = rules.passing == "free"
    if move == "RESIGN":
        return rules.resignation == "allowed"
    if point is None:
        return is_free or not has_candidate(position, colour)
    reason = position.legality(colour, point)
    if reason is not None:
        return rules.leaves_open(reason)
    return is_free or not position.is_eye(colour, point)


def _allowed_moves(position: Position, colour: Colour, candidates: Sequence[Point], rules: PlayRules) -> str:
    """Return the moves that the bot may choose, in words."""
    is_free = rules.passing == "free"
    if not candidates and not is_free:
        return "PASS: there is no candidate"
    names = [format_vertex(point) for point in (position.legal_points(colour) if is_free else candidates)]
    shown = ", ".join(names[:MOST_NAMED]) + (", …" if len(names) > MOST_NAMED else "")
    if not is_free:
        return f"one of {shown}"
    return f"PASS, or one of {shown}" if names else "PASS: there is no legal move"


def wrong_move(
    position: Position, colour: Colour, move: str, rules: PlayRules = REFERENCE_RULES
) -> Finding | None:
    """Return what is wrong with a genmove answer (a vertex in upper case, PASS or RESIGN); None if right.

    The position has the rules of the board; `rules` has what else the bot may do: pass, resign, fill an eye.
    Raises VertexError for a vertex off the board.
    """
    point = None if move in ("PASS", "RESIGN") else parse_vertex(move, position.size)
    if _is_right(position, colour, move, point, rules):
        return None
    candidates = position.candidates(colour)
    expected = _allowed_moves(position, colour, candidates, rules)
    if move == "RESIGN":
        return Finding("complete-games", expected, "a conforming bot plays to the end")
    if point is None:
        if all(position.is_surrounded(colour, candidate) for candidate in candidates):
            return Finding("eye", expected, "it passes and could play: these are false eyes")
        return Finding("no-early-pass", expected, "it passes and could play")
    match position.legality(colour, point):
        case "ko" | "superko":
            return Finding("superko", expected, "it brings an earlier board back")
        case "suicide":
            return Finding("no-suicide", expected, "it is suicide")
        case "occupied":
            return Finding("complete-games", expected, "a stone is there")
    return Finding("best-rate", expected, "it fills an own eye")
