"""`conform report RUN`: writes the files of a stored run again, without playing."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from harness.cli.exits import UsageError


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("report")(report)


def report(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="The folder of a run, or its run.db.")],
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
    no_color: Annotated[bool, typer.Option("--no-color", help="No colours (as with NO_COLOR).")] = False,
    quiet: Annotated[bool, typer.Option("-q", "--quiet", help="Print only the verdicts.")] = False,
) -> int:
    """Write the files of a stored run again from its run.db, and print its verdicts."""
    from rich.console import Console

    from harness.cli.match import exit_code
    from harness.match import DATABASE, Store, judge
    from harness.report.match_console import show_verdicts
    from harness.report.match_run import RUN_FILES, WRITERS
    from harness.runs import USER_ERRORS, describe_error

    unknown = [name for name in form or [] if name not in WRITERS]
    if unknown:
        raise UsageError(f"unknown format {unknown[0]!r}; known: {', '.join(WRITERS)}")
    folder = run.parent if run.name == DATABASE else run
    try:
        with Store.open(folder, read_only=True) as store:
            config = store.config()
            if config is None:
                raise UsageError(f"{folder}: no game has been played there yet")
            verdicts = judge(store, config)
            RUN_FILES.write(store, verdicts, out or folder, form or config.report.formats)
    except USER_ERRORS as problem:
        raise UsageError(describe_error(problem)) from None
    show_verdicts(Console(no_color=no_color or None, highlight=False), verdicts, quiet=quiet)
    return exit_code(verdicts, complete=True)
