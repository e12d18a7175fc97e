"""The headline of a bot and the order of its causes, for a report with a list of known failures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from harness.check.model import Verdict
from harness.check.phases.findings import Findings
from harness.check.verdict import verdict
from harness.diagnosis.cause import Cause
from harness.report.numbers import amount
from harness.suite.known_failures import compare, refusing_failures

AS_EXPECTED = "as expected"
"""The word for a bot that conforms apart from the failures in its list, if no listed check passes."""


class Headline(NamedTuple):
    """The word that opens the report of a bot, and the text about known failures that ends the headline."""

    word: str
    known: str


def headline_with_known(findings: Findings, known: frozenset[str] | None, *, strict: bool) -> Headline:
    """Return the headline of a bot: a word for its result, and a text about its known failures.

    Without a list (`known` is None) or without a failure, the word is "interrupted" or the verdict, and the
    text is empty. Otherwise the text counts the failures in the list, and the word disregards them. But the
    word stays if the run was interrupted, the bot is unusable, or it deviates beyond the list.

    known   ids of the checks that the bot is known to fail
    """
    word = "interrupted" if findings.interrupted else str(verdict(findings, strict=strict))
    failures = refusing_failures(findings.results, strict=strict)
    if known is None or not failures:
        return Headline(word, "")
    beyond = compare(findings, known, strict=strict).verdict
    if findings.interrupted or findings.unusable or beyond is Verdict.DEVIATES:
        listed = sum(result.check.id in known for result in failures)
        of_all = amount(len(failures), "failure")
        return Headline(word, f", {listed} of {of_all} in the list of known failures")
    word = AS_EXPECTED if beyond is Verdict.CONFORMS else str(beyond)
    return Headline(word, f": {amount(len(failures), 'known failure')}")


def by_novelty(causes: Sequence[Cause], known: frozenset[str] | None) -> tuple[list[Cause], list[Cause]]:
    """Divide causes into (those that explain a failure outside the list of known ones, the others)."""
    new = [cause for cause in causes if not known or not known.issuperset(cause.explains)]
    return new, [cause for cause in causes if cause not in new]
