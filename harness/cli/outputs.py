"""`Outputs`: the files that `conform check` writes."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from harness.cli.exits import UsageError
from harness.cli.paths import STANDARD_OUTPUT, check_writable, make_folder, print_or_write, write_to
from harness.files import os_reason

if TYPE_CHECKING:
    from harness.report.records.check import CheckReport


@dataclass(frozen=True)
class Outputs:
    """The path of each output, from the options of `conform check`; None for an option that is not given."""

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
        """True if the standard output takes JSON or events, so that all other text must go elsewhere."""
        return STANDARD_OUTPUT in (self.json, self.events)

    @property
    def json_path(self) -> Path | None:
        """The file of the JSON report; None if the report is printed or not wanted."""
        return None if self.json == STANDARD_OUTPUT else self.json

    def prepare(self) -> None:
        """Make the folder of transcripts. Call this before the checks run.

        Raises UsageError for an output that cannot be written, a badge with another ending than .svg
        and .json, and options that do not fit together.
        """
        if self.transcripts_in_json and self.json is None:
            raise UsageError("--json-transcripts adds to the report of --json FILE: give --json FILE too")
        if self.json == self.events == STANDARD_OUTPUT:
            raise UsageError("--json - and --events - both take the standard output: give one of them a file")
        if self.badge is not None and self.badge.suffix not in (".svg", ".json"):
            raise UsageError(
                f"a badge is an SVG or a JSON file: name it *.svg or *.json, not {self.badge.name}"
            )
        files = (self.junit, self.html, self.markdown, self.badge, self.known_failures)
        check_writable(*files, or_printed=(self.json, self.events))
        if self.transcript is not None:
            make_folder(self.transcript)

    def write(self, report: CheckReport) -> None:
        """Write all outputs but the events. Raises one UsageError, at the end, for all that failed.

        The badge and the list of known failures are about the first bot. The list is not written if that bot
        is unusable.
        """
        problems = []
        for path, write in (
            (self.json, self._write_json),
            (self.junit, _write_junit),
            (self.html, _write_html),
            (self.markdown, _write_markdown),
            (self.badge, _write_badge),
            (self.transcript, _write_transcripts),
            (self.known_failures, _write_known_failures),
        ):
            try:
                if path is not None:
                    write(path, report)
            except UsageError as problem:
                problems.append(str(problem))
        if problems:
            raise UsageError("; ".join(problems))

    def _write_json(self, path: Path, report: CheckReport) -> None:
        from harness.report.records.check import as_json

        print_or_write(path, as_json(report, transcripts=self.transcripts_in_json))


def _write_junit(path: Path, report: CheckReport) -> None:
    from harness.report.ci.junit import as_junit

    write_to(path, as_junit(report))


def _write_html(path: Path, report: CheckReport) -> None:
    from harness.report.html.check_page import check_page

    write_to(path, check_page(report))


def _write_markdown(path: Path, report: CheckReport) -> None:
    from harness.report.ci.markdown import as_markdown

    write_to(path, as_markdown(report))


def _write_badge(path: Path, report: CheckReport) -> None:
    from harness.report.ci.badge import badge_json, badge_svg

    write_to(path, (badge_json if path.suffix == ".json" else badge_svg)(str(report.verdicts[0])))


def _write_transcripts(folder: Path, report: CheckReport) -> None:
    from harness.report.files.transcripts import write_transcripts

    try:
        write_transcripts(folder, report.findings)
    except OSError as error:
        raise UsageError(f"cannot write {error.filename}: {os_reason(error)}") from None


def _write_known_failures(path: Path, report: CheckReport) -> None:
    from harness.suite.known_failures import list_of_failures

    first = report.findings[0]
    if not first.unusable:
        write_to(path, list_of_failures(first, strict=report.settings.strict))
