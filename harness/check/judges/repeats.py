"""Judges of repeated searches of one position: they differ by as much as independent playouts do."""

from __future__ import annotations

import math
from dataclasses import replace

from harness.check.judges.decimals import printed_step, rounding_variance
from harness.check.judges.moments import finite, length_reference, result_reference
from harness.check.model import Judgement, Outcome
from harness.check.procedures.search import Series
from harness.oracle.expected import Expected
from harness.stats import Reference, judge_dispersion, judge_repeats, judge_serial, normal_likeliest

LEAST_SPREAD_SEARCHES = 10
"""Least number of searches to judge their dispersion; chosen: the variance of fewer says little."""

COARSEST = 2.0
"""The variance of scores is not judged if the step from one printed score to the next is larger than this
number of standard deviations of a search's score. Chosen: up to there, the density of rounding errors is
within two percent of uniform (2 e^(−2π²/COARSEST²), twice the first Fourier coefficient of a Normal
distribution)."""


def judge_spread_of_nodes(series: Series, expected: Expected) -> Judgement:
    """Judge whether `ref-nodes` of repeated searches varies as it does for independent playouts.

    The variance must be neither too small nor too large, and neighbouring searches must not be correlated.
    """
    totals = [float(search.nodes or 0) for search in series.searches]
    return _judge_spread(series, totals, length_reference(expected), "moves")


def judge_spread_of_results(series: Series, expected: Expected) -> Judgement:
    """Judge the numbers of won playouts by the tests of `judge_spread_of_nodes`.

    They are computed from scores that the bot may have rounded; the expected variance includes the rounding.
    Skip if the step from one printed score to the next hides how much scores differ (COARSEST).
    """
    scores = [search.score or 0.0 for search in series.searches]
    playouts, reference, step = series.playouts, result_reference(expected), printed_step(scores)
    if step > COARSEST * reference.sd / math.sqrt(playouts):
        reason = f"scores of {playouts} playouts need more decimals than are printed to show how they differ"
        return Judgement(Outcome.SKIP, observed=reason)
    rounded = replace(reference, sd=math.sqrt(reference.sd**2 + rounding_variance(step, playouts)))
    totals = [score * playouts for score in scores]
    return _judge_spread(series, totals, rounded, "wins", max(1.0, step * playouts))


def _judge_spread(
    series: Series, totals: list[float], reference: Reference, unit: str, step: float = 1.0
) -> Judgement:
    """Judge the dispersion and the correlation of the totals of the searches, one total (in `unit`) a search.

    step   distance between possible totals
    """
    sd = reference.sd * math.sqrt(series.playouts)
    wanted = f"searches that differ by {sd:.{0 if sd >= 10.0 else 1}f} {unit} (sd)"
    if len(totals) < LEAST_SPREAD_SEARCHES:
        return Judgement(Outcome.INCONCLUSIVE, wanted, f"{len(totals)} searches", p_value=1.0)
    spread = judge_dispersion(totals, series.playouts, reference, step=step)
    serial = judge_serial(totals, series.playouts, reference, step=step)
    p_value = min(1.0, 3 * min(spread.narrow_p, spread.wide_p, serial.p_value))  # Bonferroni
    seen = (
        f"{spread.ratio:.2f} times this sd over {len(totals)} searches, "
        f"correlation of neighbours {serial.correlation:+z.2f}"
    )
    numbers = {"ratio": spread.ratio, "correlation": serial.correlation, "p_value": p_value}
    return Judgement(Outcome.PASS, wanted, seen, numbers=finite(numbers), p_value=p_value)


def judge_fresh(series: Series, expected: Expected) -> Judgement:
    """Judge whether searches repeat each other more often than chance lets them."""
    answers = [(search.nodes, search.score) for search in series.searches]
    evidence = judge_repeats(answers, normal_likeliest(expected.sd_length, series.playouts))
    seen = f"{evidence.repeats} of {evidence.searches} searches have the numbers of an earlier one"
    return Judgement(
        Outcome.PASS,
        "searches of one position that differ",
        seen,
        numbers={"repeats": float(evidence.repeats), "p_value": evidence.p_value},
        p_value=evidence.p_value,
    )
