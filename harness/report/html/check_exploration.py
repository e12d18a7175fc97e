"""Coverage of a check's explorations: counts of commands, refusals, positions and answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from markupsafe import Markup

from harness.check.model import Result
from harness.check.phases.findings import Findings
from harness.report.svg import element

MOST_ROWS = 12
"""Names of a subject with a row each. Chosen: four tables of that length fit side by side."""

TITLES = {
    "commands": "Commands sent",
    "refused": "Commands that must be refused",
    "positions": "Positions searched",
    "judged": "Answers judged",
}
"""By subject of a coverage."""

TOTALS = ("sessions", "positions", "commands", "searches")
"""Numbers of the judgement that say how much was explored."""


class Counted(NamedTuple):
    """The most frequent names of a subject; `more` names with `rest` occurrences are left out.

    A row has a name, its count, and a bar whose length is its share of the largest count.
    """

    title: str
    rows: list[tuple[str, int, Markup]]
    more: int
    rest: int


def explored(findings: Findings) -> Iterator[tuple[Result, str, list[Counted]]]:
    """Each check that explored something, with its totals in words and its subjects."""
    for result in findings.results:
        coverage, numbers = result.judgement.coverage, result.judgement.numbers
        if coverage:
            totals = ", ".join(f"{numbers[name]:,.0f} {name}" for name in TOTALS if name in numbers)
            subjects = [_counted(title, coverage[key]) for key, title in TITLES.items() if coverage.get(key)]
            yield result, totals, subjects


def _counted(title: str, counts: Mapping[str, int]) -> Counted:
    ordered = sorted(counts.items(), key=lambda item: -item[1])
    rows = [(name, count, _bar(count / ordered[0][1])) for name, count in ordered[:MOST_ROWS]]
    left_out = [count for _, count in ordered[MOST_ROWS:]]
    return Counted(title, rows, len(left_out), sum(left_out))


def _bar(share: float) -> Markup:
    rect = element("rect", x=0, y=0, width=max(1.0, 100.0 * share), height=8)
    return element(
        "svg", rect, viewBox="0 0 100 8", preserveAspectRatio="none", aria_hidden="true", class_="bar"
    )
