"""Bayesian diagnosis: probabilities that a bot has each known fault, conforms, or has an unknown fault.

The evidence comes from probes: positions in which the bot searches. Each hypothesis ("conforming", a fault by
name, "something else") predicts the result at every probe. Results are multiples of a step (totals are whole
numbers of moves or of half wins), so every hypothesis gives the observed result a probability: exact
predictions 0 or 1, Normal ones the probability of the interval ± ½ step. Formulas: docs/statistics.md,
"Diagnosis".
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from harness.stats import special
from harness.stats.evidence import Floats, StatsError, as_floats

CONFORMING = "conforming"
SOMETHING_ELSE = "something else"  # the hypothesis of an unknown fault
# Probability that a probe's result comes from "anything" (see `log_anything`), not from the prediction. One
# odd probe then lowers a hypothesis by a factor of about 1e-6 at most; chosen: other probes can outweigh it.
MISMATCH = 1e-6
# Probabilities that "something else" changes a probe's result; each is assumed equally likely. An unchanged
# probe looks conforming.
VISIBILITIES = (0.01, 0.1, 0.5)
# Prior probabilities; the known faults share the rest equally. Chosen: most wrong bots have a known fault.
PRIOR_CONFORMING = 0.5
PRIOR_ELSE = 0.025
# "Anything" is as wide as the known faults deviate, and at least this share of the mean; chosen.
LEAST_SCALE = 0.01
# Weights, in pseudo-counts, that `fitting_concentration` tries: small if few outcomes have nearly all
# counts, large if the counts follow the base. Chosen: with powers of 2, one is close to the best weight.
CONCENTRATIONS = (0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0)

# A predicted mean whose standard deviation is below this share of a cell (the least step of an observed mean)
# is taken as exact; chosen: no observation could show the difference.
EXACT = 1e-3

# Simulated observations of `expected_log`; chosen: its mean and variance are then known to about a tenth.
DRAWS = 200


@dataclass(frozen=True)
class Measured:
    """Observed means of d statistics over `playouts` playouts, such as (length, result).

    `steps` are the distances between possible totals: 1 for moves, ½ for wins with draws. For example
    Measured((111.02, 0.445), 1000, (1.0, 0.5)).
    """

    values: tuple[float, ...]
    playouts: int
    steps: tuple[float, ...]


@dataclass(frozen=True)
class Moments:
    """Predicted means and covariance of d statistics of one playout, and the covariance of the means' error.

    Without `se_covariance` the means are exact. With a covariance of zeros all playouts are the same.
    """

    mean: tuple[float, ...]
    covariance: tuple[tuple[float, ...], ...]
    se_covariance: tuple[tuple[float, ...], ...] | None = None


@dataclass(frozen=True)
class Counted:
    """How often each of c outcomes was observed (chosen moves, outcomes of a check)."""

    counts: tuple[int, ...]


@dataclass(frozen=True)
class Shares:
    """Predicted probabilities of c outcomes, exact or estimated from `sample` observations."""

    probabilities: tuple[float, ...]
    sample: float = math.inf


Observation = Measured | Counted
Prediction = Moments | Shares


@dataclass(frozen=True)
class Diagnosis:
    """Hypotheses with their probabilities, most probable first; equally probable ones by name."""

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
    wide: bool = False,
) -> Diagnosis:
    """Probabilities of "conforming", each fault and "something else", given what the probes showed.

    All mappings are by the name of the probe. `conforming` predicts every observed probe. A fault without a
    prediction for a probe is assumed to leave its result unchanged. `mismatch` is explained at MISMATCH.
    `wide`: "anything" (see `log_anything`) is never narrower than the spread of a conforming bot. Raises
    StatsError if a prediction is missing or does not fit its observation, or if a fault has a reserved name.
    """
    missing = sorted(set(observations) - set(conforming))
    if missing:
        raise StatsError(f"no prediction for a conforming bot: {', '.join(missing)}")
    clash = {CONFORMING, SOMETHING_ELSE} & set(faults)
    if clash:
        raise StatsError(f"a fault cannot be called {clash.pop()!r}: the name is reserved")
    logs = {CONFORMING: math.log(PRIOR_CONFORMING)}
    log_else = dict.fromkeys(VISIBILITIES, math.log(PRIOR_ELSE / len(VISIBILITIES)))
    prior = math.log((1.0 - PRIOR_CONFORMING - PRIOR_ELSE) / max(1, len(faults)))
    logs.update(dict.fromkeys(faults, prior))
    for probe, observed in observations.items():
        right = conforming[probe]
        changed = {name: predicted[probe] for name, predicted in faults.items() if probe in predicted}
        anything = log_anything(observed, right, list(changed.values()), wide=wide)
        log_right = log_mixture(log_probability(observed, right), anything, mismatch)
        for share in VISIBILITIES:
            log_else[share] += log_mixture(log_right, anything, share)
        logs[CONFORMING] += log_right
        for name in faults:
            if name in changed:
                logs[name] += log_mixture(log_probability(observed, changed[name]), anything, mismatch)
            else:
                logs[name] += log_right
    return _rank(logs | {SOMETHING_ELSE: float(special.logsumexp(list(log_else.values())))})


def fitting_concentration(
    rows: Sequence[Sequence[int]], bases: Sequence[Sequence[float]]
) -> tuple[float, float]:
    """The weight of CONCENTRATIONS with the highest likelihood of the samples, and its log likelihood.

    Each of `rows` counts the outcomes of one sample; its base is an expected share for each outcome. The
    likelihood is Dirichlet-multinomial, with the weight times the base as pseudo-counts. If several weights
    have the highest likelihood, the smallest counts. Raises StatsError unless there are as many shares as
    counts.
    """
    totals = np.array([sum(row) for row in rows], dtype=np.float64)
    counts = np.array([count for row in rows for count in row], dtype=np.float64)
    shares = np.array([share for base in bases for share in base], dtype=np.float64)
    if counts.shape != shares.shape:
        raise StatsError(f"{shares.size} shares for {counts.size} counts")
    seen = counts > 0.0  # an outcome without a count has the factor 1
    counts, shares = counts[seen], shares[seen]

    def log_likelihood(weight: float) -> float:
        each = special.gammaln(weight * shares + counts) - special.gammaln(weight * shares)
        return float(each.sum() + (special.gammaln(weight) - special.gammaln(weight + totals)).sum())

    found = {weight: log_likelihood(weight) for weight in CONCENTRATIONS}
    best = max(CONCENTRATIONS, key=found.__getitem__)
    return best, found[best]


def _rank(logs: Mapping[str, float]) -> Diagnosis:
    """Turn log probabilities that are known up to a common term into probabilities that sum to 1."""
    total = float(special.logsumexp(list(logs.values())))
    shares = [(name, math.exp(value - total)) for name, value in logs.items()]
    return Diagnosis(tuple(sorted(shares, key=lambda item: (-item[1], item[0]))))


def log_mixture(log_p: float, log_other: float, share: float) -> float:
    """Log probability of a mixture: exp(log_p) with the weight 1 − share, exp(log_other) with `share`.

    0 < `share` < 1.
    """
    return float(np.logaddexp(math.log1p(-share) + log_p, math.log(share) + log_other))


def log_probability(observed: Observation, predicted: Prediction) -> float:
    """Log probability of an observation under a prediction. Raises StatsError if they do not fit."""
    if isinstance(observed, Measured) and isinstance(predicted, Moments):
        return _log_cell(observed, predicted)
    if isinstance(observed, Counted) and isinstance(predicted, Shares):
        return _log_counts(observed, predicted)
    raise StatsError(f"{type(predicted).__name__} cannot predict {type(observed).__name__}")


def _log_cell(observed: Measured, predicted: Moments) -> float:
    """Log probability that the means lie within half a step of the observed ones, by a Normal prediction.

    The statistics are taken one after the other: each is predicted given the observed ones before it.
    """
    values, mean = np.array(observed.values), np.array(predicted.mean)
    cells = np.array(observed.steps) / observed.playouts
    shape = (values.size, values.size)
    covariance = np.array(predicted.covariance, dtype=np.float64) / observed.playouts
    if predicted.se_covariance is not None:
        covariance = covariance + np.array(predicted.se_covariance, dtype=np.float64)
    if mean.shape != values.shape or cells.shape != values.shape or covariance.shape != shape:
        raise StatsError(
            f"{values.size} observed values with {cells.size} steps do not fit {mean.size} predicted means "
            f"with a covariance of shape {covariance.shape}"
        )
    total = 0.0
    gap = values - mean
    for i in range(values.size):
        sd = math.sqrt(max(0.0, float(covariance[i, i])))
        total += _log_interval(float(gap[i]), float(cells[i]), sd)
        if sd > EXACT * cells[i]:  # the statistics after this one become conditional on it
            slope = covariance[i + 1 :, i] / covariance[i, i]
            gap[i + 1 :] -= slope * gap[i]
            covariance[i + 1 :, i + 1 :] -= np.outer(slope, covariance[i, i + 1 :])
    return total


def _log_interval(gap: float, cell: float, sd: float) -> float:
    """Log probability that a Normal(0, sd²) variable lies within half a cell of `gap`; safe in far tails."""
    if sd <= EXACT * cell:
        return 0.0 if abs(gap) <= 0.5 * cell * (1.0 + 1e-6) else -math.inf
    near, far = (abs(gap) - 0.5 * cell) / sd, (abs(gap) + 0.5 * cell) / sd
    log_near, log_far = float(special.log_ndtr(-near)), float(special.log_ndtr(-far))
    if math.isinf(log_near):
        return -math.inf
    return log_near + math.log(-math.expm1(min(log_far - log_near, -1e-300)))  # never log(0)


def _log_counts(observed: Counted, predicted: Shares) -> float:
    """Log probability of the counts in one order: multinomial; for estimates, Dirichlet-multinomial."""
    counts = np.array(observed.counts, dtype=np.float64)
    shares = as_floats(predicted.probabilities, "probabilities")
    if counts.shape != shares.shape or np.any(shares < 0.0) or abs(float(shares.sum()) - 1.0) > 1e-6:
        wrong = f"{shares.size}, the least {shares.min(initial=1.0):g}, with the sum {shares.sum():.9g}"
        raise StatsError(f"expected {counts.size} probabilities, none negative, with the sum 1; got {wrong}")
    if math.isinf(predicted.sample):
        if np.any((shares == 0.0) & (counts > 0.0)):
            return -math.inf
        seen = counts > 0.0
        return float((counts[seen] * np.log(shares[seen])).sum())
    return float(_dirichlet(counts, _weights(shares, predicted.sample)))


def _weights(shares: Floats, sample: float) -> Floats:
    """Return the weights of a Dirichlet distribution for shares measured in `sample` observations."""
    return sample * shares + 1.0 / shares.size


def _dirichlet(counts: Floats, weights: Floats) -> Floats:
    """Return the log probability of counts, along the last axis, under a Dirichlet-multinomial."""
    total = float(weights.sum())
    each = special.gammaln(weights + counts) - special.gammaln(weights)
    found = special.gammaln(total) - special.gammaln(total + counts.sum(axis=-1)) + each.sum(axis=-1)
    return np.asarray(found, dtype=np.float64)


def expected_log(observed: Counted, predicted: Shares) -> tuple[float, float]:
    """Return mean and variance of the log probability of counts if the prediction is true.

    They come from DRAWS simulated observations with the total of `observed`. The total is also the seed.
    """
    made = sum(observed.counts)
    shares = as_floats(predicted.probabilities, "probabilities")
    random = np.random.default_rng(made)
    if math.isinf(predicted.sample):
        drawn = random.multinomial(made, shares / shares.sum(), DRAWS).astype(np.float64)
        logs = (drawn * np.log(np.where(shares > 0.0, shares, 1.0))).sum(axis=1)
    else:
        weights = _weights(shares, predicted.sample)
        drawn = random.multinomial(made, random.dirichlet(weights, DRAWS)).astype(np.float64)
        logs = _dirichlet(drawn, weights)
    return float(np.mean(logs)), float(np.var(logs))


def log_anything(
    observed: Observation, right: Prediction, others: list[Prediction], *, wide: bool = False
) -> float:
    """Log probability under "anything", a broad distribution that covers whatever an unknown fault may do.

    Means are Cauchy about the conforming mean, as wide as the farthest of the predictions `others`, but at
    least LEAST_SCALE of the mean and one step. For counts, every set of shares is equally likely. Raises
    StatsError for a conforming prediction that does not fit the observation.
    """
    if isinstance(observed, Counted):
        counts = np.array(observed.counts, dtype=np.float64)
        return float(_dirichlet(counts, np.ones(counts.size)))
    if not isinstance(right, Moments):
        raise StatsError(f"{type(right).__name__} cannot predict {type(observed).__name__}")
    centre, cells = np.array(right.mean), np.array(observed.steps) / observed.playouts
    if centre.size != len(observed.values) or cells.size != centre.size:
        raise StatsError(
            f"a prediction of {centre.size} statistics for {len(observed.values)} observed ones, "
            f"with {cells.size} steps"
        )
    reach = np.maximum(np.abs(centre) * LEAST_SCALE, cells)
    if wide:
        variances = np.diag(np.array(right.covariance)) / observed.playouts
        if right.se_covariance is not None:
            variances = variances + np.diag(np.array(right.se_covariance))
        reach = np.maximum(reach, np.sqrt(variances))
    for other in others:
        if isinstance(other, Moments) and len(other.mean) == centre.size:
            reach = np.maximum(reach, np.abs(np.array(other.mean) - centre))
    gap = np.abs(np.array(observed.values) - centre)
    density = -2.0 * np.log(np.hypot(1.0, gap / reach)) - np.log(math.pi * reach)
    return float((density + np.log(cells)).sum())
