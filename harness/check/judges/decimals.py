"""The judge of the decimals of scores: a right bot prints at least three."""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import lru_cache
from statistics import NormalDist

import numpy as np

from harness.check.effort import Effort
from harness.check.judges.moments import CERTAIN_ERRORS, REFUSED
from harness.check.model import Judgement, Outcome
from harness.check.procedures.expectation import ROUNDING
from harness.check.procedures.probe import Probe
from harness.check.procedures.search import NeededSearches, Series, ShownFault
from harness.oracle.expected import Expected

HUNDREDTHS = 100
"""A score of two decimals is a multiple of 1 / HUNDREDTHS."""

MOST_COARSE = 0.7
"""Scores are judged if a right bot's score is a multiple of 0.01 with at most this chance. Chosen: above it,
a verdict takes too many searches."""

MOST_SUMMED = 100_000
"""Most playouts for which the distribution of a score is computed. Chosen: with more playouts, a hundred or
more scores are possible between two scores of three decimals, and a Normal distribution serves."""

LEAST_CHANCE = 1e-12
"""Least chance that is computed. Chosen: above the errors of Fourier transforms, which may make a smaller
chance 0, and small enough that one score refuses a bot."""

SCORES_SHOWN = 4
"""Number of scores that a report shows."""

FEWEST_DECIMALS, MOST_DECIMALS = 2, 6
"""Least and greatest number of decimals that `printed_step` assumes of a bot. Chosen: a bot that repeats its
playouts may always report 0.5, which does not show that it prints one decimal; and six decimals show every
result of a million playouts."""

TINY = 1e-9
"""Greatest distance of equal numbers. Chosen: far above the errors of floating-point numbers near 100, and
far below a digit of a score."""


def judge_decimals(series: Series, expected: Expected) -> Judgement:
    """Judge whether scores have three decimals: those of a right bot are rarely all multiples of 0.01.

    The judgement is a pass with a p-value, by which the error budget may refuse the bot.

    Skip if the scores of a right bot often are multiples of 0.01, or if the mean score is wrong: such scores
    may be multiples of 0.01, and another check reports the wrong mean.
    """
    wanted = "at least three decimals"
    scores = [search.score for search in series.searches if search.score is not None]
    chance = chance_of_two_decimals(series.playouts, expected)
    if chance > MOST_COARSE:
        reason = f"the scores of {series.playouts} playouts seldom need a third decimal here"
        return Judgement(Outcome.SKIP, wanted, reason)
    if scores and _is_wrong_mean(scores, series.playouts, expected):
        return Judgement(Outcome.SKIP, wanted, "the scores are wrong, as another check reports")
    all_coarse = bool(scores) and all(map(_has_two_decimals, scores))
    p_value = chance ** len(scores) if all_coarse else 1.0
    seen = ", ".join(f"{score:.9g}" for score in scores[:SCORES_SHOWN])
    return Judgement(Outcome.PASS, wanted, seen, numbers={"p_value": p_value}, p_value=p_value)


def printed_step(scores: Iterable[float]) -> float:
    """Return the distance between numbers of as many decimals as the scores have: 0.001 for 0.5 and 0.253.

    The number of decimals is taken to be from FEWEST_DECIMALS (also without scores) to MOST_DECIMALS.
    """
    places = MOST_DECIMALS
    rounded = np.rint(np.fromiter(scores, dtype=np.float64) * 10**places).astype(np.int64)
    while places > FEWEST_DECIMALS and not (rounded % 10).any():
        places, rounded = places - 1, rounded // 10
    return float(10.0**-places)


def rounding_variance(step: float, playouts: int) -> float:
    """Return what rounding adds to the variance of scores, times the number of playouts of a search.

    step   distance between printed scores, see `printed_step`

    The variance of a uniform rounding error is step²/12. It is taken as 0 for a step of at most 1 /
    `playouts`: rounding then changes the variance of a score little, or not at all.
    """
    return step**2 / 12.0 * playouts if step * playouts > 1.0 else 0.0


def _has_two_decimals(score: float) -> bool:
    hundredths = HUNDREDTHS * score
    return abs(hundredths - round(hundredths)) < TINY


def _is_wrong_mean(scores: list[float], playouts: int, expected: Expected) -> bool:
    """Return whether the mean is further off than chance and two decimals explain."""
    chance_error = CERTAIN_ERRORS * expected.sd_result / math.sqrt(len(scores) * playouts)
    return abs(math.fsum(scores) / len(scores) - expected.mean_result) > 1 / HUNDREDTHS + chance_error


@lru_cache
def chance_of_two_decimals(playouts: int, expected: Expected) -> float:
    """Return the chance that a right mean, printed with three decimals, is a multiple of 0.01.

    Each playout is lost, drawn or won. Its three chances give the expected mean and variance of a result.
    The chance is at least LEAST_CHANCE.
    """
    chance = _chance_by_normal if playouts > MOST_SUMMED else _chance_by_sum
    return min(1.0, max(LEAST_CHANCE, chance(playouts, expected)))


def _chance_by_sum(playouts: int, expected: Expected) -> float:
    """Compute the chance from the exact distribution of the number of half wins."""
    mean = expected.mean_result
    draw = max(0.0, 4.0 * (mean * (1.0 - mean) - expected.sd_result**2))
    win = mean - draw / 2.0
    sums = 2 * playouts + 1  # in half wins: from 0 to 2 * playouts
    one_playout = np.zeros(sums)
    one_playout[:3] = 1.0 - win - draw, draw, win
    # The distribution of a sum of independent results: their convolution, by Fourier transforms.
    chances = np.fft.irfft(np.fft.rfft(one_playout) ** playouts, sums)
    hundredths = np.arange(sums) / (sums - 1) * HUNDREDTHS
    off = abs(hundredths - np.round(hundredths)) / HUNDREDTHS
    return float(chances[off < ROUNDING + TINY].sum())


def _chance_by_normal(playouts: int, expected: Expected) -> float:
    """Compute the chance from a Normal distribution of the mean."""
    spread = NormalDist(expected.mean_result, expected.sd_result / math.sqrt(playouts))
    steps = [step / HUNDREDTHS for step in range(HUNDREDTHS + 1)]
    return sum(spread.cdf(step + ROUNDING) - spread.cdf(step - ROUNDING) for step in steps)


def shows_decimals(probe: Probe) -> ShownFault:
    """Return the predicate that is true at the numbers of playouts at which `judge_decimals` judges."""

    def shows(_fault: str, playouts: int, _effort: Effort) -> bool:
        return chance_of_two_decimals(playouts, probe.expected) <= MOST_COARSE

    return shows


def searches_for_decimals(probe: Probe) -> NeededSearches:
    """Return a function: the searches after which a bot with two decimals is refused; 0 if it never is."""

    def needed(playouts: int, effort: Effort) -> int:
        chance = chance_of_two_decimals(playouts, probe.expected)
        return 0 if chance > MOST_COARSE else math.ceil(math.log(REFUSED) / math.log(chance))

    return needed
