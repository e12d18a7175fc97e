"""The coverage of explorations (generated sessions of a check): counts of commands, positions and answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from markupsafe import Markup

from harness.check.model import Result
from harness.check.phases.findings import Findings
from harness.report.numbers import amount
from harness.report.svg import element

MOST_ROWS = 12
"""Most rows of the table of a subject. Chosen: four such tables, side by side, fit a screen."""

TITLES = {
    "commands": "Commands sent",
    "refused": "Commands that must be refused",
    "positions": "Positions searched",
    "judged": "Answers judged",
}
"""By subject of a coverage: the title of its table."""

TOTALS = {"sessions": "session", "positions": "position", "commands": "command", "searches": "search"}
"""By name in `Judgement.numbers`, the totals of an exploration: the noun in the singular."""


class Counted(NamedTuple):
    """The table of a subject (such as "commands"): its most frequent names.

    rows   (name, count, bar); the longest bar is the largest count
    more   number of names that are left out
    rest   sum of their counts
    """

    title: str
    rows: list[tuple[str, int, Markup]]
    more: int
    rest: int


def explored(findings: Findings) -> Iterator[tuple[Result, str, list[Counted]]]:
    """Yield (result, totals in words, tables of counts) of each check that explored something."""
    for result in findings.results:
        coverage, numbers = result.judgement.coverage, result.judgement.numbers
        if coverage:
            present = {noun: round(numbers[name]) for name, noun in TOTALS.items() if name in numbers}
            totals = ", ".join(amount(number, noun) for noun, number in present.items())
            subjects = [_counted(title, coverage[key]) for key, title in TITLES.items() if coverage.get(key)]
            yield result, totals, subjects


def _counted(title: str, counts: Mapping[str, int]) -> Counted:
    """The table of a subject, from its counts by name."""
    ordered = sorted(counts.items(), key=lambda item: -item[1])
    rows = [(name, count, _bar(count / ordered[0][1])) for name, count in ordered[:MOST_ROWS]]
    left_out = [count for _, count in ordered[MOST_ROWS:]]
    return Counted(title, rows, len(left_out), sum(left_out))


def _bar(share: float) -> Markup:
    """A bar whose length is this share of the width."""
    rect = element("rect", x=0, y=0, width=max(1.0, 100.0 * share), height=8)
    return element(
        "svg", rect, viewBox="0 0 100 8", preserveAspectRatio="none", aria_hidden="true", class_="bar"
    )
