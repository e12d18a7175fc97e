"""The verdict on a bot, from the findings of its run."""

from __future__ import annotations

from harness.check.model import REFUSING, Level, Outcome, Result, Verdict
from harness.check.phases.findings import Findings

SILENT = frozenset({Outcome.SKIP, Outcome.BLOCKED})
"""Outcomes that say nothing about the bot."""

DECIDED = REFUSING | {Outcome.PASS}
"""Outcomes of checks that were judged."""


def verdict(findings: Findings, *, strict: bool = False) -> Verdict:
    """Return the verdict on one bot; with `strict` a failed SHOULD refuses it too."""
    if findings.unusable:
        return Verdict.UNUSABLE
    levels = {Level.MUST, Level.SHOULD} if strict else {Level.MUST}
    weighty = [result for result in findings.results if result.check.level in levels]
    decided = [result for result in weighty if not (_stays_open(result) and not strict)]
    if any(result.outcome not in SILENT for result in decided):
        weighty = decided  # an undecided check that `may_stay_open` does not count
    outcomes = {result.outcome for result in weighty}
    if outcomes & REFUSING:
        return Verdict.DEVIATES
    if outcomes and outcomes <= {Outcome.ERROR}:
        return Verdict.UNUSABLE
    asked = {result.outcome for result in findings.results if result.check.level is not Level.INFO}
    if findings.interrupted or (asked and not asked & DECIDED) or (outcomes and outcomes <= SILENT):
        return Verdict.INCONCLUSIVE  # no check was judged
    open_outcomes = {Outcome.INCONCLUSIVE, Outcome.ERROR, Outcome.BLOCKED}
    return Verdict.INCONCLUSIVE if outcomes & open_outcomes else Verdict.CONFORMS


def _stays_open(result: Result) -> bool:
    return result.check.may_stay_open and result.outcome is Outcome.INCONCLUSIVE
