"""A check as Markdown, for the summary page of a CI system: the verdict, the causes, the failures.

Text from bots stands between `<code>` tags, with each character that has a meaning in Markdown as a numeric
entity. So a bot's text cannot become structure, a link or a mention.
"""

from __future__ import annotations

from collections.abc import Sequence

from harness.check.model import Result
from harness.report.numbers import amount
from harness.report.quoting import shell_argument
from harness.report.records.check import BotReport, CheckReport
from harness.report.signs import VERDICT_SIGNS
from harness.report.text.by_hand import selection
from harness.report.text.cause_text import cause_basis, cause_label, cause_title
from harness.report.text.counts import count_lines
from harness.report.text.known_text import AS_EXPECTED, by_novelty, headline_with_known
from harness.report.text.profile_text import profile_text
from harness.report.text.undecided import open_lines
from harness.report.visible import safe, shortened
from harness.suite.known_failures import compare

LONGEST = 300
"""Characters of a text from a bot. Chosen: the table stays readable."""

MOST_ROWS = 40
"""Failures in the table; the JSON has all. Chosen: the summary stays far below GitHub's limit of 1 MiB."""

MOST_CAUSES = 3
"""Causes at the top. Chosen: a reader begins with the first one, and three fit a screen."""

_HARMLESS = frozenset(" ,;%'/=+-()?")
"""Characters, beside letters and digits, that have no meaning in Markdown between `<code>` tags."""


def as_markdown(report: CheckReport) -> str:
    """The report as one document."""
    return "\n".join(line for bot in report.bots for line in _bot_lines(bot))


def code(text: str, longest: int = LONGEST) -> str:
    """Text from a bot as code on one line of Markdown. A long one is cut; a line feed becomes `<br>`."""
    shown = shortened(safe(text.strip()), longest)
    return f"<code>{''.join(map(_literal, shown))}</code>"


def _literal(char: str) -> str:
    """A character that Markdown and HTML take as it is: itself, or an entity such as `&#42;` for `*`."""
    if char == "\n":
        return "<br>"
    return char if char.isalnum() or char in _HARMLESS else f"&#{ord(char)};"


def _bot_lines(bot: BotReport) -> list[str]:
    """The lines about one bot: heading, causes, table of failures, undecided checks, counts."""
    findings, strict, known = bot.findings, bot.settings.strict, bot.settings.known
    introduced = f" ({code(f'{findings.name} {findings.version}')})" if findings.name else ""
    head = headline_with_known(findings, known, strict=strict)
    word = bot.verdict if findings.interrupted else head.word
    sign, _ = VERDICT_SIGNS["conforms" if word == AS_EXPECTED else word]
    lines = [f"### {sign} {word}: {code(findings.command)}{introduced}{head.known}", ""]
    if findings.unusable:
        reason = " ".join(code(text) for text in (findings.unusable, findings.hint) if text)
        return [*lines, f"The bot cannot be run: {reason}", ""]
    if line := profile_text(findings):
        lines += [code(line), ""]
    if findings.interrupted:
        lines += ["The run was interrupted.", ""]
    if known is not None:
        found = compare(findings, known, strict=strict).sentences()
        if not found and bot.failures:
            found = ["All of these failures are known."]
        lines += [*(f"- {sentence}" for sentence in found), ""]
    new, old = by_novelty(bot.diagnosis.causes, known)
    for number, cause in enumerate([*new, *old][:MOST_CAUSES]):
        evidence = bot.by_id[cause.evidence]
        rank = "Known" if cause in old else "Another cause" if number else "Start here"
        label = f"{rank}, {cause_label(cause, evidence)}"
        lines += [f"**{label}:** {code(cause_title(cause, evidence))}<br>", code(cause_basis(cause)), ""]
    lines += _table(bot.failures)
    for failure in bot.failures[:1]:
        again = f"conform check {shell_argument(findings.command)} {selection(failure)}"
        lines += [f"To see the first failure again: {code(again)}", ""]
    for text in open_lines(findings):
        lines += [f"Open: {code(' '.join(text.splitlines()))}", ""]
    return [*lines, *(f"- {line}" for line in count_lines(bot)), ""]


def _table(failing: Sequence[Result]) -> list[str]:
    """A table of the failures; empty without failures."""
    if not failing:
        return []
    rows = ["| check | level | clause | outcome | expected | observed |", "|---|---|---|---|---|---|"]
    for result in failing[:MOST_ROWS]:
        check, judgement = result.check, result.judgement
        ended = f"{result.outcome} | {code(judgement.expected)} | {code(judgement.observed)}"
        rows.append(f"| {code(check.id)} | {check.level.upper()} | {code(result.clause)} | {ended} |")
    if len(failing) > MOST_ROWS:
        more = amount(len(failing) - MOST_ROWS, "more failure")
        rows += ["", f"{more}: the JSON report (`--json FILE`) has all."]
    return [*rows, ""]
