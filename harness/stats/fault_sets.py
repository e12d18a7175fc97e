"""Probabilities of sets of faults: bots with one known fault, two of them, or something else.

An observation is the outcome of a check, the mean of searches, or the choices of moves (see `diagnosis`).
`tabulate` computes how well each fault alone explains each observation; `rank_sets` combines the faults.
Faults of a set that leave an observation unchanged do not count there. If one fault changes the observation,
the set predicts what this fault predicts: a bot with a wrong komi and a wrong ko rule fails the checks of
both, and has the mean score of the wrong komi. If several change it, the predicted outcome of a check is the
one farthest from a right bot's; a mean or a choice of moves is then uncertain: each fault's own prediction is
equally likely, and anything is possible. Formulas: docs/statistics.md, "Two faults at once".
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
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
    log_mixture,
    log_probability,
)
from harness.stats.evidence import Floats

Flags = npt.NDArray[np.bool_]

ELSE: tuple[str, ...] = ()
"""The empty set of known faults: stands for a bot with an unknown fault."""

SECOND = 0.1
"""Prior probability of a second fault. Chosen: most bots that come to a check have one or none."""

CLASH = 0.1
"""Probability that two faults which both change a mean or a choice cause a third result. Chosen: smaller than
that of "something else", else two faults with many effects would explain any bot."""

STANDS_OUT, WIDER, TINY = 4.0, 2.0, 1e-9
"""A predicted mean differs from a right bot's if it is STANDS_OUT standard errors away, or if one of the two
variances is more than WIDER times the other. TINY: the largest rounding error."""

LEADERS = 30
"""A pair is one of this many faults, those that explain most alone, and any other fault. Chosen: if a bot has
two faults, one of them explains much alone."""


@dataclass(frozen=True)
class Table:
    """Log probabilities of the observations (rows) under each fault alone (columns).

    An observation of two means, such as playout length and win rate, is two rows.

    faults      name of each column
    names       name of the observation of each row
    own         log probability for a bot with this fault alone; as in `right` if the fault changes nothing
    differs     True where the fault changes the prediction, or may change it (`tabulate`)
    fits        True where the prediction explains the observation (see `_log_and_fit`)
    distance    of a predicted outcome from that of a right bot (see `_distance`); NaN for other observations,
                and where the fault changes nothing

    These fields have one value for each row:

    right       the prediction of a bot without a fault
    anything    log probability for a bot that may do anything (see `diagnosis.log_anything`)
    measured    True for a mean
    """

    faults: tuple[str, ...]
    names: tuple[str, ...]
    right: SetPrediction
    own: Floats
    differs: Flags
    fits: Flags
    distance: Floats
    anything: Floats
    measured: Flags

    def predict(self, faults: Iterable[str]) -> SetPrediction:
        """Return what these faults predict together."""
        found = self.right
        for fault in faults:
            found = found.with_fault(self, self.faults.index(fault))
        return found


@dataclass(frozen=True)
class SetPrediction:
    """The prediction of a set of faults: one value for each row of a `Table`.

    The fields have the meaning of the columns of `Table`, but `distance` is the largest of the faults that
    change an outcome, and at least 0.
    """

    values: Floats  # log probabilities of the observations
    differs: Flags
    fits: Flags
    distance: Floats

    def with_fault(self, table: Table, column: int) -> SetPrediction:
        """Return the prediction of the set with one more fault, the one of this column.

        An observation that the new fault changes fits if the new fault fits it, or an earlier one that also
        changes it. Elsewhere the earlier answer stays.
        """
        differs, fits = table.differs[:, column], table.fits[:, column]
        return SetPrediction(
            self.log_with_each_fault(table, slice(column, column + 1))[:, 0],
            self.differs | differs,
            np.where(differs, fits | (self.differs & self.fits), self.fits),
            np.fmax(self.distance, table.distance[:, column]),
        )

    def log_with_each_fault(self, table: Table, columns: slice) -> Floats:
        """Return the log probabilities of the set with one more fault: a column for each of `columns`.

        Where only the set or only the fault changes an observation, its prediction holds. Where both do, the
        outcome farther from a right bot's holds. For means and choices, whose distance is NaN, a mixture
        holds: a third result with probability CLASH, else either prediction with equal probability.
        """
        own, differs, distance = table.own[:, columns], table.differs[:, columns], table.distance[:, columns]
        values = self.values[:, None]
        clashing = np.logaddexp(
            math.log(CLASH) + table.anything[:, None],
            math.log((1.0 - CLASH) / 2.0) + np.logaddexp(values, own),
        )
        farther = np.where(distance > self.distance[:, None], own, values)
        both = np.where(np.isnan(distance), clashing, farther)
        return np.where(differs, np.where(self.differs[:, None], both, own), values)

    def count_explained(self) -> tuple[int, int]:
        """Return the number of rows that the faults change and that fit, and the number that do not fit."""
        return int((self.differs & self.fits).sum()), int((~self.fits).sum())


def tabulate(
    observations: Mapping[str, Observation],
    conforming: Mapping[str, Prediction],
    faults: Mapping[str, Mapping[str, Prediction]],
    *,
    mismatch: float = MISMATCH,
) -> Table:
    """Compute the log probability of each observation under each fault; arguments as for `diagnose`.

    A predicted mean that is as a right bot's, within its error, counts as changed if it explains a mean that
    a right bot's does not: the record of the fault is then less precise than the observation.
    """
    rows = list(_rows(observations, conforming, faults))
    shape = (len(rows), len(faults))
    own, distance = np.zeros(shape), np.full(shape, math.nan)
    differs, fits = np.zeros(shape, dtype=bool), np.zeros(shape, dtype=bool)
    right, right_fits, anything = np.zeros(len(rows)), np.zeros(len(rows), dtype=bool), np.zeros(len(rows))
    for index, row in enumerate(rows):
        changed = {
            column: prediction
            for column, prediction in row.by_fault.items()
            if _differs(prediction, row.right)
        }
        log_any = anything[index] = log_anything(row.seen, row.right, list(changed.values()))
        right[index], right_fits[index] = _log_and_fit(row.seen, row.right, log_any, mismatch)
        own[index], fits[index] = right[index], right_fits[index]
        for column, prediction in row.by_fault.items():
            if column not in changed and right_fits[index]:
                continue
            log, fit = _log_and_fit(row.seen, prediction, log_any, mismatch)
            if column in changed or fit:
                own[index, column], fits[index, column], differs[index, column] = log, fit, True
                distance[index, column] = _distance(prediction, row.right)
    unchanged = np.zeros(len(rows), dtype=bool)
    return Table(
        faults=tuple(faults),
        names=tuple(row.name for row in rows),
        right=SetPrediction(right, unchanged, right_fits, np.zeros(len(rows))),
        own=own,
        differs=differs,
        fits=fits,
        distance=distance,
        anything=anything,
        measured=np.array([isinstance(row.seen, Measured) for row in rows], dtype=bool),
    )


@dataclass(frozen=True)
class _Row:
    """One statistic of an observation, and its prediction by a right bot and by each fault (by column)."""

    name: str
    seen: Observation
    right: Prediction
    by_fault: Mapping[int, Prediction]


def _rows(
    observations: Mapping[str, Observation],
    conforming: Mapping[str, Prediction],
    faults: Mapping[str, Mapping[str, Prediction]],
) -> Iterator[_Row]:
    """Yield a row for each statistic of each observation; counts are one statistic."""
    for name, seen in observations.items():
        for index in range(len(seen.values) if isinstance(seen, Measured) else 1):
            by_fault = {
                column: _part(predictions[name], index)
                for column, predictions in enumerate(faults.values())
                if name in predictions
            }
            yield _Row(name, _part(seen, index), _part(conforming[name], index), by_fault)


def _log_and_fit(
    seen: Observation, prediction: Prediction, anything: float, mismatch: float
) -> tuple[float, bool]:
    """Return (log probability under a prediction mixed with "anything", True if the prediction fits).

    It fits if it contributes more to the mixture than "anything" does.
    """
    plain = log_probability(seen, prediction)
    fits = math.log1p(-mismatch) + plain >= math.log(mismatch) + anything
    return log_mixture(plain, anything, mismatch), fits


def _part(whole: Any, index: int) -> Any:
    """Return one statistic of means (`Measured`, or their prediction `Moments`); counts and shares whole."""
    if isinstance(whole, Measured):
        return Measured((whole.values[index],), whole.playouts, (whole.steps[index],))
    if isinstance(whole, Moments):
        error = None if whole.se_covariance is None else ((whole.se_covariance[index][index],),)
        return Moments((whole.mean[index],), ((whole.covariance[index][index],),), error)
    return whole


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
    """Return the sets of faults with their probabilities, the most probable first.

    One of them is ELSE: an unknown fault, beside those `given`.

    singles       faults that may be the bot's only fault; with `given`, its only further fault
    given         faults that the bot is known to have. Each set is these and one more. Without `given`, the
                  sets have one fault or two
    allows_pair   returns False for two faults that cannot explain everything that is wrong; None: every pair
                  is allowed. Not called with `given`

    Example of a result: ((("eye",), 0.9), (("eye", "komi"), 0.08), ((), 0.02)).
    """
    base = table.predict(given)
    alone = base.log_with_each_fault(table, slice(None)).sum(axis=0)
    prior = math.log((1.0 - PRIOR_CONFORMING - PRIOR_ELSE) / max(1, len(singles)))
    logs: dict[tuple[str, ...], float] = {}
    for column, fault in enumerate(table.faults):
        if fault in singles and fault not in given:
            logs[(*given, fault)] = prior + float(alone[column])
    if not given:
        second = math.log(SECOND / max(1, len(table.faults)))
        for first in np.argsort(-alone)[:LEADERS]:
            both = base.with_fault(table, int(first)).log_with_each_fault(table, slice(None)).sum(axis=0)
            for column, fault in enumerate(table.faults):
                one, other = sorted((table.faults[first], fault))
                if one != other and (allows_pair is None or allows_pair((one, other))):
                    logs[one, other] = prior + second + float(both[column])
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
    """Return by how much a fault lowers the probability of a right bot's likeliest outcome.

    For example 0.9 if a right bot passes a check always, and a bot with the fault once in ten runs. NaN for
    means and for shares that were estimated from a sample.
    """
    if (
        not isinstance(prediction, Shares)
        or not isinstance(right, Shares)
        or math.isfinite(prediction.sample)
    ):
        return math.nan
    usual = max(range(len(right.probabilities)), key=right.probabilities.__getitem__)
    return right.probabilities[usual] - prediction.probabilities[usual]
