"""`conform report RUN`: the files of a stored run again, without playing."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from harness.cli.exits import UsageProblem


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("report")(report)


def report(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="The folder of a run, or its run.db.")],
    form: Annotated[
        list[str] | None,
        typer.Option("--format", metavar="FORMAT", help="csv, sgf, gogui-dat …; else as its config has it."),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Write there instead of into the run.")
    ] = None,
    no_color: Annotated[bool, typer.Option("--no-color", help="No colours (as with NO_COLOR).")] = False,
    quiet: Annotated[bool, typer.Option("-q", "--quiet", help="The verdicts alone.")] = False,
) -> int:
    """Write the files of a stored run again from its run.db, and tell what it says."""
    from rich.console import Console

    from harness.cli.match import exit_code
    from harness.match import DATABASE, Store
    from harness.report.match_console import show_judgement
    from harness.report.match_run import WRITERS, write_run
    from harness.schedule import PROBLEMS, told

    unknown = [name for name in form or [] if name not in WRITERS]
    if unknown:
        raise UsageProblem(f"unknown format {unknown[0]!r}; known: {', '.join(WRITERS)}")
    folder = run.parent if run.name == DATABASE else run
    try:
        with Store.open(folder, read_only=True) as store:
            config = store.config()
            if config is None:
                raise UsageProblem(f"{folder}: nothing has been played there yet")
            judgement = write_run(store, config, out or folder, form or config.report.formats)
    except PROBLEMS as problem:
        raise UsageProblem(told(problem)) from None
    show_judgement(Console(no_color=no_color or None, highlight=False), judgement, quiet=quiet)
    return exit_code(judgement, complete=True)
