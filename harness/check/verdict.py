"""The verdict on a bot, from the findings of its run."""

from __future__ import annotations

from harness.check.model import JUDGED, REFUSING, Level, Outcome, Result, Verdict
from harness.check.phases.findings import Findings

SILENT = frozenset({Outcome.SKIP, Outcome.BLOCKED})
"""Outcomes that say nothing about the bot."""


def verdict(findings: Findings, *, strict: bool = False) -> Verdict:
    """Return the verdict on one bot, by the first condition that holds.

    UNUSABLE       the bot could not be checked at all
    DEVIATES       a check that counts failed
    UNUSABLE       every check that counts ended in an error
    INCONCLUSIVE   the run was interrupted, no check was judged, or a check that counts is open
    CONFORMS       none of these

    The MUST checks count; with `strict` the SHOULD checks do too. Without `strict`, an undecided check that
    `may_stay_open` does not count, as long as another check says something about the bot.
    """
    if findings.unusable:
        return Verdict.UNUSABLE
    levels = {Level.MUST, Level.SHOULD} if strict else {Level.MUST}
    counted = [result for result in findings.results if result.check.level in levels]
    closed = [result for result in counted if strict or not _stays_open(result)]
    if any(result.outcome not in SILENT for result in closed):
        counted = closed
    outcomes = {result.outcome for result in counted}
    if outcomes & REFUSING:
        return Verdict.DEVIATES
    if outcomes and outcomes <= {Outcome.ERROR}:
        return Verdict.UNUSABLE
    asked = {result.outcome for result in findings.results if result.check.level is not Level.INFO}
    if findings.interrupted or (asked and not asked & JUDGED) or (outcomes and outcomes <= SILENT):
        return Verdict.INCONCLUSIVE  # no check was judged
    open_outcomes = {Outcome.INCONCLUSIVE, Outcome.ERROR, Outcome.BLOCKED}
    return Verdict.INCONCLUSIVE if outcomes & open_outcomes else Verdict.CONFORMS


def _stays_open(result: Result) -> bool:
    """Return whether a check is undecided, and may be."""
    return result.check.may_stay_open and result.outcome is Outcome.INCONCLUSIVE
