"""Known failures: the file of `--known-failures`, which lists the checks that a bot is known to fail.

The file has one check id or pattern a line; `#` begins a comment. A failure that refuses the bot and is not
listed is a regression. A check that passes, though an id or a pattern lists it, makes the list out of date.
Both are reported, and both refuse the bot.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass, replace

from harness.check.model import REFUSING, Level, Outcome, Result, Verdict
from harness.check.phases.findings import Findings
from harness.check.verdict import verdict
from harness.gtp import printable_text
from harness.suite.registry import ids_of

HEAD = "# Checks that this bot is known to fail: conform check BOT --known-failures THIS-FILE\n"

LONGEST_NOTE = 100
"""Most characters of a note in the file. Chosen: with the id, a note fits a line of an editor."""

PASSES_NOW = "is among the known failures, and passes: take it off the list (put ids in place of a pattern)"


@dataclass(frozen=True)
class Comparison:
    """The findings of a bot beside its list of known failures.

    unlisted   ids of the checks that are not in the list and whose failure refuses the bot
    passed     ids of the checks in the list that passed
    verdict    DEVIATES with any difference from the list; else the verdict without the listed failures
    """

    unlisted: tuple[str, ...]
    passed: tuple[str, ...]
    verdict: Verdict

    def sentences(self) -> list[str]:
        """One line for each difference from the list."""
        return [
            *(f"{check}: fails, and is not among the known failures" for check in self.unlisted),
            *(f"{check}: {PASSES_NOW}" for check in self.passed),
        ]


def read_known(text: str) -> frozenset[str]:
    """Return the ids of the checks that the text of a file lists, by id or by pattern.

    Raises CheckPatternError if no check matches a line, or if there are too many lines.
    """
    lines = (line.partition("#")[0].strip() for line in text.splitlines())
    return ids_of(line for line in lines if line)


def compare(findings: Findings, known: frozenset[str], *, strict: bool) -> Comparison:
    """Compare findings with the list `known`. Checks that did not run, or are undecided, are no difference.

    `strict`: a SHOULD that failed refuses the bot, as a MUST does. A failure that does not refuse the bot (a
    SHOULD without `strict`, an INFO) is no difference.
    """
    failed = refusing_failures(findings.results, strict=strict)
    unlisted = tuple(r.check.id for r in failed if r.check.id not in known)
    passed = tuple(r.check.id for r in findings.results if r.outcome is Outcome.PASS and r.check.id in known)
    others = tuple(r for r in findings.results if r.outcome not in REFUSING or r.check.id not in known)
    of_others = verdict(replace(findings, results=others), strict=strict)
    return Comparison(unlisted, passed, Verdict.DEVIATES if unlisted or passed else of_others)


def list_of_failures(findings: Findings, *, strict: bool) -> str:
    """Return the text of a file that lists each failure that refuses the bot now, below two comments.

    An example of a line is `ref.eye.edge  # 5.204 moves a playout`.
    """
    lines = [HEAD, f"# {printable_text(findings.command)}\n"]
    for result in refusing_failures(findings.results, strict=strict):
        observed = printable_text(result.judgement.observed.partition("\n")[0])
        noted = textwrap.shorten(observed, LONGEST_NOTE, placeholder=" …")
        lines.append(f"{result.check.id}  # {noted}".rstrip() + "\n")
    return "".join(lines)


def refusing_failures(results: Sequence[Result], *, strict: bool) -> list[Result]:
    """Return the failures that refuse a bot without a list: those of MUST, and with `strict` of SHOULD."""
    refusing_levels = {Level.MUST, Level.SHOULD} if strict else {Level.MUST}
    return [r for r in results if r.outcome in REFUSING and r.check.level in refusing_levels]
