"""Findings of bots that never ran: drawn from the recorded signatures of faults."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from harness.check.model import Judgement, Outcome, Result
from harness.check.phases.findings import Findings
from harness.check.procedures.probe import Probe
from harness.check.procedures.search import SearchProcedure, SearchRecord, Series
from harness.diagnosis.moments import conforming_moments, fault_moments
from harness.diagnosis.signatures import Signature, signatures
from harness.suite.registry import CHECKS

Floats = npt.NDArray[np.float64]


def probes() -> dict[str, tuple[Probe, int]]:
    """Every probe, with the searches that a check makes there at least."""
    found: dict[str, tuple[Probe, int]] = {}
    for check in CHECKS:
        if isinstance(check.procedure, SearchProcedure):
            probe = check.procedure.probe
            found[probe.id] = (probe, max(check.procedure.least, found.get(probe.id, (probe, 0))[1]))
    return found


def imagined(fault: str, rng: np.random.Generator, playouts: int = 1000) -> Findings:
    """What a check of a bot with the fault might have found."""
    signature, right = signatures()[fault], signatures()[""]
    results = [Result(check, Judgement(signature.outcomes.get(check.id, Outcome.PASS))) for check in CHECKS]
    series = [
        _series(probe, searches, signature, right, rng, playouts)
        for name, (probe, searches) in probes().items()
        if name in right.probes and not signature.breaks
    ]
    return Findings("imagined", results=tuple(results), series=tuple(series))


def _series(
    probe: Probe,
    searches: int,
    signature: Signature,
    right: Signature,
    rng: np.random.Generator,
    playouts: int,
) -> Series:
    moments = conforming_moments(Series(probe, playouts, ()), right.probes[probe.id])
    own = signature.probes.get(probe.id)
    if signature is not right and own is not None and own.mean and signature.repeats == 1.0:
        moments = fault_moments(own, moments)
    moves = own.moves if own is not None and own.moves else right.probes[probe.id].moves
    counts = np.array(list(moves.values()), dtype=np.float64)
    assert moments.se_covariance is not None
    mean = np.array(moments.mean) + _noise(rng, moments.se_covariance, 1)[0]
    fresh = max(1, math.ceil(searches / signature.repeats))
    totals = mean + _noise(rng, moments.covariance, fresh) / playouts**0.5
    drawn = [
        SearchRecord(
            str(rng.choice(list(moves), p=counts / counts.sum())),
            max(0, round(length * playouts)),
            min(1.0, max(0.0, round(2 * result * playouts) / 2 / playouts)),
            0.0,
        )
        for length, result in totals
    ]
    return Series(probe, playouts, tuple(drawn[number % fresh] for number in range(searches)))


def _noise(rng: np.random.Generator, covariance: object, draws: int) -> Floats:
    """Normal draws; a covariance that is off by its rounding is taken for the nearest possible one."""
    values, vectors = np.linalg.eigh(np.array(covariance))
    root: Floats = vectors * np.sqrt(np.clip(values, 0.0, None))
    drawn: Floats = rng.standard_normal((draws, 2)) @ root.T
    return drawn


def judged(findings: Findings, level: float = 1e-5) -> Findings:
    """The same findings with the outcome that the searches give each check, p-values held against a level."""
    made = {series.probe.id: series for series in findings.series}
    return replace(findings, results=tuple(_judged(result, made, level) for result in findings.results))


def _judged(result: Result, made: Mapping[str, Series], level: float) -> Result:
    plan = result.check.procedure.search_plan
    if plan is None or plan.probe.id not in made or result.check.identifies:
        return result
    judgement = result.check.procedure.judge(made[plan.probe.id])
    if judgement.p_value is not None and judgement.p_value < level:
        judgement = judgement.with_outcome(Outcome.FAIL)
    return replace(result, judgement=judgement, lines=(b"genmove b\n",), shell_line="imagined")
