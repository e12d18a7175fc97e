"""Which fault does a bot behave like? Probabilities over known faults, "conforming" and "something else".

Each hypothesis predicts what every probe shows. Observations are measured on a lattice (totals are whole
numbers of moves or half wins), so that exact and spread-out predictions can be compared: both give the
probability of a cell. All formulas: docs/statistics.md, "Diagnosis".
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from scipy.special import gammaln, log_ndtr, logsumexp

from harness.stats.errors import StatsError
from harness.stats.evidence import Floats, as_floats

CONFORMING = "conforming"
SOMETHING_ELSE = "something else"
# Nothing is certain: with this probability a probe shows anything at all, whatever a hypothesis says.
MISMATCH = 1e-6
# Chances of "something else" to show on any one probe: on few, on some, on most, each as likely. Where it
# does not show it looks like a conforming bot.
SHOWS = (0.01, 0.1, 0.5)
PRIOR_CONFORMING = 0.5
PRIOR_ELSE = 0.025
# "Something else" deviates by about as much as the known faults do, and by no less than this share of the
# mean.
LEAST_SCALE = 0.01


@dataclass(frozen=True)
class Measured:
    """Means of d statistics over `playouts` playouts.

    `steps` are the lattices that their totals live on: 1 for moves, ½ for wins with draws.
    """

    values: tuple[float, ...]
    playouts: int
    steps: tuple[float, ...]


@dataclass(frozen=True)
class Moments:
    """Predicted means of d statistics of one playout, their covariance, and that of the means' own error.

    Without `se_covariance` the prediction is exact; a covariance of zeros means that every playout is the
    same.
    """

    mean: tuple[float, ...]
    covariance: tuple[tuple[float, ...], ...]
    se_covariance: tuple[tuple[float, ...], ...] | None = None


@dataclass(frozen=True)
class Counted:
    """How often each of c outcomes came (chosen moves, outcomes of a check)."""

    counts: tuple[int, ...]


@dataclass(frozen=True)
class Shares:
    """Predicted probabilities of c outcomes, exact or estimated from a `sample` of so many observations."""

    probabilities: tuple[float, ...]
    sample: float = math.inf


Observation = Measured | Counted
Prediction = Moments | Shares


@dataclass(frozen=True)
class Diagnosis:
    """Hypotheses with their probabilities, most probable first; "behaves like", never "is"."""

    ranked: tuple[tuple[str, float], ...]

    def probability(self, name: str) -> float:
        """Probability of one hypothesis. Raises KeyError if it was not considered."""
        return dict(self.ranked)[name]


def diagnose(
    observations: Mapping[str, Observation],
    conforming: Mapping[str, Prediction],
    faults: Mapping[str, Mapping[str, Prediction]],
    *,
    mismatch: float = MISMATCH,
) -> Diagnosis:
    """Probabilities of "conforming", each fault and "something else", given what the probes showed.

    `conforming` predicts every observed probe; a fault that says nothing about a probe is taken to leave it
    as it is. Raises StatsError if a prediction is missing or does not fit its observation.
    """
    missing = sorted(set(observations) - set(conforming))
    if missing:
        raise StatsError(f"no prediction for a conforming bot: {', '.join(missing)}")
    clash = {CONFORMING, SOMETHING_ELSE} & set(faults)
    if clash:
        raise StatsError(f"a fault cannot be called {clash.pop()!r}")
    logs = {CONFORMING: math.log(PRIOR_CONFORMING)}
    otherwise = dict.fromkeys(SHOWS, math.log(PRIOR_ELSE / len(SHOWS)))
    prior = math.log((1.0 - PRIOR_CONFORMING - PRIOR_ELSE) / max(1, len(faults)))
    logs.update(dict.fromkeys(faults, prior))
    for probe, seen in observations.items():
        right = conforming[probe]
        own = {name: said[probe] for name, said in faults.items() if probe in said}
        anything = _log_anything(seen, right, list(own.values()))
        at_right = _tempered(_log_probability(seen, right), anything, mismatch)
        for share in SHOWS:
            otherwise[share] += _tempered(at_right, anything, share)
        for name in (CONFORMING, *faults):
            prediction = own.get(name, right)
            if prediction is right:
                logs[name] += at_right
            else:
                logs[name] += _tempered(_log_probability(seen, prediction), anything, mismatch)
    return _ranked(logs | {SOMETHING_ELSE: float(logsumexp(list(otherwise.values())))})


def _ranked(logs: Mapping[str, float]) -> Diagnosis:
    total = float(logsumexp(list(logs.values())))
    shares = [(name, math.exp(value - total)) for name, value in logs.items()]
    return Diagnosis(tuple(sorted(shares, key=lambda item: (-item[1], item[0]))))


def _tempered(log_p: float, log_anything: float, share: float) -> float:
    """Log of (1 − share) p + share · anything."""
    return float(np.logaddexp(math.log1p(-share) + log_p, math.log(share) + log_anything))


def _log_probability(seen: Observation, said: Prediction) -> float:
    if isinstance(seen, Measured) and isinstance(said, Moments):
        return _log_cell(seen, said)
    if isinstance(seen, Counted) and isinstance(said, Shares):
        return _log_counts(seen, said)
    raise StatsError(f"{type(said).__name__} cannot predict {type(seen).__name__}")


def _log_cell(seen: Measured, said: Moments) -> float:
    """Log probability of the lattice cell of the observed means: Normal, one statistic after the other."""
    values, mean, cells = np.array(seen.values), np.array(said.mean), np.array(seen.steps) / seen.playouts
    shape = (values.size, values.size)
    covariance = np.array(said.covariance, dtype=np.float64) / seen.playouts
    if said.se_covariance is not None:
        covariance = covariance + np.array(said.se_covariance, dtype=np.float64)
    if mean.shape != values.shape or cells.shape != values.shape or covariance.shape != shape:
        raise StatsError(f"a prediction of {mean.size} statistics for {values.size} observed ones")
    total = 0.0
    gap = values - mean
    for i in range(values.size):
        spread = math.sqrt(max(0.0, float(covariance[i, i])))
        total += _log_interval(float(gap[i]), float(cells[i]), spread)
        if spread > cells[i] * 1e-3:  # what is left of the others, given this one
            slope = covariance[i + 1 :, i] / covariance[i, i]
            gap[i + 1 :] -= slope * gap[i]
            covariance[i + 1 :, i + 1 :] -= np.outer(slope, covariance[i, i + 1 :])
    return total


def _log_interval(gap: float, cell: float, spread: float) -> float:
    """Log probability that a Normal(0, spread²) lies within half a cell of `gap`; safe in far tails."""
    if spread <= cell * 1e-3:
        return 0.0 if abs(gap) <= 0.5 * cell * (1.0 + 1e-6) else -math.inf
    near, far = (abs(gap) - 0.5 * cell) / spread, (abs(gap) + 0.5 * cell) / spread
    log_near, log_far = float(log_ndtr(-near)), float(log_ndtr(-far))
    if math.isinf(log_near):
        return -math.inf
    return log_near + math.log(-math.expm1(min(log_far - log_near, -1e-300)))


def _log_counts(seen: Counted, said: Shares) -> float:
    """Log probability of the counts in one order: multinomial; Dirichlet-multinomial for estimates."""
    counts, shares = np.array(seen.counts, dtype=np.float64), as_floats(said.probabilities, "probabilities")
    if counts.shape != shares.shape or np.any(shares < 0.0) or abs(float(shares.sum()) - 1.0) > 1e-6:
        raise StatsError(f"{shares.size} probabilities for {counts.size} counts must be probabilities")
    if math.isinf(said.sample):
        if np.any((shares == 0.0) & (counts > 0.0)):
            return -math.inf
        live = counts > 0.0
        return float((counts[live] * np.log(shares[live])).sum())
    return _dirichlet(counts, said.sample * shares + 1.0 / shares.size)


def _dirichlet(counts: Floats, weights: Floats) -> float:
    total = float(weights.sum())
    each = gammaln(weights + counts) - gammaln(weights)
    return float(gammaln(total) - gammaln(total + counts.sum()) + each.sum())


def _log_anything(seen: Observation, right: Prediction, others: list[Prediction]) -> float:
    """Log probability of an observation if it could be anything: Cauchy about the right mean, any shares."""
    if isinstance(seen, Counted):
        return _dirichlet(np.array(seen.counts, dtype=np.float64), np.ones(len(seen.counts)))
    if not isinstance(right, Moments):
        raise StatsError(f"{type(right).__name__} cannot predict {type(seen).__name__}")
    centre, cells = np.array(right.mean), np.array(seen.steps) / seen.playouts
    if centre.size != len(seen.values) or cells.size != centre.size:
        raise StatsError(f"a prediction of {centre.size} statistics for {len(seen.values)} observed ones")
    reach = np.maximum(np.abs(centre) * LEAST_SCALE, cells)
    for other in others:
        if isinstance(other, Moments) and len(other.mean) == centre.size:
            reach = np.maximum(reach, np.abs(np.array(other.mean) - centre))
    gap = np.abs(np.array(seen.values) - centre)
    density = -2.0 * np.log(np.hypot(1.0, gap / reach)) - np.log(math.pi * reach)
    return float((density + np.log(cells)).sum())
