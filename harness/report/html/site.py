"""A static site from many check reports: engines by clauses, a page for each engine, badges, history.

The reports are JSON files of the format `conform-check/1`, perhaps written by others. No text of theirs
becomes the name of a file.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness.check.clauses import CLAUSES
from harness.files import replaced
from harness.report.ci.badge import badge_json, badge_svg
from harness.report.html.page import render
from harness.report.records.stored_check import KINDS, CheckedOnce
from harness.report.signs import KIND_SIGNS, VERDICT_SIGNS
from harness.report.visible import one_line

INDEX = "index.html"
BADGES = "badges"


@dataclass(frozen=True)
class Engine:
    """An engine with all its reports, the newest first."""

    number: int
    title: str
    reports: tuple[CheckedOnce, ...]

    @property
    def newest(self) -> CheckedOnce:
        """The report that counts."""
        return self.reports[0]

    @property
    def file(self) -> str:
        """The name of its page and, with other endings, of its badges."""
        return f"engine-{self.number}"


def engines_of(reports: Iterable[CheckedOnce]) -> list[Engine]:
    """The engines by name; reports of one name belong together, or of one command where there is no name.

    Where one report compares several commands of one name, such as two variants of a bot, each is an engine.
    """
    by_name: dict[str, list[CheckedOnce]] = {}
    for report in reports:
        by_name.setdefault(report.name or report.command, []).append(report)
    grouped: dict[str, list[CheckedOnce]] = {}
    for name, own in by_name.items():
        made_together: dict[str, set[str]] = {}  # by the time of a report the commands in it
        for report in own:
            made_together.setdefault(report.started, set()).add(report.command)
        variants = any(len(commands) > 1 for commands in made_together.values())
        for report in own:
            key = f"{name} ({report.command})" if variants else name
            grouped.setdefault(key, []).append(report)
    return [
        Engine(number, one_line(key), tuple(sorted(own, key=lambda report: report.started, reverse=True)))
        for number, (key, own) in enumerate(sorted(grouped.items()), 1)
    ]


def write_site(reports: Sequence[CheckedOnce], folder: Path) -> None:
    """Write the whole site into `folder`. Raises OSError."""
    engines = engines_of(reports)
    clauses = [name for name in CLAUSES if any(name in engine.newest.clauses for engine in engines)]
    shared: dict[str, Any] = {
        "signs": KIND_SIGNS,
        "kinds": KINDS,
        "verdicts": VERDICT_SIGNS,
        "requirements": CLAUSES,
    }
    _write(folder, INDEX, render("site_index.html", engines=engines, clauses=clauses, **shared))
    for engine in engines:
        _write(folder, f"{engine.file}.html", render("site_engine.html", engine=engine, **shared))
        _write(folder, f"{BADGES}/{engine.file}.svg", badge_svg(engine.newest.verdict))
        _write(folder, f"{BADGES}/{engine.file}.json", badge_json(engine.newest.verdict))


def _write(folder: Path, name: str, text: str) -> None:
    with replaced(folder / name, within=folder) as file:
        file.write(text)
