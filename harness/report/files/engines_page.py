"""Writes `docs/engines.md`: a table of engines by clauses, and a section for each engine.

`docs/engines` has ENGINE.toml, which people write, for each engine and client, and ENGINE.json, the outcomes
of a check, for each engine.

python -m harness.report.files.engines_page > docs/engines.md.new
python -m harness.report.files.engines_page CHECK.json > docs/engines/ENGINE.json
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from harness.check.clauses import CLAUSES
from harness.files import read_file
from harness.report.markdown import anchor, code, table
from harness.report.records.engine_notes import JUDGEMENTS, EngineNotes, Finding, read_notes
from harness.report.records.engine_table import CELL_KINDS, Cell, Row, engine_table
from harness.report.records.recorded_check import as_recorded, read_recorded
from harness.report.records.stored_check import KINDS, CheckedOnce, read_report
from harness.report.signs import KIND_SIGNS
from harness.suite.registry import CHECKS

FOLDER = Path("docs/engines")

HEAD = """# Real engines under conform

<!-- Written by `make docs` from the files of docs/engines; do not edit. -->

This page lists what `conform check COMMAND --profile gtp` reports about engines that other people wrote.
We repeated every failed MUST by hand, with the lines that the report prints, and judged it. GTP means
version 2, draft 2, on this page. None of these engines is a reference bot, so `--profile reference` reports
more about them: they pass, resign and choose by rules of their own.

To install two of them: `apt-get install gnugo leela-zero`. `make foreign` downloads the packages of npm and
PyPI into `.venv/foreign` and runs the tests on them. `tests/harness/check/test_foreign.py` tests the findings
about those that are installed.
"""


@dataclass(frozen=True)
class Engine:
    """The notes on an engine and the record of its check; a client has no record."""

    notes: EngineNotes
    checked: CheckedOnce | None

    @property
    def failed(self) -> dict[str, str]:
        """The level ("must", "should") of each failed check, by its id."""
        checks = self.checked.checks if self.checked else ()
        return {check["id"]: check["level"] for check in checks if KINDS[check["outcome"]] == "fail"}

    @property
    def unrepeated(self) -> dict[str, str]:
        """The level of each failed check that no finding is about, by its id."""
        found = {check for finding in self.notes.findings for check in finding.checks}
        return {name: level for name, level in self.failed.items() if name not in found}

    @property
    def unrepeated_must(self) -> list[str]:
        """The ids of the failed MUST checks that no finding is about."""
        return [name for name, level in self.unrepeated.items() if level == "must"]


def read_engines(folder: Path = FOLDER) -> list[Engine]:
    """Read all engines of a folder, by name. Raises OSError, ValueError and ReportFileError."""
    engines = []
    for path in sorted(folder.glob("*.toml")):
        record = path.with_suffix(".json")
        checked = read_recorded(read_file(record).decode(), record.name) if record.exists() else None
        try:
            notes = read_notes(read_file(path).decode())
        except ValueError as error:
            raise ValueError(f"{path}: {error}") from None
        engines.append(Engine(notes, checked))
    return sorted(engines, key=lambda engine: engine.notes.name.casefold())


def page(engines: Sequence[Engine]) -> str:
    """The whole page, in Markdown."""
    sections = ["\n".join(_section(engine)) for engine in engines]
    return "\n".join([HEAD, *_table(engines), "", *sections])


def _table(engines: Sequence[Engine]) -> Iterator[str]:
    """The table of engines by clauses, with its legend."""
    checked = [(engine.notes, engine.checked) for engine in engines if engine.checked is not None]
    shown = engine_table([one for _, one in checked])
    meanings = ", ".join(f"{KIND_SIGNS[kind]} {meaning}" for kind, meaning in CELL_KINDS.items())
    judgements = "; ".join(f"*{word}*: {meaning}" for word, meaning in JUDGEMENTS.items())
    yield from ("## Engines by clauses", "", f"A cell shows the checks of a clause: {meanings}.", "")
    links = [f"[{name.removeprefix('gtp-')}]({CLAUSES[name].page}.md#{name})" for name in shown.clauses]
    head = ["engine", *links, "passed", "MUST failed", "SHOULD failed", "not judged", "first cause"]
    rows = (_row(notes, row) for (notes, _), row in zip(checked, shown.rows, strict=True))
    yield from table(head, rows)
    yield from ("", f"The sections below judge each finding. {judgements}.")


def _row(notes: EngineNotes, row: Row) -> Sequence[str]:
    """The cells of one engine."""
    counts = (row.passed, row.must, row.should, row.unjudged)
    return (
        f"[{notes.name}](#{anchor(notes.name)})",
        *map(_cell, row.cells),
        *map(str, counts),
        code(row.cause),
    )


def _cell(cell: Cell) -> str:
    return f"{KIND_SIGNS[cell.kind]} {cell.count}" if cell.count else KIND_SIGNS[cell.kind]


def _section(engine: Engine) -> Iterator[str]:
    """The section about one engine."""
    notes, checked = engine.notes, engine.checked
    yield from (f"## {notes.name}", "")
    version = f"Version {notes.version}, in" if notes.version else "In"
    about = [f"{version} {notes.language}.", notes.source]
    if notes.command:
        about.append(f"The command: `{notes.command}`.")
    if checked is not None:
        about.append(_counts(checked))
    yield from (" ".join(filter(None, about)), "")
    if notes.text:
        yield from (notes.text, "")
    if notes.findings:
        rows = (_finding(finding, engine) for finding in notes.findings)
        yield from table(("check", "level", "the engine", "judged"), rows)
        yield ""
    if rest := engine.unrepeated:
        yield from (f"Not repeated by hand: {', '.join(map(code, rest))}.", "")


def _counts(checked: CheckedOnce) -> str:
    """A sentence about the numbers of checks that passed and failed."""
    (row,) = engine_table([checked]).rows
    cause = f" The first cause is {code(row.cause)}." if row.cause else ""
    return (
        f"Checked on {checked.started[:10]}: {row.passed} checks passed, {row.must} MUST and {row.should}"
        f" SHOULD failed, {row.unjudged} were not judged.{cause}"
    )


def _finding(finding: Finding, engine: Engine) -> Sequence[str]:
    """The cells of one finding: checks, level, sentence, judgement."""
    # The record of a check that another version made may have another level, or a check that is gone.
    levels = {check.id: str(check.level) for check in CHECKS} | engine.failed
    level = ", ".join(dict.fromkeys(levels[name].upper() for name in finding.checks))
    seen = engine.checked is None or any(name in engine.failed for name in finding.checks)
    text = finding.engine if seen else f"{finding.engine} (not in this check)"
    return ", ".join(finding.checks), level, text, finding.judged


def record(report: Path) -> str:
    """Reduce the report of a check of one engine (`check --json`) to its record.

    Raises OSError, ReportFileError, and ValueError for a report on several engines.
    """
    (checked,) = read_report(read_file(report).decode(), report.name)
    return as_recorded(checked)


if __name__ == "__main__":
    sys.stdout.write(record(Path(sys.argv[1])) if sys.argv[1:] else page(read_engines()))
