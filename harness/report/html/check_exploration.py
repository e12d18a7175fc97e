"""Coverage of a check's explorations: counts of commands, refusals, positions and answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from markupsafe import Markup

from harness.check.model import Result
from harness.check.phases.findings import Findings
from harness.report.svg import element

MOST_ROWS = 12

TITLES = {
    "commands": "Commands sent",
    "refused": "Commands that must be refused",
    "positions": "Positions searched",
    "judged": "Answers judged",
}
"""Of each subject of a coverage."""

TOTALS = ("sessions", "positions", "commands", "searches")
"""Numbers of the judgement that say how much was explored."""


@dataclass(frozen=True)
class CountedRow:
    """One name with its count, and a bar whose length is its share of the largest count."""

    name: str
    count: int
    bar: Markup


@dataclass(frozen=True)
class Counted:
    """The most frequent names of a subject; `more` names with `rest` occurrences are left out."""

    title: str
    rows: tuple[CountedRow, ...]
    more: int
    rest: int


@dataclass(frozen=True)
class Explored:
    """The exploration of one check."""

    result: Result
    totals: str
    subjects: tuple[Counted, ...]


def explored(findings: Findings) -> Iterator[Explored]:
    """Each check that explored something."""
    for result in findings.results:
        coverage, numbers = result.judgement.coverage, result.judgement.numbers
        if coverage:
            totals = ", ".join(f"{numbers[name]:,.0f} {name}" for name in TOTALS if name in numbers)
            subjects = [_counted(title, coverage[key]) for key, title in TITLES.items() if coverage.get(key)]
            yield Explored(result, totals, tuple(subjects))


def _counted(title: str, counts: Mapping[str, int]) -> Counted:
    ordered = sorted(counts.items(), key=lambda item: -item[1])
    largest = ordered[0][1]
    shown, left_out = ordered[:MOST_ROWS], ordered[MOST_ROWS:]
    rows = [CountedRow(name, count, _bar(count / largest)) for name, count in shown]
    return Counted(title, tuple(rows), len(left_out), sum(count for _, count in left_out))


def _bar(share: float) -> Markup:
    rect = element("rect", x=0, y=0, width=max(1.0, 100.0 * share), height=8)
    return element(
        "svg", rect, viewBox="0 0 100 8", preserveAspectRatio="none", aria_hidden="true", class_="bar"
    )
