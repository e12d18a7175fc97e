"""Evidence of a diagnosis: the bot's results at each position beside the prediction of each hypothesis."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from harness.arena.audit.hypotheses import RIGHT, Choice, Place, Shown
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
"""Probability that a search shows anything, whatever fault the bot has: no two authors err alike. Chosen."""
UNFIT = 1e-3
"""A fault does not fit if an audit with that fault as its reference refuses the bot at this level. Chosen."""
HALF_WIN, PRINTED = 0.5, 0.001
"""Steps of a reported score: in wins of all playouts, and of the printed number."""

Column = npt.NDArray[np.float64]
"""A number for the length, and one for the score."""


@dataclass
class Evidence:
    """Observations and predictions about one bot. Grows round by round."""

    reports: list[tuple[Place, Mapping[str, Shown]]] = field(default_factory=list)
    choices: list[tuple[Place, Mapping[str, tuple[Choice, ...]]]] = field(default_factory=list)

    def diagnosis(self, faults: Collection[str]) -> Diagnosis:
        """The probabilities of the right bot, of these faults, and of something else."""
        observed: dict[str, Observation] = {}
        conforming: dict[str, Prediction] = {}
        predicted: dict[str, dict[str, Prediction]] = {name: {} for name in faults}
        effects = {name: self._effects(name) for name in faults if FAULTS[name].where == "playout"}
        for number, (place, reports) in enumerate(self.reports):
            columns = _reported(place)
            if not columns:
                continue
            probe = f"report {number}"
            observed[probe] = _measured(place, columns)
            conforming[probe] = _moments(reports[RIGHT], columns)
            for name in reports.keys() & predicted.keys():
                drawn = _drawn(reports[name], reports[RIGHT], effects[name]) if name in effects else None
                predicted[name][probe] = _moments(reports[name], columns, drawn)
        right = self._right_shares()
        for number, (place, _) in enumerate(self.choices):
            observed[f"move {number}"] = Counted(_counts(place, [place.choice]))
            conforming[f"move {number}"] = right[number]
        for name in faults:
            for number, shares in self._shares(name, right).items():
                predicted[name][f"move {number}"] = shares
        return diagnose(observed, conforming, predicted, mismatch=MISMATCH, wide=True)

    def fits(self, fault: str) -> bool:
        """Return whether refbot with this fault as the reference of an audit would not refuse the bot."""
        return min(self._p_values(fault), default=1.0) >= UNFIT

    def _effects(self, fault: str) -> tuple[Effects, ...]:
        """How the fault changes length and score over all positions."""
        rows = [(reports[fault], reports[RIGHT]) for _, reports in self.reports if fault in reports]
        changes = np.array([own.mean - right.mean for own, right in rows])
        variances = np.array([_error(own) + _error(right) for own, right in rows])
        return tuple(random_effects(changes[:, k], variances[:, k]) for k in range(2))

    def _right_shares(self) -> list[Shares]:
        """The right bot's shares of the moves of each position, drawn towards equal shares."""
        rows = [_counts(place, choices[RIGHT]) for place, choices in self.choices]
        even = [_even(row) for row in rows]
        weight, _ = fitting_concentration(rows, even)
        return [_drawn_shares(row, base, weight) for row, base in zip(rows, even, strict=True)]

    def _shares(self, fault: str, right: Sequence[Shares]) -> dict[int, Shares]:
        """The shares of a fault where it chose otherwise than the right bot, by the number of the position.

        They are drawn towards equal shares or towards those of the right bot, whichever fits better.
        """
        rows = {k: _counts(place, c[fault]) for k, (place, c) in enumerate(self.choices) if fault in c}
        drawn = []
        for bases in ([_even(row) for row in rows.values()], [right[k].probabilities for k in rows]):
            weight, fit = fitting_concentration(list(rows.values()), bases)
            drawn.append((fit, weight, bases))
        _, weight, bases = max(drawn, key=lambda entry: entry[0])
        return {
            k: _drawn_shares(row, base, weight) for (k, row), base in zip(rows.items(), bases, strict=True)
        }

    def _p_values(self, fault: str) -> Iterator[float]:
        pools = PooledMean(floor=LENGTH_FLOOR), PooledMean(floor=SCORE_FLOOR, tolerance=SCORE_TOLERANCE)
        for place, reports in self.reports:
            shown = reports.get(fault, reports[RIGHT])
            if shown.playouts < 1.0:
                continue
            for column in _reported(place):
                sd = float(np.sqrt(shown.covariance[column, column]))
                reference = Estimate(float(shown.mean[column]), sd, int(shown.playouts))
                pools[column].add([(_value(place, column), place.playouts)], reference)
        for pool in pools:
            evidence = pool.evidence()
            if evidence is not None:
                yield evidence.p_value
                yield min(1.0, 2.0 * min(evidence.narrow_p, evidence.wide_p))
        ranks = RankEvidence(), RankEvidence()
        for place, choices in self.choices:
            moves = choices.get(fault, choices[RIGHT])
            for evidence_of, scores in zip(ranks, _scores(place, moves), strict=True):
                *others, own = scores
                evidence_of.add(rank_of(own, others))
        yield from (evidence_of.p_value for evidence_of in ranks)


def _reported(place: Place) -> list[int]:
    """The columns that the bot reported: 0 the length, 1 the score."""
    return [k for k, value in enumerate((place.search.nodes, place.search.score)) if value is not None]


def _value(place: Place, column: int) -> float:
    nodes, score = place.search.nodes, place.search.score
    value = score if column else None if nodes is None else nodes / place.playouts
    assert value is not None
    return value


def _measured(place: Place, columns: Sequence[int]) -> Measured:
    steps = (1.0, max(HALF_WIN, PRINTED * place.playouts))
    return Measured(
        tuple(_value(place, column) for column in columns),
        place.playouts,
        tuple(steps[column] for column in columns),
    )


def _error(shown: Shown) -> Column:
    """The variances of the means."""
    return np.diag(shown.covariance + shown.rare) / shown.playouts


def _drawn(own: Shown, right: Shown, effects: Sequence[Effects]) -> tuple[Column, Column]:
    """The means of a fault, and their variances: the right bot's, with what the fault changes.

    The change at one position is drawn towards the changes at all of them. A fault that changes nothing is
    predicted exactly as well as the right bot, or else it would be preferred to the right bot for its
    additional playouts.
    """
    spread = np.array([effect.variance for effect in effects])
    usual = np.array([effect.mean for effect in effects])
    own_error, right_error = _error(own), _error(right)
    trusted = spread / (spread + own_error + right_error)
    change = usual + trusted * (own.mean - right.mean - usual)
    error = 1.0 / (1.0 / own_error + 1.0 / (right_error + spread))
    return right.mean + change, np.maximum(error, right_error)


def _moments(shown: Shown, columns: Sequence[int], estimate: tuple[Column, Column] | None = None) -> Moments:
    """The prediction for the columns; `estimate`: other means, and their variances."""
    chosen = list(columns)
    covariance = (shown.covariance + shown.rare)[np.ix_(chosen, chosen)]
    if estimate is not None:
        mean, error = estimate[0][chosen], np.diag(estimate[1][chosen])
    else:
        mean = shown.mean[chosen]
        # A report that depends on an unknown search may be anything up to the size of its mean.
        error = covariance / shown.playouts if shown.playouts else np.diag(mean**2)
    return Moments(tuple(map(float, mean)), _rows(covariance), _rows(error))


def _rows(matrix: np.ndarray) -> tuple[tuple[float, ...], ...]:
    return tuple(tuple(float(cell) for cell in row) for row in matrix)


def _counts(place: Place, moves: Sequence[Choice]) -> tuple[int, ...]:
    """How often each candidate, a pass and anything else was chosen."""
    counted = Counter(moves)
    named = [*map(int, place.root.candidates), None]
    known = [counted[move] for move in named]
    return (*known, len(moves) - sum(known))


def _even(row: Sequence[int]) -> tuple[float, ...]:
    return (1.0 / len(row),) * len(row)


def _drawn_shares(row: Sequence[int], base: Sequence[float], weight: float) -> Shares:
    """The shares of the counts with pseudo-counts that are `weight` times the base."""
    smoothed = np.array(row, np.float64) + weight * np.array(base, np.float64)
    return Shares(tuple(map(float, smoothed / smoothed.sum())))


def _scores(place: Place, moves: Sequence[Choice]) -> tuple[list[float], list[float]]:
    """Frequency and place on the board of each move, the bot's own at the end."""
    bag = [*moves, place.choice]
    return [float(bag.count(move)) for move in bag], [-1.0 if move is None else float(move) for move in bag]
