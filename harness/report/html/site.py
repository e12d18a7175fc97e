"""A static site from many check reports: engines by clauses, a page for each engine, badges, history.

The reports are JSON files of the format `conform-check/1`, perhaps written by others. No text of theirs
becomes the name of a file.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness.check.clauses import CLAUSES
from harness.files import replaced
from harness.report.check_format import FORMAT
from harness.report.ci.badge import badge_json, badge_svg
from harness.report.errors import ReportFileError
from harness.report.html.page import render
from harness.report.html.visible import one_line
from harness.report.signs import VERDICT_SIGNS

INDEX = "index.html"
BADGES = "badges"
KINDS = {
    "pass": "pass",
    "fail": "fail",
    "crash": "fail",
    "timeout": "fail",
    "inconclusive": "open",
    "error": "open",
    "skip": "skip",
}
"""The style of each outcome of the format."""

GRAVITY = ("fail", "open", "pass", "skip")
SIGNS = {"pass": "✓", "fail": "✗", "open": "?", "skip": "–"}


@dataclass(frozen=True)
class CheckedOnce:
    """One bot in one report."""

    name: str
    version: str
    command: str
    verdict: str
    started: str
    budget: str
    tool: str
    checks: tuple[Mapping[str, Any], ...]
    diagnosis: tuple[Mapping[str, Any], ...]

    @property
    def failing(self) -> list[Mapping[str, Any]]:
        """The MUST checks that failed."""
        return [
            check for check in self.checks if check["level"] == "must" and KINDS[check["outcome"]] == "fail"
        ]

    @property
    def clauses(self) -> dict[str, tuple[str, Counter[str]]]:
        """By clause the style of the gravest outcome of its MUST checks, and how many checks have each."""
        counts: dict[str, Counter[str]] = {}
        for check in self.checks:
            if check["level"] == "must":
                counts.setdefault(check["clause"], Counter())[KINDS[check["outcome"]]] += 1
        names = [*(clause for clause in CLAUSES if clause in counts), *sorted(set(counts) - set(CLAUSES))]
        return {
            clause: (next(kind for kind in GRAVITY if counts[clause][kind]), counts[clause])
            for clause in names
        }


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


def read_report(text: str, source: str) -> list[CheckedOnce]:
    """The bots of a report, given as JSON. Raises ReportFileError, which names `source`."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):  # or nested too deeply
        raise ReportFileError(source, "it is no JSON") from None
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise ReportFileError(source, "it has another format")
    try:
        return [_checked(bot, data) for bot in data["bots"]]
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise ReportFileError(source, f"a part is missing or wrong ({error})") from None


def _checked(bot: Mapping[str, Any], data: Mapping[str, Any]) -> CheckedOnce:
    checks = tuple(
        {
            key: str(check[key])
            for key in ("id", "clause", "level", "outcome", "title", "expected", "observed")
        }
        for check in bot["checks"]
    )
    for check in checks:
        KINDS[check["outcome"]]
    VERDICT_SIGNS[bot["verdict"]]
    diagnosis = tuple(
        {"fault": str(item["fault"]), "probability": float(item["probability"])} for item in bot["diagnosis"]
    )
    return CheckedOnce(
        name=str(bot["name"]),
        version=str(bot["version"]),
        command=str(bot["command"]),
        verdict=bot["verdict"],
        started=str(data["started"]),
        budget=str(data["budget"]),
        tool=str(data["tool"]["version"]),
        checks=checks,
        diagnosis=diagnosis,
    )


def engines_of(reports: Iterable[CheckedOnce]) -> list[Engine]:
    """The engines by name; reports of one name belong together, or of one command where there is no name.

    Where one report compares several commands of one name, such as two variants of a bot, each is an engine.
    """
    by_name: dict[str, list[CheckedOnce]] = {}
    for report in reports:
        by_name.setdefault(report.name or report.command, []).append(report)
    grouped: dict[str, list[CheckedOnce]] = {}
    for name, own in by_name.items():
        variants = _has_variants(own)
        for report in own:
            key = f"{name} ({report.command})" if variants else name
            grouped.setdefault(key, []).append(report)
    return [
        Engine(number, one_line(key), tuple(sorted(own, key=lambda report: report.started, reverse=True)))
        for number, (key, own) in enumerate(sorted(grouped.items()), 1)
    ]


def _has_variants(reports: Sequence[CheckedOnce]) -> bool:
    """Whether some of the reports were made together, by different commands."""
    commands: dict[str, set[str]] = {}
    for report in reports:
        commands.setdefault(report.started, set()).add(report.command)
    return any(len(together) > 1 for together in commands.values())


def write_site(reports: Sequence[CheckedOnce], folder: Path) -> None:
    """Write the whole site into `folder`. Raises OSError."""
    engines = engines_of(reports)
    clauses = [name for name in CLAUSES if any(name in engine.newest.clauses for engine in engines)]
    shared: dict[str, Any] = {
        "signs": SIGNS,
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
