"""Tests of the moves that a bot chooses: uniform among ties, equal under symmetry, as a reference chooses.

A test bets against the hypothesis with Pólya urns, which learn the bot's own shares from its earlier choices:
an urn draws each move in proportion to its weight, and adds 1 to the weight of the move that was chosen. The
p-values are valid after every choice. Formulas: docs/statistics.md, "Choice".
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from harness.stats.evidence import Floats, StatsError, anytime_p, as_floats, mix, peak

Choices = Sequence[int] | npt.NDArray[np.int64]

# Starting weights of the urns, in choices: 1 finds "always the same move" soonest, larger weights find small
# deviations. Chosen: with steps of 8, no weight in between is much better than the nearest of these.
CONCENTRATIONS = (1.0, 8.0, 64.0)


@dataclass(frozen=True)
class ChoiceEvidence:
    """The evidence of n choices."""

    choices: int  # n
    distance: float  # total variation between observed and expected shares; on average too large for small n
    log_e: float  # largest logarithm so far of the e-process (see `evidence`)
    p_value: float  # against "chosen as expected"; valid after every choice


def judge_choices(choices: Choices, expected: npt.ArrayLike) -> ChoiceEvidence:
    """Test whether `choices` (indices, in order) are drawn with the probabilities `expected`, known exactly.

    A choice of probability 0 proves a deviation. Raises StatsError for an index out of range and for invalid
    probabilities.
    """
    shares = _distribution(expected)
    picks = _indices(choices, shares.size)
    log_e = multinomial_log_e(picks, shares)
    return ChoiceEvidence(picks.size, _distance(picks, shares), peak(log_e), anytime_p(log_e))


def judge_uniform(choices: Choices, ways: int) -> ChoiceEvidence:
    """Test whether each choice is uniform among `ways` possibilities, for example equally good candidates.

    See `judge_choices`. Raises StatsError if `ways` is less than 1, too.
    """
    if ways < 1:
        raise StatsError(f"ways must be at least 1, not {ways}")
    return judge_choices(choices, np.full(ways, 1.0 / ways))


def judge_orbits(choices: Choices, orbits: Sequence[int]) -> ChoiceEvidence:
    """Test whether each choice is uniform within its orbit: the points that symmetries map to each other.

    `orbits[point]` is the number of the orbit of a point (see `square_orbits`). The choice between orbits is
    not tested, so no reference is needed. Raises StatsError for a choice that is no point.
    """
    picks = _indices(choices, len(orbits))
    orbit_of = np.asarray(orbits, dtype=np.int64)
    # Each orbit has its own urns, which judge the choices in this orbit only. The log e-process is the
    # running sum of what each choice gains there.
    increments = np.zeros((len(CONCENTRATIONS), picks.size))
    expected = np.zeros(orbit_of.size)
    for orbit in np.unique(orbit_of[picks]):
        members = np.flatnonzero(orbit_of == orbit)
        here = np.flatnonzero(orbit_of[picks] == orbit)  # the choices in this orbit
        ranks = np.searchsorted(members, picks[here])
        shares = np.full(members.size, 1.0 / members.size)
        for row, weight in enumerate(CONCENTRATIONS):
            gains = np.diff(_dirichlet_log(ranks, weight * shares), prepend=0.0) + math.log(members.size)
            increments[row, here] = gains
        expected[members] = here.size / members.size / picks.size
    log_e = mix(np.cumsum(increments, axis=1))
    return ChoiceEvidence(picks.size, _distance(picks, expected), peak(log_e), anytime_p(log_e))


def judge_against_sample(
    choices: Choices,
    reference_counts: npt.ArrayLike,
    alternatives: Sequence[npt.ArrayLike] = (),
) -> ChoiceEvidence:
    """Test whether `choices` come from the distribution of a finite reference sample, given as counts.

    The sampling error is taken into account: the hypothesis is the predictive distribution of the sample, not
    its shares. The error rate holds on average over samples. The sample should be many times larger than the
    number of choices. `alternatives` are counts of known faulty bots. Half of the bet is on them, so these
    faults are found sooner; the error rate stays. Raises StatsError for an index or a reference count out of
    range.
    """
    counts = as_floats(reference_counts, "reference_counts")
    if counts.size == 0 or np.any(counts < 0.0):
        raise StatsError("expected one reference count for each possible choice, none of them negative")
    picks = _indices(choices, counts.size)
    smoothed = counts + 1.0
    shares = smoothed / smoothed.sum()
    null = _dirichlet_log(picks, smoothed)
    log_e = mix(np.stack([_dirichlet_log(picks, w * shares) - null for w in CONCENTRATIONS]))
    if alternatives:
        known = [as_floats(counts, "alternatives") + 1.0 for counts in alternatives]
        directed = mix(np.stack([_dirichlet_log(picks, weights) - null for weights in known]))
        log_e = np.logaddexp(log_e, directed) - math.log(2.0)
    return ChoiceEvidence(picks.size, _distance(picks, shares), peak(log_e), anytime_p(log_e))


def square_orbits(size: int) -> tuple[int, ...]:
    """Number of the orbit of each point (row * size + col) under the board's eight symmetries.

    On 3x3, with corners, edges and the centre, it is (0, 1, 0, 1, 2, 1, 0, 1, 0). There are 15 orbits on 9x9.
    Raises StatsError for a size below 1.
    """
    if size < 1:
        raise StatsError(f"the board size must be at least 1, not {size}")
    smallest = []
    for row in range(size):
        for col in range(size):
            r, c = min(row, size - 1 - row), min(col, size - 1 - col)
            smallest.append(min(r, c) * size + max(r, c))
    names = {point: name for name, point in enumerate(sorted(set(smallest)))}
    return tuple(names[point] for point in smallest)


def multinomial_log_e(picks: npt.NDArray[np.int64], shares: Floats) -> Floats:
    """Return log e-values, one after each choice, against the hypothesis that moves have these `shares`.

    They are the likelihood ratio of Pólya urns, which start with multiples of `shares`, to the fixed
    `shares`. They are infinite from a choice of probability 0 on.
    """
    possible = shares > 0.0
    with np.errstate(divide="ignore"):
        null = np.cumsum(np.log(shares[picks]))  # −inf from the first impossible choice on
    impossible = np.isneginf(null)
    order = np.cumsum(possible) - 1
    ranks = np.where(possible[picks], order[picks], 0)
    centre = shares[possible]
    terms = np.stack([_dirichlet_log(ranks, w * centre) for w in CONCENTRATIONS])
    finite = np.where(impossible, 0.0, null)
    return np.where(impossible, math.inf, mix(terms) - finite)


def _dirichlet_log(picks: npt.NDArray[np.int64], weights: Floats) -> Floats:
    """Log probabilities of the first 1, 2, … picks from a Pólya urn that starts with `weights`.

    Each pick adds 1 to its own weight (Dirichlet-multinomial).
    """
    earlier = _earlier(picks)
    total = float(weights.sum())
    drawn = np.log(weights[picks] + earlier) - np.log(total + np.arange(picks.size))
    return np.asarray(np.cumsum(drawn), dtype=np.float64)


def _earlier(picks: npt.NDArray[np.int64]) -> Floats:
    """For each pick, the number of equal picks before it."""
    order = np.argsort(picks, kind="stable")
    sorted_picks = picks[order]
    starts = np.searchsorted(sorted_picks, sorted_picks, side="left")
    earlier = np.empty(picks.size)
    earlier[order] = np.arange(picks.size) - starts
    return earlier


def _distance(picks: npt.NDArray[np.int64], shares: Floats) -> float:
    """Total variation between the shares of the picks and `shares`: 0 if equal, at most 1."""
    if picks.size == 0:
        return 0.0
    return 0.5 * float(np.abs(np.bincount(picks, minlength=shares.size) / picks.size - shares).sum())


def _distribution(expected: npt.ArrayLike) -> Floats:
    """The probabilities as an array. Raises StatsError unless they sum to 1."""
    shares = as_floats(expected, "expected")
    if shares.size == 0 or np.any(shares < 0.0) or abs(float(shares.sum()) - 1.0) > 1e-9:
        raise StatsError("expected probabilities must not be negative and must sum to 1")
    return shares


def _indices(choices: Choices, ways: int) -> npt.NDArray[np.int64]:
    """The choices as an array. Raises StatsError unless each lies between 0 and `ways` - 1."""
    picks = np.asarray(choices, dtype=np.int64)
    if picks.ndim != 1:
        raise StatsError(f"choices must have one dimension, not {picks.ndim}")
    if picks.size and (picks.min() < 0 or picks.max() >= ways):
        raise StatsError(f"choices must be indices from 0 to {ways - 1}")
    return picks
