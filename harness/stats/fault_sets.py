"""Probabilities of sets of faults: bots with one known fault, two of them, or something else.

A set predicts an observation by the faults in it that change it. If several change it, an outcome of a check
is the one farthest from a right bot's; a mean or a choice of moves then is unknown: as each of the faults
alone predicts, or anything. Formulas: docs/statistics.md, "Two faults at once".
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from harness.stats import special
from harness.stats.diagnosis import (
    MISMATCH,
    PRIOR_CONFORMING,
    PRIOR_ELSE,
    VISIBILITIES,
    Measured,
    Moments,
    Observation,
    Prediction,
    Shares,
    log_anything,
    log_probability,
    tempered,
)
from harness.stats.evidence import Floats

Flags = npt.NDArray[np.bool_]

ELSE: tuple[str, ...] = ()
"""The set of faults of a bot with something else."""

SECOND = 0.1
"""Prior probability of a second fault. Chosen: most bots that come to a check have one or none."""

CLASH = 0.1
"""Probability that two faults which both change a mean or a choice cause a third result. Chosen: smaller than
that of "something else", else two faults with many effects would explain any bot."""

STANDS_OUT, WIDER, TINY = 4.0, 2.0, 1e-9
"""A predicted mean differs from a right bot's if it is this number of standard errors away, or if one of the
two variances is more than WIDER times the other. TINY: the largest rounding error."""

LEADERS = 30
"""Number of faults with which pairs are formed, those that alone predict most. The other fault of a pair may
be any. Chosen: one of two faults explains much alone."""


@dataclass(frozen=True)
class Table:
    """Log probabilities of the observations (rows) under each fault alone (columns). A pair of means has two.

    right       under a right bot
    own         under each fault; as `right` where it changes nothing
    differs     True where the fault changes the prediction
    fits        True where the prediction explains the observation better than the broadest one
    distance    of a predicted outcome from that of a right bot; NaN for other observations
    anything    under the broadest prediction
    measured    True for a mean
    names       of the observations
    """

    faults: tuple[str, ...]
    right: Predicted
    own: Floats
    differs: Flags
    fits: Flags
    distance: Floats
    anything: Floats
    measured: Flags
    names: tuple[str, ...]

    def of(self, faults: Iterable[str]) -> Predicted:
        """Return what faults predict together."""
        found = self.right
        for fault in faults:
            found = found.with_column(self, self.faults.index(fault))
        return found


@dataclass(frozen=True)
class Predicted:
    """One column of a `Table`, for a set of faults."""

    values: Floats
    differs: Flags
    fits: Flags
    distance: Floats

    def with_column(self, table: Table, fault: int) -> Predicted:
        """Return the prediction with one more fault, by its column."""
        differs, fits = table.differs[:, fault], table.fits[:, fault]
        return Predicted(
            self.joined(table, slice(fault, fault + 1))[:, 0],
            self.differs | differs,
            np.where(differs, fits | (self.differs & self.fits), self.fits),
            np.fmax(self.distance, table.distance[:, fault]),
        )

    def joined(self, table: Table, columns: slice) -> Floats:
        """Return the log probabilities of the observations with each of some more faults."""
        own, differs, distance = table.own[:, columns], table.differs[:, columns], table.distance[:, columns]
        values = self.values[:, None]
        clashing = np.logaddexp(
            math.log(CLASH) + table.anything[:, None],
            math.log((1.0 - CLASH) / 2.0) + np.logaddexp(values, own),
        )
        farther = np.where(distance > self.distance[:, None], own, values)
        both = np.where(np.isnan(distance), clashing, farther)
        return np.where(differs, np.where(self.differs[:, None], both, own), values)

    @property
    def explained(self) -> tuple[int, int]:
        """Number of observations that the faults change as predicted, and of those that do not fit."""
        return int((self.differs & self.fits).sum()), int((~self.fits).sum())


def tabulate(
    observations: Mapping[str, Observation],
    conforming: Mapping[str, Prediction],
    faults: Mapping[str, Mapping[str, Prediction]],
    *,
    mismatch: float = MISMATCH,
) -> Table:
    """Compute the log probability of each observation under each fault; arguments as for `diagnose`."""
    rows = [
        (_part(seen, place), _part(conforming[name], place), name, place)
        for name, seen in observations.items()
        for place in range(len(seen.values) if isinstance(seen, Measured) else 1)
    ]
    shape = (len(rows), len(faults))
    own, differs = np.zeros(shape), np.zeros(shape, dtype=bool)
    fits, distance = np.zeros(shape, dtype=bool), np.full(shape, math.nan)
    right, right_fits, anything = np.zeros(len(rows)), np.zeros(len(rows), dtype=bool), np.zeros(len(rows))
    for row, (seen, wanted, name, place) in enumerate(rows):
        predicted = {
            at: _part(own_ones[name], place)
            for at, own_ones in enumerate(faults.values())
            if name in own_ones
        }
        changed = {at: one for at, one in predicted.items() if _differs(one, wanted)}
        broadest = log_anything(seen, wanted, list(changed.values()))
        limit = math.log(mismatch) + broadest - math.log1p(-mismatch)
        anything[row] = broadest
        plain = log_probability(seen, wanted)
        right[row], right_fits[row] = tempered(plain, broadest, mismatch), plain >= limit
        own[row], fits[row] = right[row], right_fits[row]
        for at, prediction in changed.items():
            plain = log_probability(seen, prediction)
            own[row, at], fits[row, at] = tempered(plain, broadest, mismatch), plain >= limit
            differs[row, at] = True
            distance[row, at] = _distance(prediction, wanted)
    none = np.zeros(len(rows), dtype=bool)
    of_right = Predicted(right, none, right_fits, np.zeros(len(rows)))
    measured = np.array([isinstance(seen, Measured) for seen, _, _, _ in rows], dtype=bool)
    names = tuple(name for _, _, name, _ in rows)
    return Table(tuple(faults), of_right, own, differs, fits, distance, anything, measured, names)


def _part(one: Any, place: int) -> Any:
    """Return one of the statistics of a mean or of its prediction; anything else as it is."""
    if isinstance(one, Measured):
        return Measured((one.values[place],), one.playouts, (one.steps[place],))
    if isinstance(one, Moments):
        error = None if one.se_covariance is None else ((one.se_covariance[place][place],),)
        return Moments((one.mean[place],), ((one.covariance[place][place],),), error)
    return one


def _differs(one: Prediction, right: Prediction) -> bool:
    """Return True if a prediction differs from a right bot's by more than its error, or if it is vague."""
    if not isinstance(one, Moments) or not isinstance(right, Moments):
        return one != right
    if one.se_covariance is not None and one.se_covariance[0][0] > WIDER * one.covariance[0][0] + TINY:
        return True  # vague: the error of its mean is larger than the deviation of one playout
    errors = sum(p.se_covariance[0][0] for p in (one, right) if p.se_covariance is not None)
    spreads = sorted(p.covariance[0][0] for p in (one, right))
    return (
        abs(one.mean[0] - right.mean[0]) > STANDS_OUT * math.sqrt(errors) + TINY
        or spreads[1] > WIDER * spreads[0]
    )


def rank_sets(
    table: Table,
    singles: Collection[str],
    given: Sequence[str] = (),
    allows_pair: Callable[[tuple[str, str]], bool] | None = None,
) -> tuple[tuple[tuple[str, ...], float], ...]:
    """Return the sets of faults with their probabilities, the most probable first; ELSE is one of them.

    given     faults that the bot has: all sets are these and one more. Without, sets of one and of two
    singles   faults that may be the bot's only fault, or the one more
    allows_pair   False for a pair that cannot be all that is wrong
    """
    base = table.of(given)
    alone = base.joined(table, slice(None)).sum(axis=0)
    prior = math.log((1.0 - PRIOR_CONFORMING - PRIOR_ELSE) / max(1, len(singles)))
    logs: dict[tuple[str, ...], float] = {}
    for at, fault in enumerate(table.faults):
        if fault in singles and fault not in given:
            logs[(*given, fault)] = prior + float(alone[at])
    if not given:
        second = math.log(SECOND / max(1, len(table.faults)))
        for first in np.argsort(-alone)[:LEADERS]:
            both = base.with_column(table, int(first)).joined(table, slice(None)).sum(axis=0)
            for at, fault in enumerate(table.faults):
                one, other = sorted((table.faults[first], fault))
                if one != other and (allows_pair is None or allows_pair((one, other))):
                    logs[one, other] = prior + second + float(both[at])
    logs[ELSE] = _log_else(table, base.values)
    total = float(special.logsumexp(list(logs.values())))
    shares = ((names, math.exp(value - total)) for names, value in logs.items())
    return tuple(sorted(shares, key=lambda item: (-item[1], item[0])))


def _log_else(table: Table, values: Floats) -> float:
    """Return the log probability of all observations if something else changes some of them."""
    shares = [
        float(np.logaddexp(math.log1p(-share) + values, math.log(share) + table.anything).sum())
        for share in VISIBILITIES
    ]
    return math.log(PRIOR_ELSE / len(VISIBILITIES)) + float(special.logsumexp(shares))


def _distance(prediction: Prediction, right: Prediction) -> float:
    """Return by how much less probable the likeliest outcome of a right bot is; NaN for an estimate."""
    if (
        not isinstance(prediction, Shares)
        or not isinstance(right, Shares)
        or math.isfinite(prediction.sample)
    ):
        return math.nan
    usual = max(range(len(right.probabilities)), key=right.probabilities.__getitem__)
    return right.probabilities[usual] - prediction.probabilities[usual]
