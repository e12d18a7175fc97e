"""Evidence for or against each fault: the observations of a check and the predictions of each fault.

Three kinds, each prepared for `harness.stats.diagnose`: lengths and results at each probe, the moves chosen
there, and how the checks that are no such numbers ended.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from harness.check.model import REFUSING, Check, Level, Outcome, Phase, Result
from harness.check.phases.findings import Findings
from harness.check.procedures.search import SYMMETRIES, Series
from harness.diagnosis.search_statistics import (
    Statistics,
    as_rows,
    has_comparable_moves,
    has_no_repeats,
    summed,
)
from harness.diagnosis.signatures import Signature, breaks
from harness.stats.diagnosis import Counted, Measured, Moments, Observation, Prediction, Shares
from refbot.deviations.faults import FAULTS

PRINTING = 0.001
"""Step of a score that is printed with three decimals, as the coarsest bots do."""

LEAST_SHARE = 0.05
"""A move that no hypothesis chooses more often than this is one of "the others"."""

ODD = {Level.MUST: 0.01, Level.SHOULD: 0.1, Level.INFO: 0.3}
"""How often a check ends otherwise than the fault alone would have it: bots have habits of their own."""

SHARE_OF_VARIANCE, ENOUGH_DEGREES = 0.7, 50
"""Rule a fault that counts playouts several times out when the observed variance is below this fraction of
the variance that the fault predicts (with at least ENOUGH_DEGREES degrees of freedom)."""

PRIOR_SEARCHES = 4.0
"""Number of searches of a right bot that are added to the record to estimate the variance of a fault."""


@dataclass
class Evidence:
    """Observations by name, what a conforming bot would show, and what each fault would where it differs."""

    observed: dict[str, Observation] = field(default_factory=dict)
    conforming: dict[str, Prediction] = field(default_factory=dict)
    faults: dict[str, dict[str, Prediction]] = field(default_factory=dict)


def gather(findings: Findings, known: Mapping[str, Signature]) -> Evidence:
    """All the evidence in the findings of one bot, for the recorded signatures ("" is the right bot's).

    A fault that showed nothing when it was recorded explains nothing, and is left out. So are faults that
    repeat searches or playouts, or report those of other searches, where the bot does not: they would explain
    whatever mean is off.
    """
    right = known[""]
    faults = {name: signature for name, signature in known.items() if name and signature.shows}
    if has_no_repeats(findings.series):
        faults = {name: signature for name, signature in faults.items() if signature.repeats == 1.0}
    variance = _relative_variance(findings.series)
    faults = {
        name: signature
        for name, signature in faults.items()
        if FAULTS[name].playout_counted == 1 or variance >= SHARE_OF_VARIANCE * FAULTS[name].playout_counted
    }
    if _counts_one_search(findings.series):
        faults = {name: s for name, s in faults.items() if not FAULTS[name].counts_earlier_searches}
    evidence = Evidence(faults={name: {} for name in faults})
    for result in findings.results:
        if _is_evidence(result.check) and result.outcome in (*REFUSING, Outcome.PASS):
            _add_outcome(evidence, result, faults)
    _add_breaks(evidence, findings, faults)
    judged = _judged_moves(findings)
    for series in findings.series:
        if series.probe.id in right.probes:
            _add_moments(evidence, series, right, faults)
            if series.probe.id not in judged:  # evidence must not count twice
                _add_moves(evidence, series, right, faults)
    return evidence


def _counts_one_search(found: Iterable[Series]) -> bool:
    """Return whether ref-nodes repeats only because every playout has the same length."""
    return any(
        series.probe.expected.certain_length
        and len(series.searches) > 1
        and len({search.nodes for search in series.searches} - {None}) == 1
        for series in found
    )


def _relative_variance(found: Iterable[Series]) -> float:
    """The variance of searches, divided by that of a right bot; infinite where too few searches were made.

    It is taken over all probes, each about the mean that the bot has there under one symmetry.
    """
    squares, degrees = 0.0, 0
    for series in found:
        expected, period = series.probe.expected, SYMMETRIES if series.probe.turns else 1
        for turn in range(period):
            alike = summed(replace(series, searches=series.searches[turn::period]))
            if not alike.mean or alike.searches < 2:
                continue
            for place, sd in enumerate((expected.sd_length, expected.sd_result)):
                if sd > 0.0:
                    squares += (alike.searches - 1) * alike.covariance[place][place] / sd**2
                    degrees += alike.searches - 1
    return squares / degrees if degrees >= ENOUGH_DEGREES else math.inf


# How checks ended


def _is_evidence(check: Check) -> bool:
    """Return whether the outcome shows more than means of searches. A match shows any weakness."""
    phase = check.procedure.phase
    return phase is not Phase.MATCH and check.identifies


def _judged_moves(findings: Findings) -> set[str]:
    """The probes whose moves are judged by a check that is evidence."""
    plans = [r.check.procedure.search_plan for r in findings.results if r.check.identifies]
    return {plan.probe.id for plan in plans if plan is not None}


def _add_outcome(evidence: Evidence, result: Result, faults: Mapping[str, Signature]) -> None:
    """A death or a silence is not explained by a fault that gives a wrong answer."""
    check = result.check
    odd = ODD[check.level]
    passes, fails = Shares((1.0 - odd, odd)), Shares((odd, 1.0 - odd))
    name = f"outcome {check.id}"
    refuses = result.outcome in REFUSING
    evidence.observed[name] = Counted((0, 1) if refuses else (1, 0))
    evidence.conforming[name] = passes
    for fault, signature in faults.items():
        recorded = signature.outcomes.get(check.id, Outcome.PASS)
        if recorded in REFUSING:
            alike = recorded is result.outcome or not refuses
            evidence.faults[fault][name] = fails if alike else passes
        elif recorded is not Outcome.PASS:
            evidence.faults[fault][name] = Shares((0.5, 0.5))


def _add_breaks(evidence: Evidence, findings: Findings, faults: Mapping[str, Signature]) -> None:
    """Searches that could not be made or read: none, some, most of the probing checks."""
    observed = breaks(findings)
    if observed is None:
        return
    evidence.observed["broken searches"] = Counted(tuple(int(observed == kind) for kind in range(3)))
    shares = (Shares((0.98, 0.01, 0.01)), Shares((0.01, 0.98, 0.01)), Shares((0.01, 0.01, 0.98)))
    evidence.conforming["broken searches"] = shares[0]
    for fault, signature in faults.items():
        if signature.breaks:
            evidence.faults[fault]["broken searches"] = shares[signature.breaks]


# Lengths and results


def _add_moments(
    evidence: Evidence, series: Series, right: Signature, faults: Mapping[str, Signature]
) -> None:
    seen = summed(series)
    if not seen.mean or series.passed_unsearched:
        return
    name, probe = f"moments {series.probe.id}", series.probe.id
    playouts = seen.searches * series.playouts
    step = seen.searches * max(0.5, PRINTING * series.playouts)
    evidence.observed[name] = Measured(seen.mean, playouts, (1.0, step))
    wanted = conforming_moments(series, right.probes[probe])
    evidence.conforming[name] = wanted
    for fault, signature in faults.items():
        if signature.repeats > 1.0:
            evidence.faults[fault][name] = _widened(wanted, min(signature.repeats, seen.searches))
        elif probe in signature.probes and signature.probes[probe].mean:
            scale = (
                signature.probes[probe].playouts / series.playouts if FAULTS[fault].nodes_per_search else 1.0
            )
            moments = fault_moments(signature.probes[probe], wanted, scale)
            if FAULTS[fault].counts_earlier_searches:
                moments = replace(moments, se_covariance=((moments.mean[0] ** 2, 0.0), (0.0, 0.0)))
            evidence.faults[fault][name] = moments


def conforming_moments(series: Series, recorded: Statistics) -> Moments:
    """Return the moments of a right bot: expected mean and spread, and their recorded correlation."""
    expected = series.probe.expected
    sds = np.array([expected.sd_length, expected.sd_result])
    correlation = _correlation(recorded)
    both = float(sds[0] * sds[1] * correlation)
    return Moments(
        (expected.mean_length, expected.mean_result),
        ((float(sds[0]) ** 2, both), (both, float(sds[1]) ** 2)),
        ((expected.se_length**2, 0.0), (0.0, expected.se_result**2)),
    )


def _correlation(recorded: Statistics) -> float:
    """Correlation of length and result, drawn towards 0 as far as few searches leave it open."""
    if not recorded.covariance or recorded.searches < 2:
        return 0.0
    (lengths, both), (_, results) = recorded.covariance
    if lengths <= 0.0 or results <= 0.0:
        return 0.0
    value = both / float(np.sqrt(lengths * results))
    if abs(value) > 0.9999:
        return float(np.sign(value))
    return value * (recorded.searches - 1) / (recorded.searches - 1 + PRIOR_SEARCHES)


def fault_moments(recorded: Statistics, right: Moments, scale: float = 1.0) -> Moments:
    """Return the moments of a fault from its record; `scale` multiplies the length."""
    scales = np.array([scale, 1.0])
    own = np.array(recorded.covariance) * np.outer(scales, scales)
    wanted = np.array(right.covariance)
    if recorded.searches < 2:
        own = wanted
    elif own.any():  # else every search was the same, and every playout is
        degrees = recorded.searches - 1
        own = (degrees * own + PRIOR_SEARCHES * wanted) / (degrees + PRIOR_SEARCHES)
    error = own / (recorded.searches * recorded.playouts)
    mean = np.array(recorded.mean) * scales
    return Moments(tuple(map(float, mean)), as_rows(own), as_rows(error))


def _widened(moments: Moments, repeats: float) -> Moments:
    """Widen the moments: of searches that share their random numbers, count one in `repeats`."""
    return Moments(moments.mean, as_rows(np.array(moments.covariance) * repeats), moments.se_covariance)


# Chosen moves


def _add_moves(evidence: Evidence, series: Series, right: Signature, faults: Mapping[str, Signature]) -> None:
    probe = series.probe.id
    recorded = right.probes[probe]
    if not has_comparable_moves(series, recorded):
        return
    own = {
        name: s.probes[probe].moves
        for name, s in faults.items()
        if probe in s.probes and s.probes[probe].moves
    }
    named = _often_chosen([recorded.moves, *own.values()])
    name = f"moves {probe}"
    evidence.observed[name] = Counted(_counts(Counter(s.move for s in series.searches), named))
    evidence.conforming[name] = _shares(recorded.moves, named)
    for fault, moves in own.items():
        repeated = faults[fault].repeats > 1.0
        evidence.faults[fault][name] = _shares(recorded.moves if repeated else moves, named, few=repeated)


def _often_chosen(records: list[Mapping[str, int]]) -> list[str]:
    """The moves that some hypothesis chooses in a notable share of its searches."""
    pooled: Counter[str] = Counter()
    for moves in records:
        total = sum(moves.values())
        pooled.update(move for move, times in moves.items() if times > max(1.0, LEAST_SHARE * total))
    return sorted(pooled)


def _counts(moves: Mapping[str, int], named: list[str]) -> tuple[int, ...]:
    counted = [moves.get(move, 0) for move in named]
    return (*counted, sum(moves.values()) - sum(counted))


def _shares(moves: Mapping[str, int], named: list[str], *, few: bool = False) -> Shares:
    counts = _counts(moves, named)
    total = sum(counts)
    return Shares(tuple(count / total for count in counts), 2.0 if few else float(total))
