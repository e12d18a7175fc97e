"""`conform spec [CLAUSE]`: the specification itself."""

from __future__ import annotations

import difflib
from typing import Annotated

import typer

from harness.cli.exits import ExitCode, UsageError


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("spec")(spec)


def _clauses(incomplete: str) -> list[str]:
    from harness.check.clauses import CLAUSES

    return [name for name in CLAUSES if name.startswith(incomplete)]


def spec(
    clause: Annotated[
        str | None,
        typer.Argument(metavar="CLAUSE", help="Only the section of this clause.", autocompletion=_clauses),
    ] = None,
) -> int:
    """Print the specification, or one clause of it."""
    from harness.check.clauses import CLAUSES
    from harness.report.pages.documents import section, specification

    if clause is not None and clause not in CLAUSES:
        near = difflib.get_close_matches(clause, CLAUSES, n=1)
        hint = f"did you mean {near[0]!r}?" if near else f"the clauses: {', '.join(CLAUSES)}"
        raise UsageError(f"no clause is called {clause!r}; {hint}")
    typer.echo(specification() if clause is None else section(clause), nl=False)
    return ExitCode.CONFORMS
