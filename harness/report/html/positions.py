"""The position of a check, drawn: from its probe, or from the conversation that it held."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping

from markupsafe import Markup

from harness.check.model import Result
from harness.check.procedures.search import Series
from harness.go import Point
from harness.gtp import VertexError, parse_vertex
from harness.report.html.board import board_picture
from harness.report.html.replayed import replayed

VERTEX = re.compile(r"\b[A-HJ-Z][1-9]\d?\b")
MOST_WANTED = 12
MOST_MARKED = 3
"""Moves of a bot that are marked on a board, those chosen most often."""


def drawn_position(result: Result, series: Mapping[str, Series]) -> tuple[Markup, str]:
    """The board of a check and a sentence about it; two empty texts for a check without a position."""
    plan = result.observed_by.procedure.search_plan
    if plan is None:
        drawn_in_words = "\n" in result.judgement.observed.strip()  # the position at the violation itself
        return (Markup(""), "") if drawn_in_words else _from_log(result)
    probe = plan.probe
    made = series.get(probe.id)
    marked = _chosen(made)
    wanted = vertices_in(result.judgement.expected, probe.size)
    where = f"{probe.occasion}."
    if marked:
        where += " Rings mark where the bot moved most often."
    if wanted:
        where += " Squares mark what is expected."
    moves = probe.position.moves
    last = moves[-1].point if probe.tail and moves else None
    title = f"Position of {result.check.id}: {probe.occasion}"
    stones = probe.position.stones()
    return board_picture(probe.size, stones, title, marked=marked, wanted=wanted, last=last), where


def _from_log(result: Result) -> tuple[Markup, str]:
    end = replayed(result.transcript)
    if end is None:
        return Markup(""), ""
    where = "The position at the end of the conversation."
    if end.last is not None:
        where += " A dot marks the last move."
    if end.refused:
        where += " A ring marks a move that the rules forbid."
    wanted = vertices_in(result.judgement.expected, end.position.size)
    if wanted:
        where += " Squares mark what is expected."
    title = f"Position of {result.check.id} at the end of the conversation"
    stones, size = end.position.stones(), end.position.size
    return board_picture(size, stones, title, marked=end.refused, wanted=wanted, last=end.last), where


def _chosen(series: Series | None) -> list[Point]:
    if series is None:
        return []
    counted = Counter(search.move for search in series.searches)
    points = (point_at(move, series.probe.size) for move, _ in counted.most_common(MOST_MARKED))
    return [point for point in points if point is not None]


def vertices_in(text: str, size: int) -> list[Point]:
    """The points that a sentence names, such as "G1 or H3"; at most as many as a board shows clearly."""
    points = (point_at(word, size) for word in dict.fromkeys(VERTEX.findall(text)))
    return [point for point in points if point is not None][:MOST_WANTED]


def point_at(move: str, size: int) -> Point | None:
    """The point of a move; None for a pass, a resignation, or what is no point of the board."""
    try:
        return parse_vertex(move, size)
    except VertexError:
        return None
