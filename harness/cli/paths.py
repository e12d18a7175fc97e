"""Read and write files that the user names. An OSError about such a file becomes a UsageError."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from harness import files
from harness.cli.exits import UsageError

if TYPE_CHECKING:
    from harness.check.model import Check
    from harness.report.records.stored_check import CheckedOnce

PROJECT_FILE, SHARED_FILE = "conform.toml", "pyproject.toml"
"""Names of the files with the settings of a project: the second one has them in `[tool.conform]`."""
REPORTS = Path("reports")
"""The folder for the folders of runs, unless an option names another one."""
STANDARD_OUTPUT = Path("-")
"""The value of a file option that means standard output."""


@contextmanager
def _usage_errors(action: str, path: Path) -> Iterator[None]:
    """Turn an OSError into a UsageError: "cannot write report.json: permission denied"."""
    try:
        yield
    except OSError as error:
        raise UsageError(f"cannot {action} {path}: {files.os_reason(error)}") from None


def write_to(path: Path, text: str) -> None:
    """Write text to a file, a device or a pipe. Raises UsageError.

    An old file stays until the new one is complete.
    """
    with _usage_errors("write", path):
        if path.exists() and not path.is_file():  # a device or a pipe
            path.write_text(text, encoding="utf-8")
            return
        with files.replaced(path.resolve()) as file:
            file.write(text)


def print_or_write(path: Path | None, text: str) -> None:
    """Write a report, or print it if the path is `-`; do nothing if it is None. Raises UsageError."""
    if path == STANDARD_OUTPUT:
        typer.echo(text, nl=False)
    elif path is not None:
        write_to(path, text)


def check_writable(*paths: Path | None, or_printed: Sequence[Path | None] = ()) -> None:
    """Raise UsageError if a file cannot be written at one of these paths. Skips None.

    A command calls this at its start, so that no work is lost at its end.

    paths        of files; `-` is an error: only some options print
    or_printed   further paths, or `-` for standard output
    """
    if STANDARD_OUTPUT in paths:
        raise UsageError(
            "only JSON and events can be printed (--json -, --events -): name a file in place of -"
        )
    for path in (*paths, *or_printed):
        if path is not None and path != STANDARD_OUTPUT:
            with _usage_errors("write", path):
                files.check_writable(path.resolve())


def append_to(path: Path, text: str) -> None:
    """Append text to a file. Raises UsageError."""
    with _usage_errors("write", path), path.open("a", encoding="utf-8") as file:
        file.write(text)


def make_folder(path: Path) -> None:
    """Make a folder, and those above it; it may exist. Raises UsageError."""
    with _usage_errors("make the folder", path):
        path.mkdir(parents=True, exist_ok=True)


def read_from(path: Path) -> str:
    """Return the text of a file, each line ended by a line feed alone. Raises UsageError."""
    try:
        with _usage_errors("read", path):
            text = files.read_named(path).decode("utf-8")
            return text.replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError:
        raise UsageError(f"cannot read {path}: it is not text in UTF-8") from None


def load_cases(path: Path | None) -> tuple[Check, ...]:
    """Read the saved cases in a file, as checks; no check if the path is None. Raises UsageError."""
    from harness.explore.cases import CasesError, as_checks, read_cases

    try:
        return () if path is None else as_checks(read_cases(read_from(path)))
    except CasesError as error:
        raise UsageError(f"{path}: {error}") from None


def load_known_failures(path: Path | None) -> frozenset[str] | None:
    """Read the ids of the known failures in a file; None if the path is None. Raises UsageError."""
    from harness.suite.known_failures import read_known
    from harness.suite.registry import CheckPatternError

    try:
        return None if path is None else read_known(read_from(path))
    except CheckPatternError as error:
        raise UsageError(f"{path}: {error}") from None


def load_report(path: Path | None) -> Sequence[CheckedOnce] | None:
    """Read the bots of a report of check --json; None if the path is None. Raises UsageError."""
    from harness.report.errors import ReportFileError
    from harness.report.records.stored_check import read_report

    try:
        return None if path is None else read_report(read_from(path), str(path))
    except ReportFileError as error:
        raise UsageError(str(error)) from None
