"""`conform seeds [TABLE…]`: the published experiments, run again."""

from __future__ import annotations

from typing import Annotated

import typer

from harness.cli.exits import ExitCode, UsageProblem


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("seeds")(seeds)


def seeds(
    tables: Annotated[list[str] | None, typer.Argument(metavar="[TABLE…]", help="All if none.")] = None,
    playouts: Annotated[int | None, typer.Option(min=2, help="Playouts a line; else as published.")] = None,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the playouts.")] = 1,
) -> int:
    """Run the published experiments again and print them beside the published figures."""
    from harness.seeds import MATCHES_NEEDED, UnknownTableError, chosen, run, table_of

    try:
        names = chosen(tables or ())
    except UnknownTableError as error:
        raise UsageProblem(str(error)) from None
    rows = []
    for name in names:
        if name in MATCHES_NEEDED:
            typer.echo(f"{name}: needs matches, which this command does not play", err=True)
            continue
        rows += list(run(name, playouts, seed))
    if rows:
        typer.echo(table_of(rows).to_string(index=False, na_rep="-", float_format=lambda x: f"{x:.4f}"))
    wrong = sum(row.agrees is False for row in rows)
    if wrong:
        typer.echo(f"\n{wrong} of {len(rows)} rows do not agree; docs/seeds.md says why.")
    return ExitCode.DEVIATES if wrong else ExitCode.CONFORMS
