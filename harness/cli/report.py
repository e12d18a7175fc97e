"""`conform report RUN`: writes the files of a stored run again; with --site, a site from check reports."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from harness.cli.exits import ExitCode, UsageError
from harness.cli.options import NoColor, Quiet, console_for, read_from


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("report")(report)


def report(
    run: Annotated[
        list[Path],
        typer.Argument(metavar="RUN", help="The folder of a run, or its run.db; with --site, JSON reports."),
    ],
    form: Annotated[
        list[str] | None,
        typer.Option(
            "--format",
            metavar="FORMAT",
            help="csv, sgf, gogui-dat …; repeat it (default: the formats of its config).",
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Folder to write into (default: the folder of the run)."),
    ] = None,
    site: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Write a static site from files of check --json: engines by clauses, badges.",
        ),
    ] = None,
    keep_sound: Annotated[
        bool,
        typer.Option(
            "--salvage",
            help="Keep the sound games of a damaged run. The damaged run.db stays beside the new one.",
        ),
    ] = False,
    no_color: NoColor = False,
    quiet: Quiet = False,
) -> int:
    """Write the files of a stored match again, without playing.

    With --site, write a static site from reports of check --json.
    """
    if site is not None:
        if form or out is not None:
            raise UsageError("--site writes into its own folder: leave out --format and --out")
        return _write_site(run, site)
    if len(run) > 1:
        raise UsageError(
            "give one RUN, the folder of a match; only --site takes several, reports of check --json"
        )
    if keep_sound:
        _salvage(run[0])
    return _write_run(run[0], form, out, no_color=no_color, quiet=quiet)


def _salvage(run: Path) -> None:
    from harness.arena.folder.errors import USER_ERRORS, describe_error
    from harness.arena.folder.salvage import salvage_run
    from harness.report.records.run_paths import remove_files_of

    folder = _folder(run)
    try:
        found = salvage_run(folder)
        if found is None:
            typer.echo("the run is sound: nothing was changed")
            return
        saved, damaged = found
        remove_files_of(saved.lost, folder)
    except USER_ERRORS as problem:
        raise UsageError(describe_error(problem)) from None
    typer.echo(f"{saved}; the damaged file is {damaged}. To play lost games again, continue the match")


def _folder(run: Path) -> Path:
    """The folder of a run that is named by its folder or by its database."""
    from harness.arena.store.store import DATABASE

    return run.parent if run.name == DATABASE else run


def _write_site(files: list[Path], folder: Path) -> int:
    from harness.report.errors import ReportFileError
    from harness.report.html.site import INDEX, write_site
    from harness.report.records.stored_check import read_report

    try:
        reports = [report for file in files for report in read_report(read_from(file), str(file))]
        write_site(reports, folder)
    except ReportFileError as problem:
        raise UsageError(str(problem)) from None
    except OSError as problem:
        raise UsageError(f"cannot write {problem.filename}: {problem.strerror}") from None
    typer.echo(f"wrote {folder / INDEX}")
    return ExitCode.CONFORMS


def _write_run(run: Path, form: list[str] | None, out: Path | None, *, no_color: bool, quiet: bool) -> int:
    from harness.arena.folder.errors import USER_ERRORS, describe_error
    from harness.arena.judge.judge import judge
    from harness.arena.store.store import Store
    from harness.cli.match import exit_code
    from harness.report.files.match_run import WRITERS, write_run
    from harness.report.text.match_console import show_verdicts

    unknown = [name for name in form or [] if name not in WRITERS]
    if unknown:
        raise UsageError(f"unknown format {unknown[0]!r}; known: {', '.join(WRITERS)}")
    folder = _folder(run)
    try:
        with Store.open(folder, read_only=True) as store:
            config = store.config()
            if config is None:
                raise UsageError(f"{folder}: no game has been played there yet")
            verdicts = judge(store, config)
            write_run(store, verdicts, out or folder, form or config.report.formats)
    except USER_ERRORS as problem:
        raise UsageError(describe_error(problem)) from None
    show_verdicts(console_for(no_color=no_color), verdicts, quiet=quiet)
    return exit_code(verdicts, complete=True)
