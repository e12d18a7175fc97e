"""Compares the bot's results in each position with the predictions of `harness.arena.audit.hypotheses`.

A result of the bot is a report (the length of its playouts, and its score) or a choice (its move).
`Evidence.diagnose` finds the hypothesis that explains the results best: the right bot, a known fault, or an
unknown one. `Evidence.fits` decides if a known fault explains them well. `Diagnoser` asks both.

A prediction from few playouts is uncertain, so it is shrunk: moved towards a value that is known better.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain

import numpy as np
import numpy.typing as npt

from harness.arena.audit.hypotheses import RIGHT, AuditedPosition, Predicted
from harness.arena.audit.replay import Choice
from harness.arena.judge.playouts import LENGTH_FLOOR, SCORE_FLOOR, SCORE_TOLERANCE
from harness.stats import (
    Counted,
    Diagnosis,
    Effects,
    Estimate,
    Measured,
    Moments,
    PooledMean,
    RankEvidence,
    Shares,
    diagnose,
    fitting_concentration,
    random_effects,
    rank_of,
)
from harness.stats.diagnosis import Observation, Prediction
from refbot.deviations.faults import FAULTS

MISMATCH = 1e-3
"""Probability that a search contradicts even the right hypothesis: authors err in different ways. Chosen."""
UNFIT = 1e-3
"""p-value below which refbot with a fault differs from the bot, so that the fault is not named. Chosen."""
HALF_WIN, PRINTED = 0.5, 0.001
"""Steps of a reported score: half a win in the total, and three printed decimals."""

LengthAndScore = npt.NDArray[np.float64]
"""Two numbers: for the length, and for the score. A column is an index of it: 0 or 1."""


class _Compared:
    """The arguments of `harness.stats.diagnose`: what the bot did, and what the hypotheses predict.

    observed    results of the bot by name, such as "report 3" or "move 0"
    predicted   by fault (RIGHT: no fault), the predictions by the same names; a fault that changes nothing
                there has no prediction of its own
    """

    def __init__(self, faults: Iterable[str]) -> None:
        self.observed: dict[str, Observation] = {}
        self.predicted: dict[str, dict[str, Prediction]] = {name: {} for name in (RIGHT, *faults)}


@dataclass
class Evidence:
    """The searches of one bot that were compared, each with the predictions by fault (RIGHT: without fault).

    reports   predictions of the reported length and score
    choices   predictions of the chosen move
    """

    reports: list[tuple[AuditedPosition, Mapping[str, Predicted]]] = field(default_factory=list)
    choices: list[tuple[AuditedPosition, Mapping[str, tuple[Choice, ...]]]] = field(default_factory=list)

    def diagnose(self, faults: Collection[str]) -> Diagnosis:
        """Return the probability of each cause: a right bot, one of these faults, an unknown fault."""
        compared = _Compared(faults)
        self._add_reports(compared)
        self._add_choices(compared)
        observed, right = compared.observed, compared.predicted.pop(RIGHT)
        # wide: the results of an unknown fault spread at least as far as those of a right bot.
        return diagnose(observed, right, compared.predicted, mismatch=MISMATCH, wide=True)

    def _add_reports(self, compared: _Compared) -> None:
        """Add each report of the bot with its predictions."""
        faults = compared.predicted.keys() - {RIGHT}
        effects = {name: self._effects(name) for name in faults if FAULTS[name].where == "playout"}
        for number, (audited, reports) in enumerate(self.reports):
            columns = _reported_columns(audited)
            if not columns:
                continue
            name = f"report {number}"
            compared.observed[name] = _as_measured(audited, columns)
            for fault in reports.keys() & compared.predicted.keys():
                own, right = reports[fault], reports[RIGHT]
                shrunk = _shrink(own, right, effects[fault]) if fault in effects else None
                compared.predicted[fault][name] = _moments(own, columns, shrunk)

    def _add_choices(self, compared: _Compared) -> None:
        """Add each move of the bot with its predictions."""
        right = self._right_shares()
        for number, (audited, _) in enumerate(self.choices):
            compared.observed[f"move {number}"] = Counted(_counts(audited, [audited.choice]))
        for fault, predicted in compared.predicted.items():
            shares = dict(enumerate(right)) if fault == RIGHT else self._shares(fault, right)
            predicted.update((f"move {number}", share) for number, share in shares.items())

    def fits(self, fault: str) -> bool:
        """Return True if an audit with this faulty refbot as its reference would find no difference."""
        p_values = chain(self._p_values_of_reports(fault), self._p_values_of_choices(fault))
        return min(p_values) >= UNFIT

    def _effects(self, fault: str) -> tuple[Effects, ...]:
        """Return the mean and the variance, over positions, of what a fault adds to length and score."""
        rows = [(reports[fault], reports[RIGHT]) for _, reports in self.reports if fault in reports]
        changes = np.array([own.mean - right.mean for own, right in rows])
        variances = np.array([_variance_of_mean(own) + _variance_of_mean(right) for own, right in rows])
        return tuple(random_effects(changes[:, k], variances[:, k]) for k in range(2))

    def _right_shares(self) -> list[Shares]:
        """Return the right bot's move frequencies by position of `choices`, shrunk towards equal shares."""
        rows = [_counts(audited, choices[RIGHT]) for audited, choices in self.choices]
        equal = [_equal_shares(row) for row in rows]
        weight, _ = fitting_concentration(rows, equal)
        return [_smooth(row, base, weight) for row, base in zip(rows, equal, strict=True)]

    def _shares(self, fault: str, right: Sequence[Shares]) -> dict[int, Shares]:
        """Return the move frequencies of the bot with this fault, by the index of a position in `choices`.

        Positions in which the fault changes no move are left out. The frequencies are shrunk towards equal
        shares or towards the right bot's shares, whichever fits better.
        """
        rows = {
            number: _counts(audited, choices[fault])
            for number, (audited, choices) in enumerate(self.choices)
            if fault in choices
        }
        equal = [_equal_shares(row) for row in rows.values()]
        of_right_bot = [right[number].probabilities for number in rows]
        tried = [(fitting_concentration(list(rows.values()), base), base) for base in (equal, of_right_bot)]
        (weight, _), bases = max(tried, key=lambda one: one[0][1])  # the highest likelihood
        return {
            number: _smooth(row, base, weight)
            for (number, row), base in zip(rows.items(), bases, strict=True)
        }

    def _p_values_of_reports(self, fault: str) -> Iterator[float]:
        """Audit the reported lengths and scores against refbot with this fault. Yield the p-values."""
        pools = PooledMean(floor=LENGTH_FLOOR), PooledMean(floor=SCORE_FLOOR, tolerance=SCORE_TOLERANCE)
        for audited, reports in self.reports:
            prediction = reports.get(fault, reports[RIGHT])
            if prediction.playouts < 1.0:
                continue
            for column in _reported_columns(audited):
                sd = float(np.sqrt(prediction.covariance[column, column]))
                reference = Estimate(float(prediction.mean[column]), sd, int(prediction.playouts))
                pools[column].add([(_value(audited, column), audited.playouts)], reference)
        for pool in pools:
            evidence = pool.evidence()
            if evidence is not None:
                yield evidence.p_value  # of the mean
                yield min(1.0, 2.0 * min(evidence.narrow_p, evidence.wide_p))  # of the spread, either way

    def _p_values_of_choices(self, fault: str) -> Iterator[float]:
        """Audit the chosen moves against those of refbot with this fault. Yield the p-values."""
        by_frequency, by_place = RankEvidence(), RankEvidence()
        for audited, choices in self.choices:
            frequencies, points = _moves_in_numbers(audited, choices.get(fault, choices[RIGHT]))
            by_frequency.add(rank_of(frequencies[-1], frequencies[:-1]))
            by_place.add(rank_of(points[-1], points[:-1]))
        yield by_frequency.p_value
        yield by_place.p_value


def _reported_columns(audited: AuditedPosition) -> list[int]:
    """Return the columns that the bot reported: 0 for the length, 1 for the score."""
    return [k for k, value in enumerate((audited.search.nodes, audited.search.score)) if value is not None]


def _value(audited: AuditedPosition, column: int) -> float:
    """Return the number that the bot reported for a column of `_reported_columns`."""
    nodes, score = audited.search.nodes, audited.search.score
    value = score if column else None if nodes is None else nodes / audited.playouts
    assert value is not None
    return value


def _as_measured(audited: AuditedPosition, columns: Sequence[int]) -> Measured:
    """Return the bot's report as an observation of `harness.stats`; a step is the least change of a total."""
    steps = (1.0, max(HALF_WIN, PRINTED * audited.playouts))
    return Measured(
        tuple(_value(audited, column) for column in columns),
        audited.playouts,
        tuple(steps[column] for column in columns),
    )


def _variance_of_mean(prediction: Predicted) -> LengthAndScore:
    """Return the variances of the predicted means."""
    return np.diag(prediction.covariance + prediction.rare) / prediction.playouts


def _shrink(
    own: Predicted, right: Predicted, effects: Sequence[Effects]
) -> tuple[LengthAndScore, LengthAndScore]:
    """Predict a fault's means as the right bot's plus the fault's change. Return (means, their variances).

    The change in one position is shrunk towards the mean change over all positions. The variance is never
    below the right bot's: otherwise a fault that changes nothing would win by its additional playouts.
    """
    spread = np.array([effect.variance for effect in effects])
    mean_change = np.array([effect.mean for effect in effects])
    own_variance, right_variance = _variance_of_mean(own), _variance_of_mean(right)
    weight_of_own = spread / (spread + own_variance + right_variance)
    change = mean_change + weight_of_own * (own.mean - right.mean - mean_change)
    # Two independent estimates of the fault's mean: from its own playouts, and from the right bot's.
    error = 1.0 / (1.0 / own_variance + 1.0 / (right_variance + spread))
    return right.mean + change, np.maximum(error, right_variance)


def _moments(
    prediction: Predicted,
    columns: Sequence[int],
    estimate: tuple[LengthAndScore, LengthAndScore] | None = None,
) -> Moments:
    """Return the prediction for these columns. `estimate`: means to use instead, with their variances."""
    chosen = list(columns)
    covariance = (prediction.covariance + prediction.rare)[np.ix_(chosen, chosen)]
    if estimate is not None:
        mean, error = estimate[0][chosen], np.diag(estimate[1][chosen])
    else:
        mean = prediction.mean[chosen]
        # A report that depends on an unknown search may be anything up to the size of its mean.
        error = covariance / prediction.playouts if prediction.playouts else np.diag(mean**2)
    return Moments(tuple(map(float, mean)), _rows(covariance), _rows(error))


def _rows(matrix: np.ndarray) -> tuple[tuple[float, ...], ...]:
    return tuple(tuple(float(cell) for cell in row) for row in matrix)


def _counts(audited: AuditedPosition, moves: Sequence[Choice]) -> tuple[int, ...]:
    """Count how often each candidate was chosen, in their order; then passes; then all other moves."""
    counted = Counter(moves)
    named = [*map(int, audited.root.candidates), None]
    known = [counted[move] for move in named]
    return (*known, len(moves) - sum(known))


def _equal_shares(row: Sequence[int]) -> tuple[float, ...]:
    return (1.0 / len(row),) * len(row)


def _smooth(row: Sequence[int], base: Sequence[float], weight: float) -> Shares:
    """Return the shares of the counts, after adding `weight` × `base` as pseudo-counts."""
    smoothed = np.array(row, np.float64) + weight * np.array(base, np.float64)
    return Shares(tuple(map(float, smoothed / smoothed.sum())))


def _moves_in_numbers(audited: AuditedPosition, moves: Sequence[Choice]) -> tuple[list[float], list[float]]:
    """Return (frequency of each move, number of its point). The bot's own move is the last; a pass is -1."""
    bag = [*moves, audited.choice]
    return [float(bag.count(move)) for move in bag], [-1.0 if move is None else float(move) for move in bag]
