"""`conform seeds [TABLE…]`: the published experiments, run again."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from harness.cli.exits import ExitCode, UsageProblem

if TYPE_CHECKING:
    from harness.seeds import Row


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("seeds")(seeds)


def seeds(
    tables: Annotated[
        list[str] | None, typer.Argument(metavar="[TABLE…]", help="If none, all that need no match.")
    ] = None,
    playouts: Annotated[
        int | None, typer.Option(min=2, help="Playouts a line, else as published; in matches, a search.")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the playouts.")] = 1,
    games: Annotated[int | None, typer.Option(min=2, help="Matches: games a line (even).")] = None,
    size: Annotated[int | None, typer.Option(help="Matches: only those on 9x9, or on 19x19.")] = None,
    against: Annotated[
        str | None, typer.Option(metavar="COMMAND", help="Matches: another opponent, a command line.")
    ] = None,
    workers: Annotated[
        int | None, typer.Option(min=1, help="Matches: games at once; else one a core.")
    ] = None,
    out: Annotated[
        Path, typer.Option(metavar="DIR", help="Matches: their folders are made there, and gone on with.")
    ] = Path("reports/seeds"),
) -> int:
    """Run the published experiments again and print them beside the published figures.

    Tables that are matches are played only if they are named; stopped, the same command goes on.
    """
    from harness.seeds import MATCH_TABLES, UnknownTableError, chosen, run

    try:
        names = chosen(tables or ())
    except UnknownTableError as error:
        raise UsageProblem(str(error)) from None
    if size is not None and size not in (9, 19):
        raise UsageProblem(f"there are no published matches on {size}x{size}: --size 9 or 19")
    code = _compared([row for name in names if name not in MATCH_TABLES for row in run(name, playouts, seed)])
    if not tables:
        typer.echo(f"\nnot played, as they are matches and take long: {', '.join(MATCH_TABLES)}")
    played = [name for name in names if name in MATCH_TABLES]
    if played:
        from harness.cli.seed_matches import play_tables

        overrides = {"games": games, "playouts": playouts, "against": against, "workers": workers}
        return play_tables(played, (size,) if size else (), overrides, out) or code
    return code


def _compared(rows: list[Row]) -> ExitCode:
    """Print the rows, and say whether all agree that can be compared."""
    from harness.seeds import table_of

    if rows:
        typer.echo(table_of(rows).to_string(index=False, na_rep="-", float_format=lambda x: f"{x:.4f}"))
    wrong = sum(row.agrees is False for row in rows)
    if wrong:
        typer.echo(f"\n{wrong} of {len(rows)} rows do not agree; docs/seeds.md says why.")
    return ExitCode.DEVIATES if wrong else ExitCode.CONFORMS
