"""The files that `conform check` writes beside what it prints."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from harness.cli.exits import UsageError
from harness.cli.options import check_writable, make_folder, write_to

if TYPE_CHECKING:
    from harness.checks.execution.findings import Findings
    from harness.report.record import CheckReport

STANDARD_OUTPUT = Path("-")


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
    transcripts_in_json: bool = False

    @property
    def takes_standard_output(self) -> bool:
        """JSON goes there, so that everything else must not."""
        return self.json == STANDARD_OUTPUT

    @property
    def _files(self) -> tuple[Path | None, ...]:
        return self.json, self.junit, self.html, self.markdown, self.badge, self.known_failures

    @property
    def json_path(self) -> Path | None:
        """The file of the JSON report."""
        return None if self.takes_standard_output else self.json

    def prepare(self) -> None:
        """Raises UsageError for what cannot be written, before the work and not after it."""
        if self.transcripts_in_json and self.json is None:
            raise UsageError("--json-transcripts adds to the report of --json FILE: give --json FILE too")
        if self.transcript is not None:
            make_folder(self.transcript)
        for path in self._files:
            if path is not None and path != STANDARD_OUTPUT:
                check_writable(path)

    def write(self, report: CheckReport) -> None:
        """Write all of it. Raises UsageError."""
        from harness.checks.known_failures import list_of_failures
        from harness.report.junit import as_junit
        from harness.report.record import as_json

        if self.json is not None:
            text = as_json(report, transcripts=self.transcripts_in_json)
            if self.takes_standard_output:
                typer.echo(text, nl=False)
            else:
                write_to(self.json, text)
        if self.junit is not None:
            write_to(self.junit, as_junit(report))
        if self.html is not None:
            from harness.report.html.check_page import check_page

            write_to(self.html, check_page(report))
        if self.markdown is not None:
            from harness.report.markdown import as_markdown

            write_to(self.markdown, as_markdown(report))
        if self.badge is not None:
            write_to(self.badge, _badge(self.badge, report))
        if self.transcript is not None:
            _write_transcripts(self.transcript, report.findings)
        first = report.findings[0]
        if self.known_failures is not None and not first.unusable:
            write_to(self.known_failures, list_of_failures(first, strict=report.strict))


def _badge(path: Path, report: CheckReport) -> str:
    """The badge of the first bot, as JSON for a file with that ending."""
    from harness.report.badge import badge_json, badge_svg

    verdict = str(report.verdicts[0])
    return badge_json(verdict) if path.suffix == ".json" else badge_svg(verdict)


def _write_transcripts(folder: Path, findings: Sequence[Findings]) -> None:
    from harness.report.transcripts import write_transcripts

    try:
        write_transcripts(folder, findings)
    except OSError as error:
        raise UsageError(f"cannot write {error.filename}: {error.strerror}") from None
