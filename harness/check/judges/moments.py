"""Judges the mean length and the mean result of playouts, from the searches of one position.

A search that no conforming bot can make is proof. Otherwise the judge returns a p-value that is valid after
every search, and the error budget over all checks decides which checks fail. Where every conforming playout
has the same length and result, it returns a pass without a p-value.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from harness.check.model import Judgement, Outcome
from harness.check.procedures.expectation import ROUNDING
from harness.check.procedures.search import Series, SeriesJudge
from harness.oracle.expected import Expected
from harness.stats import MeanEvidence, Reference, judge_mean, playouts_needed

BETA = 0.05
"""Largest chance that a bot that deviates by the margin passes; chosen, see docs/statistics.md."""

REFUSED = 1e-5
"""P-value that is certainly refused, whatever its part of the error budget. Chosen: the budget of a run
(0.001), shared by a hundred tests, more than a run has."""

CERTAIN_ERRORS = 7.0
"""Limit of the deviation of a mean, in standard errors: a right bot exceeds it with a chance of 3e-12."""


def length_reference(expected: Expected) -> Reference:
    """Return the mean length of a playout that is expected, with its spread and the other moments."""
    return Reference(
        expected.mean_length,
        expected.sd_length,
        expected.se_length,
        skew=expected.skew_length,
        kurtosis=expected.excess_kurtosis_length,
    )


def result_reference(expected: Expected) -> Reference:
    """Return the expected distribution of playout results, with the shape of wins and losses."""
    if expected.certain_result:
        return Reference(expected.mean_result, 0.0)
    p, sd = expected.mean_result, expected.sd_result
    return Reference(p, sd, expected.se_result, skew=(1 - 2 * p) / sd, kurtosis=max(0.0, 1 / sd**2 - 6))


class _Moment(NamedTuple):
    """The mean of one statistic at a probe: what is expected, and what the bot reported.

    name     length or result
    wanted   the expected mean in words; `seen`: the reported mean in words
    totals   sum of the statistic over the playouts of each search
    margin   largest deviation that counts as none, in the unit of the statistic
    reach    largest possible deviation
    """

    name: str
    wanted: str
    seen: str
    reference: Reference
    totals: Sequence[float]
    margin: float
    reach: float = math.inf

    def evidence(self, playouts: int) -> MeanEvidence:
        """Compare the mean of the searches, of `playouts` playouts each, with the reference."""
        return judge_mean(self.totals, playouts, self.reference, margin=self.margin, reach=self.reach)

    def further_playouts(self, mean: MeanEvidence, playouts: int) -> float:
        """Estimate the further playouts that decide the check; infinite if none do."""
        return playouts_needed(mean, self.reference, alpha=REFUSED, beta=BETA, playouts=playouts).likely


def judge_moments(
    length_margin: float = 0.05, result_margin: float = 0.05, *, lengths: bool = True, results: bool = True
) -> SeriesJudge:
    """Make a judge that compares mean length and mean result of playouts with the expected means.

    Margins are in standard deviations of one playout: a smaller deviation counts as none.
    """

    def judge(series: Series, expected: Expected) -> Judgement:
        factor, means = series.effort.margin_factor, _observed_means(series)
        moments = []
        if lengths:
            moments.append(_length(series, expected, means["mean_length"], length_margin * factor))
        if results:
            moments.append(_result(series, expected, means["mean_result"], result_margin * factor))
        wanted = "; ".join(moment.wanted for moment in moments)
        if series.passed_unsearched:
            return Judgement(Outcome.SKIP, wanted, "the bot does not search where it can only pass")
        seen = "; ".join(moment.seen for moment in moments)
        seen += f" over {len(series.searches)} x {series.playouts} playouts"
        if _is_impossible(series, expected, lengths, results):
            fewer = _fewer_playouts_text(series, expected) if lengths else ""
            return Judgement(Outcome.FAIL, wanted, seen + fewer, numbers=means)
        judgement = Judgement(Outcome.PASS, wanted, seen, numbers=means)
        uncertain = [moment for moment in moments if not moment.reference.exact]
        return _judge_means(judgement, uncertain, series.playouts) if uncertain else judgement

    return judge


def _length(series: Series, expected: Expected, mean: float, margin: float) -> _Moment:
    """Return what is compared about lengths; `margin` in standard deviations, `mean` only to be shown."""
    return _Moment(
        "length",
        f"{expected.mean_length:.3f} moves a playout" + ", exactly" * expected.certain_length,
        f"{mean:.3f} moves a playout",
        length_reference(expected),
        [float(search.nodes or 0) for search in series.searches],
        margin * expected.sd_length,
    )


def _result(series: Series, expected: Expected, mean: float, margin: float) -> _Moment:
    """Return what is compared about results; `margin` in standard deviations, `mean` only to be shown."""
    return _Moment(
        "result",
        f"score {expected.mean_result:.4f}" + ", exactly" * expected.certain_result,
        f"score {mean:.4f}",
        result_reference(expected),
        [(search.score or 0.0) * series.playouts for search in series.searches],
        margin * expected.sd_result,
        reach=1.0,
    )


def _judge_means(judgement: Judgement, moments: Sequence[_Moment], playouts: int) -> Judgement:
    """Add the p-value of all means to the judgement; pass once each mean is shown to be in its margin."""
    means = [moment.evidence(playouts) for moment in moments]
    p_value = min(1.0, len(means) * min(mean.p_value for mean in means))  # Bonferroni
    proved = all(mean.equivalence_p <= BETA for mean in means)
    more = max(moment.further_playouts(mean, playouts) for moment, mean in zip(moments, means, strict=True))
    numbers = {**judgement.numbers, "p_value": p_value}
    for moment, mean in zip(moments, means, strict=True):
        for number in ("deviation", "low", "high", "margin", "proved_margin"):
            numbers[f"{moment.name}_{number}"] = getattr(mean, number)
    return replace(
        judgement,
        outcome=Outcome.PASS if proved else Outcome.INCONCLUSIVE,
        numbers=finite(numbers),
        p_value=p_value,
        playouts_needed=math.ceil(more) if not proved and math.isfinite(more) else None,
    )


def _is_impossible(series: Series, expected: Expected, lengths: bool, results: bool) -> bool:
    """Return whether a search has a length or a result that no conforming search can have."""
    least, most = series.playouts * expected.shortest, series.playouts * expected.longest
    if lengths and not all(least <= (search.nodes or 0) <= most for search in series.searches):
        return True
    errors = (abs((search.score or 0.0) - expected.mean_result) for search in series.searches)
    return results and expected.certain_result and any(error > ROUNDING for error in errors)


def _fewer_playouts_text(series: Series, expected: Expected) -> str:
    """Return words for searches whose number of moves is exactly that of fewer right playouts; else empty."""
    totals = {search.nodes or 0 for search in series.searches}
    if len(totals) != 1 or not expected.certain_length:
        return ""
    (nodes,), length = totals, round(expected.mean_length)
    if nodes % length or not 0 < nodes < series.playouts * length:
        return ""
    return f" ({nodes} moves, as of {nodes // length} right playouts)"


def _observed_means(series: Series) -> dict[str, float]:
    """Return the means that the bot reports, with the numbers of searches and playouts behind them."""
    made = len(series.searches)
    nodes = math.fsum((search.nodes or 0) / series.playouts for search in series.searches)
    return {
        "searches": float(made),
        "playouts": float(made * series.playouts),
        "mean_length": nodes / max(1, made),
        "mean_result": math.fsum(search.score or 0.0 for search in series.searches) / max(1, made),
    }


def finite(numbers: dict[str, float]) -> dict[str, float]:
    """Return the named numbers without those that are infinite or NaN, which JSON does not know."""
    return {name: value for name, value in numbers.items() if math.isfinite(value)}
