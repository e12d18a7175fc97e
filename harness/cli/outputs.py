"""The files that `conform check` writes beside what it prints."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from harness.cli.exits import UsageError
from harness.cli.options import STANDARD_OUTPUT, check_writable, make_folder, write_to

if TYPE_CHECKING:
    from harness.check.phases.findings import Findings
    from harness.report.records.check import CheckReport


@dataclass(frozen=True)
class Outputs:
    """Where to write what; None for what nobody asked for."""

    json: Path | None = None
    junit: Path | None = None
    html: Path | None = None
    markdown: Path | None = None
    badge: Path | None = None  # an SVG file, or JSON by its name
    transcript: Path | None = None  # a folder
    known_failures: Path | None = None
    events: Path | None = None
    transcripts_in_json: bool = False

    @property
    def takes_standard_output(self) -> bool:
        """JSON or events go there, so that everything else must not."""
        return STANDARD_OUTPUT in (self.json, self.events)

    @property
    def _files(self) -> tuple[Path | None, ...]:
        return self.json, self.junit, self.html, self.markdown, self.badge, self.known_failures, self.events

    @property
    def json_path(self) -> Path | None:
        """The file of the JSON report."""
        return None if self.json == STANDARD_OUTPUT else self.json

    def prepare(self) -> None:
        """Raises UsageError for what cannot be written, before the work and not after it."""
        if self.transcripts_in_json and self.json is None:
            raise UsageError("--json-transcripts adds to the report of --json FILE: give --json FILE too")
        if self.json == self.events == STANDARD_OUTPUT:
            raise UsageError("--json - and --events - both take the standard output: give one of them a file")
        if self.transcript is not None:
            make_folder(self.transcript)
        for path in self._files:
            if path is not None and path != STANDARD_OUTPUT:
                check_writable(path)

    def write(self, report: CheckReport) -> None:
        """Write each of them, also after one that cannot be written. Raises UsageError."""
        steps: tuple[tuple[Path | None, Callable[[Path], None]], ...] = (
            (self.json, lambda path: self._write_json(path, report)),
            (self.junit, lambda path: write_to(path, _junit(report))),
            (self.html, lambda path: write_to(path, _html(report))),
            (self.markdown, lambda path: write_to(path, _markdown(report))),
            (self.badge, lambda path: write_to(path, _badge(path, report))),
            (self.transcript, lambda path: _write_transcripts(path, report.findings)),
            (self.known_failures, lambda path: _write_known_failures(path, report)),
        )
        problems = []
        for path, write in steps:
            if path is not None:
                try:
                    write(path)
                except UsageError as problem:
                    problems.append(str(problem))
        if problems:
            raise UsageError("; ".join(problems))

    def _write_json(self, path: Path, report: CheckReport) -> None:
        from harness.report.records.check import as_json

        text = as_json(report, transcripts=self.transcripts_in_json)
        if path == STANDARD_OUTPUT:
            typer.echo(text, nl=False)
        else:
            write_to(path, text)


def _junit(report: CheckReport) -> str:
    from harness.report.ci.junit import as_junit

    return as_junit(report)


def _html(report: CheckReport) -> str:
    from harness.report.html.check_page import check_page

    return check_page(report)


def _markdown(report: CheckReport) -> str:
    from harness.report.ci.markdown import as_markdown

    return as_markdown(report)


def _write_known_failures(path: Path, report: CheckReport) -> None:
    from harness.suite.known_failures import list_of_failures

    first = report.findings[0]
    if not first.unusable:
        write_to(path, list_of_failures(first, strict=report.settings.strict))


def _badge(path: Path, report: CheckReport) -> str:
    """The badge of the first bot, as JSON for a file with that ending."""
    from harness.report.ci.badge import badge_json, badge_svg

    verdict = str(report.verdicts[0])
    return badge_json(verdict) if path.suffix == ".json" else badge_svg(verdict)


def _write_transcripts(folder: Path, findings: Sequence[Findings]) -> None:
    from harness.report.files.transcripts import write_transcripts

    try:
        write_transcripts(folder, findings)
    except OSError as error:
        raise UsageError(f"cannot write {error.filename}: {error.strerror}") from None
