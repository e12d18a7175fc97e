"""`conform explain ID`: one check, with its clause, its position, what is expected and why."""

from __future__ import annotations

from typing import Annotated

import typer

from harness.cli.exits import ExitCode, UsageError


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("explain")(explain)


def explain(check_id: Annotated[str, typer.Argument(metavar="ID", help="A check, or a glob.")]) -> int:
    """Explain checks."""
    from harness.checks.registry import UnknownCheckError, find
    from harness.report.explain import explanation

    try:
        chosen = find(check_id)
    except UnknownCheckError as error:
        raise UsageError(str(error)) from None
    typer.echo("\n\n".join(explanation(check) for check in chosen))
    return ExitCode.CONFORMS
