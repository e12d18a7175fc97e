"""The position of a check, drawn: from its probe, or from the conversation that it held."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from markupsafe import Markup

from harness.checks.model import Result
from harness.checks.procedures.search import Series
from harness.go import Point
from harness.gtp import VertexError, parse_vertex
from harness.report.html.board import board_picture
from harness.report.html.replayed import replayed

MOST_MARKED = 3
"""Moves of a bot that are marked on a board, those chosen most often."""


def drawn_position(result: Result, series: Mapping[str, Series]) -> tuple[Markup, str]:
    """The board of a check and a sentence about it; two empty texts for a check without a position."""
    plan = result.check.procedure.search_plan
    if plan is None:
        return _from_log(result)
    probe = plan.probe
    made = series.get(probe.id)
    marked = _chosen(made)
    where = f"{probe.occasion}."
    if marked:
        where += " Rings mark where the bot moved most often."
    moves = probe.position.moves
    last = moves[-1].point if probe.tail and moves else None
    title = f"Position of {result.check.id}: {probe.occasion}"
    return board_picture(probe.size, probe.position.stones(), title, marked=marked, last=last), where


def _from_log(result: Result) -> tuple[Markup, str]:
    end = replayed(result.transcript)
    if end is None:
        return Markup(""), ""
    where = "The position at the end of the conversation."
    if end.last is not None:
        where += " A dot marks the last move."
    if end.refused:
        where += " A ring marks a move that the rules forbid."
    title = f"Position of {result.check.id} at the end of the conversation"
    stones = end.position.stones()
    return board_picture(end.position.size, stones, title, marked=end.refused, last=end.last), where


def _chosen(series: Series | None) -> list[Point]:
    if series is None:
        return []
    counted = Counter(search.move for search in series.searches)
    points = (point_at(move, series.probe.size) for move, _ in counted.most_common(MOST_MARKED))
    return [point for point in points if point is not None]


def point_at(move: str, size: int) -> Point | None:
    """The point of a move; None for a pass, a resignation, or what is no point of the board."""
    try:
        return parse_vertex(move, size)
    except VertexError:
        return None
