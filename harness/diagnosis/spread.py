"""How much the searches of a bot differ from each other, relative to those of a right bot.

A right bot has a variance of 1. A bot that counts each playout twice has 2, because it averages half as many.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Iterator

import numpy as np

from harness.check.judges.decimals import printed_step, rounding_variance
from harness.check.procedures.search import SYMMETRIES, Series

SHARE_OF_VARIANCE, ENOUGH_DEGREES = 0.7, 50
"""A fault that counts each playout k times multiplies the variance of searches by k. It is ruled out if the
observed variance is below this fraction of k times a right bot's (with at least ENOUGH_DEGREES degrees of
freedom). Chosen: chance rarely rules such a fault out."""

NEGLIGIBLE = 0.01
"""Results count if rounding adds at most this fraction to the variance of the scores. Chosen: far below what
any fault adds."""


def counts_playouts_twice(found: Iterable[Series]) -> bool:
    """Return True if searches spread as if each playout were counted twice or more; False if unknown."""
    return 2.0 * SHARE_OF_VARIANCE <= relative_variance(found) < math.inf


def typical_spread(found: Iterable[Series]) -> float:
    """Return the median over the probes of the variance of searches divided by a right bot's; 1 without any.

    A bot that counts its playouts several times changes it. A wrong rule changes the variance at some probes
    only, and hardly the median.
    """
    ratios = [squares / degrees for squares, degrees in _spreads(found)]
    return statistics.median(ratios) if ratios else 1.0


def relative_variance(found: Iterable[Series]) -> float:
    """Return the variance of all searches divided by a right bot's; infinite if too few searches were made.

    Each search is compared with the bot's own mean at its probe, under the same symmetry of the board.
    """
    spreads = tuple(_spreads(found))
    squares, degrees = (sum(column) for column in zip(*spreads, strict=True)) if spreads else (0.0, 0)
    return squares / degrees if degrees >= ENOUGH_DEGREES else math.inf


def _spreads(found: Iterable[Series]) -> Iterator[tuple[float, int]]:
    """Yield (sum of squares divided by a right bot's variance, degrees of freedom) for each probe.

    Those of lengths and results are added up. For a right bot, both numbers are equal in the mean. Results
    are left out where the rounding of scores adds more than NEGLIGIBLE to their variance. Searches under one
    symmetry are left out if they are fewer than two, or if one lacks its length or its score; probes without
    other searches, and those with an unknown number of playouts, too.
    """
    found = tuple(found)
    step = printed_step(s.score for series in found for s in series.searches if s.score is not None)
    for series in found:
        expected, period = series.probe.expected, SYMMETRIES if series.probe.turns else 1
        if not series.playouts:
            continue
        numbers = np.array([(s.nodes, s.score) for s in series.searches], dtype=np.float64).reshape(-1, 2)
        are_fine = rounding_variance(step, series.playouts) <= NEGLIGIBLE * expected.sd_result**2
        sds = (expected.sd_length, expected.sd_result if are_fine else 0.0)
        squares, degrees = 0.0, 0
        for turn in range(period):  # every `period`-th search has the same symmetry
            # Nodes are a total of all playouts, the score is their mean: both become means.
            alike = numbers[turn::period] / (series.playouts, 1.0)
            if len(alike) < 2 or np.isnan(alike).any():  # NaN: a search lacks one of them
                continue
            variances = alike.var(axis=0, ddof=1) * series.playouts
            for variance, sd in zip(variances.tolist(), sds, strict=True):
                if sd > 0.0:
                    squares += (len(alike) - 1) * variance / sd**2
                    degrees += len(alike) - 1
        if degrees:
            yield squares, degrees
