"""Judges of playout lengths and results: pure functions from the searches of one position to a judgement.

If every conforming playout gives the same value, one search is proof. Otherwise the judge returns a p-value
that is valid after every search, and the error budget over all checks decides which checks fail. The judges
of the move cap need no budget: they fail a mean that is `CERTAIN_ERRORS` standard errors off.
"""

from __future__ import annotations

import math
from dataclasses import replace
from functools import lru_cache
from statistics import NormalDist

import numpy as np

from harness.check.effort import Effort
from harness.check.model import Judgement, Outcome
from harness.check.procedures.probe import Probe
from harness.check.procedures.search import NeededSearches, Series, SeriesJudge, ShownFault
from harness.oracle.expected import Expected
from harness.stats import (
    MeanEvidence,
    Reference,
    judge_dispersion,
    judge_mean,
    judge_repeats,
    judge_serial,
    normal_likeliest,
    playouts_needed,
)

BETA = 0.05
"""Chance that a bot passes a check though it deviates by the margin; chosen, see docs/statistics.md."""

SCORE_TOLERANCE = 0.0005
"""Rounding error of a printed score: bots print three decimals or more."""


def length_reference(expected: Expected) -> Reference:
    """Return the expected distribution of playout lengths."""
    return Reference(
        expected.mean_length,
        expected.sd_length,
        expected.se_length,
        skew=expected.skew_length,
        kurtosis=expected.kurtosis_length,
    )


def result_reference(expected: Expected) -> Reference:
    """Return the expected distribution of playout results, with the shape of wins and losses."""
    if expected.certain_result:
        return Reference(expected.mean_result, 0.0)
    p, sd = expected.mean_result, expected.sd_result
    return Reference(p, sd, expected.se_result, skew=(1 - 2 * p) / sd, kurtosis=max(0.0, 1 / sd**2 - 6))


def judge_moments(
    length_margin: float = 0.05, result_margin: float = 0.05, *, lengths: bool = True, results: bool = True
) -> SeriesJudge:
    """Make a judge that compares mean length and mean result of playouts with the expected means.

    Margins are in standard deviations of one playout: a smaller deviation counts as none.
    """

    def judge(series: Series, expected: Expected) -> Judgement:
        sums, playouts, factor = _sums(series), series.playouts, series.effort.margin_factor
        wanted, seen = [], []
        evidence: list[tuple[str, Reference, MeanEvidence]] = []
        if lengths:
            wanted.append(
                f"{expected.mean_length:.3f} moves a playout" + ", exactly" * expected.certain_length
            )
            seen.append(f"{sums['mean_length']:.3f} moves a playout")
        if results:
            exactly = ", exactly" if expected.certain_result else ""
            wanted.append(f"score {expected.mean_result:.4f}{exactly}")
            seen.append(f"score {sums['mean_result']:.4f}")
        expectation = "; ".join(wanted)
        if series.passed_unsearched:
            return Judgement(Outcome.SKIP, expectation, "the bot does not search where it can only pass")
        observed = f"{'; '.join(seen)} over {len(series.searches)} x {playouts} playouts"
        if _is_impossible(series, expected, lengths, results):
            fewer = _as_fewer_playouts(series, expected) if lengths else ""
            return Judgement(Outcome.FAIL, expectation, observed + fewer, numbers=sums)
        if lengths and not expected.certain_length:
            reference = length_reference(expected)
            nodes = [float(search.nodes or 0) for search in series.searches]
            margin = length_margin * factor * expected.sd_length
            evidence.append(("length", reference, judge_mean(nodes, playouts, reference, margin=margin)))
        if results and not expected.certain_result:
            reference = result_reference(expected)
            wins = [(search.score or 0.0) * playouts for search in series.searches]
            margin = result_margin * factor * expected.sd_result
            judged = judge_mean(wins, playouts, reference, margin=margin, reach=1.0)
            evidence.append(("result", reference, judged))
        if not evidence:
            return Judgement(Outcome.PASS, expectation, observed, numbers=sums)
        return _judge_means(playouts, Judgement(Outcome.PASS, expectation, observed, numbers=sums), evidence)

    return judge


def _judge_means(
    playouts: int, judgement: Judgement, evidence: list[tuple[str, Reference, MeanEvidence]]
) -> Judgement:
    """Add the p-value of all means to the judgement; pass once each mean is shown to be in its margin."""
    p_value = min(1.0, len(evidence) * min(mean.p_value for _, _, mean in evidence))
    proved = all(mean.equivalence_p <= BETA for _, _, mean in evidence)
    more = max(
        playouts_needed(mean, reference, alpha=1e-5, beta=BETA, playouts=playouts).likely
        for _, reference, mean in evidence
    )
    numbers = {**judgement.numbers, "p_value": p_value}
    for name, _, mean in evidence:
        for number in ("deviation", "low", "high", "margin", "proved_margin"):
            numbers[f"{name}_{number}"] = getattr(mean, number)
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
    return results and expected.certain_result and any(error > SCORE_TOLERANCE for error in errors)


def _as_fewer_playouts(series: Series, expected: Expected) -> str:
    """Return words for searches whose number of moves is exactly that of fewer right playouts."""
    counted = {search.nodes for search in series.searches}
    nodes, length = counted.pop() or 0, round(expected.mean_length)
    if counted or not expected.certain_length or nodes % length or not 0 < nodes < series.playouts * length:
        return ""
    return f" ({nodes} moves, as of {nodes // length} right playouts)"


def _sums(series: Series) -> dict[str, float]:
    made = len(series.searches)
    nodes = math.fsum((search.nodes or 0) / series.playouts for search in series.searches)
    return {
        "searches": float(made),
        "playouts": float(made * series.playouts),
        "mean_length": nodes / max(1, made),
        "mean_result": math.fsum(search.score or 0.0 for search in series.searches) / max(1, made),
    }


def finite(numbers: dict[str, float]) -> dict[str, float]:
    """Return the numbers without infinities and NaN, which JSON does not know."""
    return {name: value for name, value in numbers.items() if math.isfinite(value)}


HUNDREDTHS = 100
"""A score of two decimals is a multiple of 1 / HUNDREDTHS."""

ROUNDING = 0.0005
"""Rounding error of a score with three decimals."""

MOST_COARSE = 0.7
"""Most scores that are multiples of a hundredth for which scores are judged; chosen: more take too long."""

REFUSED = 1e-5
"""P-value that is certainly refused, whatever its part of the error budget. Chosen: the budget of a run
(0.001), shared by a hundred tests, more than a run has."""

MOST_SUMMED = 100_000
"""Most playouts for which the law of a score is computed; chosen: with more, it has a thousand steps or more
between two scores of three decimals."""


def judge_decimals(series: Series, expected: Expected) -> Judgement:
    """Judge whether scores have three decimals: those of a right bot are rarely all multiples of 0.01.

    Skip if a right bot's often are, or if the bot has other results: these may be multiples of 0.01 by right.
    """
    scores = [search.score for search in series.searches if search.score is not None]
    coarse = [score for score in scores if abs(HUNDREDTHS * score - round(HUNDREDTHS * score)) < 1e-9]
    wanted = "at least three decimals"
    seen = ", ".join(f"{score:.9g}" for score in scores[:4])
    p_value = 1.0
    chance = chance_of_two_decimals(series.playouts, expected)
    if chance > MOST_COARSE:
        reason = f"the scores of {series.playouts} playouts seldom need a third decimal here"
        return Judgement(Outcome.SKIP, wanted, reason)
    error = CERTAIN_ERRORS * expected.sd_result / math.sqrt(max(1, len(scores)) * series.playouts)
    if scores and abs(math.fsum(scores) / len(scores) - expected.mean_result) > 1 / HUNDREDTHS + error:
        return Judgement(Outcome.SKIP, wanted, "the scores are wrong, as another check reports")
    if scores and len(coarse) == len(scores):
        p_value = chance ** len(scores)
    return Judgement(Outcome.PASS, wanted, seen, numbers={"p_value": p_value}, p_value=p_value)


@lru_cache
def chance_of_two_decimals(playouts: int, expected: Expected) -> float:
    """Return the chance that a mean, printed with three decimals, is a multiple of 0.01.

    The results of one playout are a loss, a draw and a win, with the shares that give the expected mean and
    variance. The law of their sum is computed by a Fourier transform, in half wins, or is Normal where there
    are so many that their steps do not matter.
    """
    mean = expected.mean_result
    if playouts > MOST_SUMMED:
        spread = NormalDist(mean, expected.sd_result / math.sqrt(playouts))
        steps = [step / HUNDREDTHS for step in range(HUNDREDTHS + 1)]
        return min(1.0, sum(spread.cdf(step + ROUNDING) - spread.cdf(step - ROUNDING) for step in steps))
    draw = max(0.0, 4.0 * (mean * (1.0 - mean) - expected.sd_result**2))
    win = mean - draw / 2.0
    size = 2 * playouts + 1
    law = np.zeros(size)
    law[:3] = 1.0 - win - draw, draw, win
    chances = np.fft.irfft(np.fft.rfft(law) ** (size // 2), size)
    hundredths = np.arange(size) / (size - 1) * HUNDREDTHS
    off = abs(hundredths - np.round(hundredths)) / HUNDREDTHS
    return min(1.0, max(0.0, float(chances[off < ROUNDING + 1e-9].sum())))


def shows_decimals(probe: Probe) -> ShownFault:
    """Return a predicate: whether scores of two decimals show at a probe, with a number of playouts."""

    def shows(_fault: str, playouts: int, _effort: Effort) -> bool:
        return chance_of_two_decimals(playouts, probe.expected) <= MOST_COARSE

    return shows


def searches_for_decimals(probe: Probe) -> NeededSearches:
    """Return how many searches show a score of two decimals, by the number of playouts; 0 if none does."""

    def needed(playouts: int, effort: Effort) -> int:
        chance = chance_of_two_decimals(playouts, probe.expected)
        return 0 if chance > MOST_COARSE else math.ceil(math.log(REFUSED) / math.log(chance))

    return needed


LEAST_SPREAD_SEARCHES = 10
"""Least number of searches to judge their dispersion; chosen: the variance of fewer says little."""


def judge_spread_of_nodes(series: Series, expected: Expected) -> Judgement:
    """Judge whether `ref-nodes` of repeated searches varies as it does for independent playouts.

    Two tests: the variance is neither too small nor too large, and neighbouring searches are not correlated.
    """
    totals = [float(search.nodes or 0) for search in series.searches]
    return _judge_spread(series, totals, length_reference(expected), "moves")


def judge_spread_of_results(series: Series, expected: Expected) -> Judgement:
    """Judge the numbers of won playouts by the tests of `judge_spread_of_nodes`."""
    totals = [(search.score or 0.0) * series.playouts for search in series.searches]
    return _judge_spread(series, totals, result_reference(expected), "wins")


def _judge_spread(series: Series, totals: list[float], reference: Reference, unit: str) -> Judgement:
    wanted = f"searches that differ by {reference.sd * math.sqrt(series.playouts):.0f} {unit} (sd)"
    if len(totals) < LEAST_SPREAD_SEARCHES:
        return Judgement(Outcome.INCONCLUSIVE, wanted, f"{len(totals)} searches", p_value=1.0)
    spread = judge_dispersion(totals, series.playouts, reference)
    serial = judge_serial(totals, series.playouts, reference)
    p_value = min(1.0, 3 * min(spread.narrow_p, spread.wide_p, serial.p_value))
    seen = (
        f"{spread.ratio:.2f} times the expected one over {len(totals)} searches, "
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


CERTAIN_ERRORS = 7.0
"""Limit of the deviation of a mean, in standard errors: a right bot exceeds it with a chance of 3e-12."""

LEAST_TOLERANCE = 3.0
"""Least deviation of a mean that is allowed, in moves;
chosen: the readings of `judge_mixed_cap` lie much further apart."""

UNCAPPED_LENGTH = 6
"""Moves of a playout from the position with four neutral points, if no move cap ends it."""


def judge_cap(either: bool, natural: int = UNCAPPED_LENGTH) -> SeriesJudge:
    """Make a judge of playout lengths near the move cap: a cap on all moves of the game must end playouts.

    With `either`, the cap may count the moves of the playout alone: lengths are then `natural` moves.
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
    """Judge whether a cap ends all playouts: then each has the same length, shorter than expected."""
    lengths = [(search.nodes or 0) / series.playouts for search in series.searches]
    wanted = f"{expected.mean_length:.1f} moves a playout (sd {expected.sd_length:.1f})"
    seen = ", ".join(f"{length:g}" for length in sorted(set(lengths))[:4]) + " moves a playout"
    error = CERTAIN_ERRORS * expected.sd_length / math.sqrt(series.playouts)
    alike = len(set(lengths)) == 1 and lengths[0].is_integer() and lengths[0] < expected.mean_length - error
    observed = f"{seen} in each of {len(lengths)} searches" if alike else seen
    return Judgement(Outcome.FAIL if alike else Outcome.PASS, wanted, observed)


def judge_mixed_cap(natural: float, sd: float) -> SeriesJudge:
    """Make a judge whether the move cap counts all moves of the game before the search, or none of them.

    `natural` and `sd` are mean and standard deviation of the length without a cap. A bot that counts the
    stones and not the passes has a length between the two readings.
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
    """Make a judge of the mean result of playouts of one move; it skips other playouts."""
    return of_single_moves(judge_moments(result_margin=margin, lengths=False))


def of_single_moves(judge_result: SeriesJudge) -> SeriesJudge:
    """Make a judge that skips the check if playouts are longer than one move, else calls `judge_result`."""

    def judge(series: Series, expected: Expected) -> Judgement:
        if any(search.nodes != series.playouts for search in series.searches):
            return Judgement(Outcome.SKIP, observed="the bot does not count the game's moves towards the cap")
        return judge_result(series, expected)

    return judge
