"""Known failures: a list of checks that a bot is known to fail, strict both ways.

The file has one check id a line; `#` begins a comment. A failure that is not listed is a regression, and a
listed check that passes means that the list is out of date: both are reported, and both refuse the bot.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from harness.check.model import REFUSING, Level, Outcome, Result
from harness.check.phases.findings import Findings
from harness.gtp import printable_text
from harness.suite.registry import find

HEAD = "# Checks that this bot is known to fail: conform check BOT --known-failures THIS-FILE\n"

PASSES_NOW = "is among the known failures, and passes: take it off the list"


@dataclass(frozen=True)
class Surprises:
    """How a run differs from its list, as check ids: failures not listed, listed checks that passed."""

    unlisted: tuple[str, ...]
    passed: tuple[str, ...]

    def __bool__(self) -> bool:
        return bool(self.unlisted or self.passed)

    def sentences(self) -> list[str]:
        """A line for each."""
        return [
            *(f"{check}: fails, and is not among the known failures" for check in self.unlisted),
            *(f"{check}: {PASSES_NOW}" for check in self.passed),
        ]


def read_known(text: str) -> frozenset[str]:
    """The ids listed in a file. Raises UnknownCheckError, with the nearest, for one that no check has."""
    lines = (line.partition("#")[0].strip() for line in text.splitlines())
    return frozenset(check.id for line in lines if line for check in find(line))


def surprises(results: Iterable[Result], known: frozenset[str], *, strict: bool) -> Surprises:
    """Compare results with a list. Checks that did not run, or are not decided, are no surprise."""
    results = tuple(results)
    return Surprises(
        tuple(r.check.id for r in refusing(results, strict=strict) if r.check.id not in known),
        tuple(r.check.id for r in results if r.outcome is Outcome.PASS and r.check.id in known),
    )


def without_known(findings: Findings, known: frozenset[str]) -> Findings:
    """The findings as far as they are no known failures."""
    kept = tuple(r for r in findings.results if r.outcome not in REFUSING or r.check.id not in known)
    return replace(findings, results=kept)


def list_of_failures(findings: Findings, *, strict: bool) -> str:
    """The file for a bot as it is: the failures that refuse it, each with what was observed."""
    lines = [HEAD, f"# {printable_text(findings.command)}\n"]
    for result in refusing(findings.results, strict=strict):
        observed = printable_text(result.judgement.observed.split("\n")[0])
        lines.append(f"{result.check.id}  # {observed[:100]}\n")
    return "".join(lines)


def refusing(results: Sequence[Result], *, strict: bool) -> list[Result]:
    """The failures that refuse the bot, as long as they are not known."""
    weighty = {Level.MUST, Level.SHOULD} if strict else {Level.MUST}
    return [r for r in results if r.outcome in REFUSING and r.check.level in weighty]
