"""`conform explain ID`: one check, with its clause, its position, what is expected and why."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from harness.cli.exits import ExitCode, UsageError
from harness.cli.options import names_of_checks

if TYPE_CHECKING:
    from collections.abc import Sequence

    from harness.check.model import Check


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("explain")(explain)


def explain(
    check_id: Annotated[
        str,
        typer.Argument(metavar="ID", help="A check, a glob, or a clause.", autocompletion=names_of_checks),
    ],
    board: Annotated[
        bool, typer.Option("--board", help="Also list the expected playouts, move by move.")
    ] = False,
    gtp: Annotated[
        bool, typer.Option("--gtp", help="Print only the lines that the check sends: pipe them into a bot.")
    ] = False,
    seed: Annotated[int, typer.Option(help="Seed of the check, which turns dialogues on the board.")] = 1,
) -> int:
    """Explain checks, or a clause."""
    from harness.check.clauses import CLAUSES
    from harness.report.text.explain import clause_explanation, explanation
    from harness.suite.registry import UnknownCheckError, find, select

    try:
        chosen = select((check_id,)) if check_id in CLAUSES else find(check_id)
    except UnknownCheckError as error:
        raise UsageError(str(error)) from None
    if gtp:
        typer.echo(_lines(chosen, seed), nl=False)
    elif check_id in CLAUSES and not board:
        typer.echo(clause_explanation(CLAUSES[check_id], chosen))
    else:
        typer.echo("\n\n".join(explanation(check, playouts=board) for check in chosen))
    return ExitCode.CONFORMS


def _lines(chosen: Sequence[Check], seed: int) -> bytes:
    """The lines of one check, `quit` at their end. Raises UsageError."""
    from harness.report.text.by_hand import QUIT, lines_of

    if len(chosen) != 1:
        raise UsageError(f"--gtp prints the lines of one check, but {len(chosen)} match: give a whole id")
    lines = lines_of(chosen[0], seed)
    if lines is None:
        raise UsageError(
            f"the lines of {chosen[0].id} depend on the answers of the bot: "
            "conform check --transcript DIR writes them"
        )
    return b"".join((*lines, QUIT))
