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

    json: Path | None
    junit: Path | None
    html: Path | None
    transcript: Path | None  # a folder
    known_failures: Path | None

    @property
    def takes_standard_output(self) -> bool:
        """JSON goes there, so that everything else must not."""
        return self.json == STANDARD_OUTPUT

    def prepare(self) -> None:
        """Raises UsageError for what cannot be written, before the work and not after it."""
        if self.transcript is not None:
            make_folder(self.transcript)
        for path in (self.json, self.junit, self.html, self.known_failures):
            if path is not None and path != STANDARD_OUTPUT:
                check_writable(path)

    def write(self, report: CheckReport) -> None:
        """Write all of it. Raises UsageError."""
        from harness.checks.known_failures import list_of_failures
        from harness.report.junit import as_junit
        from harness.report.record import as_json

        if self.takes_standard_output:
            typer.echo(as_json(report), nl=False)
        elif self.json is not None:
            write_to(self.json, as_json(report))
        if self.junit is not None:
            write_to(self.junit, as_junit(report))
        if self.html is not None:
            from harness.report.html.check_page import check_page

            write_to(self.html, check_page(report))
        if self.transcript is not None:
            _write_transcripts(self.transcript, report.findings)
        first = report.findings[0]
        if self.known_failures is not None and not first.unusable:
            write_to(self.known_failures, list_of_failures(first, strict=report.strict))


def _write_transcripts(folder: Path, findings: Sequence[Findings]) -> None:
    from harness.report.transcripts import write_transcripts

    try:
        write_transcripts(folder, findings)
    except OSError as error:
        raise UsageError(f"cannot write {error.filename}: {error.strerror}") from None
