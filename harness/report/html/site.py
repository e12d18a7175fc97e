"""A static site from many check reports: a table of engines by clauses, a page and a badge for each engine.

The reports (format `conform-check/1`) may come from anybody: no text of a report becomes a file name.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness.check.clauses import CLAUSES
from harness.files import epoch_seconds, replaced
from harness.report.ci.badge import badge_json, badge_svg
from harness.report.html.page import render
from harness.report.records.engine_table import CELL_KINDS, engine_table
from harness.report.records.stored_check import KINDS, CheckedOnce
from harness.report.signs import KIND_SIGNS, VERDICT_SIGNS
from harness.report.visible import one_line

INDEX = "index.html"


@dataclass(frozen=True)
class Engine:
    """An engine with all its reports, the newest first."""

    number: int  # its place on the site, from 1: engines are sorted by title
    title: str
    reports: tuple[CheckedOnce, ...]

    @property
    def newest(self) -> CheckedOnce:
        """The report whose verdict and clauses the site shows."""
        return self.reports[0]

    @property
    def file(self) -> str:
        """The file name of its page and badges, without the ending."""
        return f"engine-{self.number}"


def engines_of(reports: Iterable[CheckedOnce]) -> list[Engine]:
    """Group the reports by engine, that is by name, or by command if the bot has no name.

    If one run of `conform check` had several commands of one name, such as variants of a bot, each command is
    an engine: then the titles are "mybot (./mybot --fast)" and "mybot (./mybot --slow)". The start time of a
    report shows the run.
    """
    by_name: dict[str, list[CheckedOnce]] = {}
    for report in reports:
        by_name.setdefault(report.name or report.command, []).append(report)
    grouped: dict[str, list[CheckedOnce]] = {}
    for name, own in by_name.items():
        made_together: dict[str, set[str]] = {}  # by start time of a run: its commands
        for report in own:
            made_together.setdefault(report.started, set()).add(report.command)
        variants = any(len(commands) > 1 for commands in made_together.values())
        for report in own:
            key = f"{name} ({report.command})" if variants else name
            grouped.setdefault(key, []).append(report)
    return [
        Engine(number, one_line(key), tuple(sorted(own, key=_moment, reverse=True)))
        for number, (key, own) in enumerate(sorted(grouped.items()), 1)
    ]


def _moment(report: CheckedOnce) -> float:
    """The time of a report. Its text does not sort by time: reports have the zones of their machines."""
    return epoch_seconds(report.started)


def write_site(reports: Sequence[CheckedOnce], folder: Path) -> None:
    """Write the whole site into `folder`. Other files there stay. Raises OSError."""
    engines = engines_of(reports)
    table = engine_table([engine.newest for engine in engines])
    shared: dict[str, Any] = {
        "signs": KIND_SIGNS,
        "kinds": KINDS,
        "verdicts": VERDICT_SIGNS,
        "requirements": CLAUSES,
    }
    rows = list(zip(engines, table.rows, strict=True))
    files = {
        INDEX: render("site_index.html", rows=rows, clauses=table.clauses, meanings=CELL_KINDS, **shared)
    }
    for engine in engines:
        name, verdict = engine.file, engine.newest.verdict
        files[f"{name}.html"] = render("site_engine.html", engine=engine, **shared)
        files |= {f"badges/{name}.svg": badge_svg(verdict), f"badges/{name}.json": badge_json(verdict)}
    for name, text in files.items():
        with replaced(folder / name, within=folder) as file:
            file.write(text)
