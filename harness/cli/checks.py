"""`conform checks`: the list of checks."""

from __future__ import annotations

from typing import Annotated

import typer

from harness.cli.exits import ExitCode, UsageError


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("checks")(checks)


def checks(
    patterns: Annotated[list[str] | None, typer.Argument(metavar="GLOB|CLAUSE", help="Only some.")] = None,
) -> int:
    """List the checks: id, level, clause, what is required."""
    from harness.suite.registry import UnknownCheckError, select

    try:
        chosen = select(patterns or ())
    except UnknownCheckError as error:
        raise UsageError(str(error)) from None
    for check in chosen:
        typer.echo(f"{check.id:<34} {check.level.upper():<7} {check.clause:<18} {check.title}")
    return ExitCode.CONFORMS
