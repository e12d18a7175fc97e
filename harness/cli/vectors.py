"""`conform vectors`: positions with exact values, for the unit tests of a bot in any language."""

from __future__ import annotations

from typing import Annotated

import typer

from harness.cli.exits import ExitCode, UsageError
from harness.cli.options import names_of_checks


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("vectors")(vectors)


def vectors(
    patterns: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="GLOB|CLAUSE", help="Only those of these checks.", autocompletion=names_of_checks
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the vectors as JSON.")] = False,
    show_schema: Annotated[bool, typer.Option("--schema", help="Print the JSON schema of --json.")] = False,
) -> int:
    """Print positions with exact values, for unit tests.

    Each has the game, the moves that are allowed, lengths and results of playouts with their probabilities,
    and the values of the records (AMAF). Without --json, a line for each.
    """
    from harness.report.files import vectors as report
    from harness.suite.registry import UnknownCheckError, select
    from harness.suite.vectors import move_vectors, search_vectors

    if show_schema:
        typer.echo(report.schema_text(), nl=False)
        return ExitCode.CONFORMS
    try:
        chosen = select(patterns or ())
    except UnknownCheckError as error:
        raise UsageError(str(error)) from None
    moves, searches = list(move_vectors(chosen)), list(search_vectors(chosen))
    if not moves and not searches:
        raise UsageError(
            "none of these checks has a position with exact values; conform vectors prints those that have"
        )
    if as_json:
        typer.echo(report.as_json(moves, searches), nl=False)
        return ExitCode.CONFORMS
    for line in report.summary(moves, searches):
        typer.echo(line)
    return ExitCode.CONFORMS
