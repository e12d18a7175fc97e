"""Judges of searches near the move cap: which moves count towards it, and how the last board is scored.

Judges of lengths need no error budget: they fail a length that differs from a certain one, or a mean that is
`CERTAIN_ERRORS` standard errors off. `judge_single_moves` judges results, by the error budget.
"""

from __future__ import annotations

import math

from harness.check.judges.moments import CERTAIN_ERRORS, judge_moments
from harness.check.model import Judgement, Outcome
from harness.check.procedures.search import Series, SeriesJudge
from harness.oracle.expected import Expected

LEAST_TOLERANCE = 3.0
"""A mean length may always be off by this number of moves.
Chosen: the readings of `judge_mixed_cap` lie much further apart."""

LENGTHS_SHOWN = 4
"""Most lengths that a report of `judge_cut_alike` lists, the shortest ones; chosen."""

UNCAPPED_LENGTH = 6
"""Moves of a playout from the position with four neutral points, if no move cap ends it."""


def judge_cap(either: bool, natural: int = UNCAPPED_LENGTH) -> SeriesJudge:
    """Make a judge of playout lengths near the move cap: a cap on all moves of the game must end playouts.

    With `either`, the cap may also count the moves of the playout alone. Then it ends none: each playout has
    `natural` moves.
    """

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


def judge_cut_alike(series: Series, expected: Expected) -> Judgement:
    """Fail if a cap ends all playouts: all searches have the same mean length, a whole number, too short."""
    lengths = [(search.nodes or 0) / series.playouts for search in series.searches]
    wanted = f"{expected.mean_length:.1f} moves a playout (sd {expected.sd_length:.1f})"
    seen = ", ".join(f"{length:g}" for length in sorted(set(lengths))[:LENGTHS_SHOWN]) + " moves a playout"
    error = CERTAIN_ERRORS * expected.sd_length / math.sqrt(series.playouts)
    alike = len(set(lengths)) == 1 and lengths[0].is_integer() and lengths[0] < expected.mean_length - error
    observed = f"{seen} in each of {len(lengths)} searches" if alike else seen
    return Judgement(Outcome.FAIL if alike else Outcome.PASS, wanted, observed)


def judge_mixed_cap(natural: float, sd: float) -> SeriesJudge:
    """Make a judge of one rule: the move cap counts all moves of the game before the search, or none of them.

    `natural` and `sd` are mean and standard deviation of the length without a cap, in moves. A bot that
    counts the stones and not the passes has a length between those of the two readings.
    """

    def judge(series: Series, expected: Expected) -> Judgement:
        nodes = [search.nodes or 0 for search in series.searches]
        length = sum(nodes) / series.playouts / len(nodes)
        error = max(LEAST_TOLERANCE, CERTAIN_ERRORS * sd / math.sqrt(series.playouts * len(nodes)))
        readings = {expected.mean_length: "all moves of the game count", natural: "none of them counts"}
        wanted = " or ".join(f"{value:g} moves a playout if {meaning}" for value, meaning in readings.items())
        right = length == expected.mean_length or abs(length - natural) < error
        outcome = Outcome.PASS if right else Outcome.FAIL
        return Judgement(outcome, wanted, f"{length:.2f} moves a playout")

    return judge


def judge_single_moves(margin: float) -> SeriesJudge:
    """Make a judge of the mean result of playouts of one move; it skips the check for other playouts.

    margin   as `result_margin` of `judge_moments`
    """
    return skip_unless_single(judge_moments(result_margin=margin, lengths=False))


def skip_unless_single(judge_result: SeriesJudge) -> SeriesJudge:
    """Make a judge that calls `judge_result`, but skips unless `ref-nodes` shows one move a playout."""

    def judge(series: Series, expected: Expected) -> Judgement:
        other = next((one.nodes for one in series.searches if one.nodes != series.playouts), None)
        if other is not None:
            wanted = f"{series.playouts} playouts of one move each"
            return Judgement(Outcome.SKIP, observed=f"ref-nodes → {other} at the move cap, not {wanted}")
        return judge_result(series, expected)

    return judge
