"""Judges of playouts that the move cap cuts short."""

from __future__ import annotations

import math

from harness.check.judges.moments import judge_moments
from harness.check.model import Judgement, Outcome
from harness.check.procedures.search import Series, SeriesJudge
from harness.oracle.expected import Expected

CERTAIN_ERRORS = 7.0
"""Standard errors by which a mean of a right bot is never off: a chance of 3e-12."""

WIDE = 3.0
"""Moves by which a mean may be off in any case; chosen: the readings lie far apart."""

NATURAL = 6
"""Moves of a playout from the four neutral points that no cap cuts short."""


def judge_cap(either: bool, natural: int = NATURAL) -> SeriesJudge:
    """Judge whether playouts have the length that the cap allows; `either`: or the `natural` length."""

    def judge(series: Series, expected: Expected) -> Judgement:
        lengths = {(search.nodes or 0) / series.playouts for search in series.searches}
        readings = {expected.mean_length: "the cap counts from the start of the game"}
        if either:
            readings[natural] = "the cap counts from the start of the playout"
        seen = ", ".join(f"{length:g} moves a playout" for length in sorted(lengths))
        wanted = " or ".join(f"{length:g} ({meaning})" for length, meaning in readings.items())
        right = len(lengths) == 1 and lengths <= set(readings)
        named = f": {readings[lengths.pop()]}" if right else ""
        return Judgement(Outcome.PASS if right else Outcome.FAIL, wanted, seen + named)

    return judge


def judge_mixed_cap(natural: float, sd: float) -> SeriesJudge:
    """Judge whether the cap counts all moves of a game of stones and passes, or none of them.

    `natural` and `sd` are the length of a playout that no cap cuts short. A bot that counts the stones alone
    plays fewer moves than that, and more than one that counts all.
    """

    def judge(series: Series, expected: Expected) -> Judgement:
        nodes = [search.nodes or 0 for search in series.searches]
        length = sum(nodes) / series.playouts / len(nodes)
        error = max(WIDE, CERTAIN_ERRORS * sd / math.sqrt(series.playouts * len(nodes)))
        readings = {expected.mean_length: "all moves of the game count", natural: "none of them counts"}
        wanted = " or ".join(f"{value:g} ({meaning})" for value, meaning in readings.items())
        right = length == expected.mean_length or abs(length - natural) < error
        outcome = Outcome.PASS if right else Outcome.FAIL
        return Judgement(outcome, f"{wanted} moves a playout", f"{length:.2f} moves a playout")

    return judge


def judge_single_moves(margin: float) -> SeriesJudge:
    """The mean result of playouts of one move; nothing to judge for a bot that counts the cap otherwise."""
    return of_single_moves(judge_moments(result_margin=margin, lengths=False))


def of_single_moves(judge_result: SeriesJudge) -> SeriesJudge:
    """A judge of results that has nothing to say where playouts are longer than one move."""

    def judge(series: Series, expected: Expected) -> Judgement:
        if any(search.nodes != series.playouts for search in series.searches):
            return Judgement(Outcome.SKIP, observed="the bot does not count the game's moves towards the cap")
        return judge_result(series, expected)

    return judge
