"""`conform seeds [TABLE…]`: repeats published experiments, and compares the figures with those published."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from harness.cli.exits import ExitCode, UsageError
from harness.cli.options import Cluster, NoColor, Quiet, cluster_workers, console_for
from harness.report.numbers import amount

if TYPE_CHECKING:
    from rich.console import Console

    from harness.seeds import Row


def seeds(
    tables: Annotated[
        list[str] | None, typer.Argument(metavar="TABLE", help="Default: all tables that need no match.")
    ] = None,
    playouts: Annotated[
        int | None,
        typer.Option(min=2, help="Playouts per line (default: as published); in matches: per search."),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the playouts.")] = 1,
    games: Annotated[int | None, typer.Option(min=2, help="Matches: games per line (even).")] = None,
    size: Annotated[int | None, typer.Option(help="Matches: only those on this board size, 9 or 19.")] = None,
    against: Annotated[
        str | None, typer.Option(metavar="COMMAND", help="Matches: command line of another opponent.")
    ] = None,
    workers: Annotated[
        int | None, typer.Option(min=1, help="Matches: number of games at once (default: one per core).")
    ] = None,
    cluster: Cluster = None,
    out: Annotated[
        Path, typer.Option(metavar="DIR", help="Matches: folder of their runs; stored runs are continued.")
    ] = Path("reports/seeds"),
    no_color: NoColor = False,
    quiet: Quiet = False,
) -> int:
    """Run the published experiments again.

    Each figure is printed beside the published one. Matches are played only if they are named. To continue a
    stopped match, run the same command again.
    """
    from harness.seeds import MATCH_TABLES, UnknownTableError, chosen, run

    try:
        names = chosen(tables or ())
    except UnknownTableError as error:
        raise UsageError(str(error)) from None
    if size is not None and size not in (9, 19):
        raise UsageError(f"there are no published matches on {size}x{size}: --size 9 or 19")
    playout_tables = [name for name in names if name not in MATCH_TABLES]
    rows: list[Row] = []
    if cluster is None:
        for number, name in enumerate(playout_tables, start=1):
            if not quiet:
                typer.echo(f"{name}: playing, table {number} of {len(playout_tables)}", err=True)
            rows += run(name, playouts, seed)
    elif playout_tables:
        rows += _run_on_cluster(cluster, playout_tables, playouts, seed, quiet=quiet)
    code = _print_rows(rows, console_for(no_color=no_color), quiet=quiet)
    if not tables and not quiet:
        typer.echo(
            f"\nnot played, because matches take long: {', '.join(MATCH_TABLES)}; name them to play them"
        )
    matches = [name for name in names if name in MATCH_TABLES]
    if matches:
        from harness.cli.seed_matches import play_tables

        overrides = {"games": games, "playouts": playouts, "against": against, "workers": workers}
        sizes = (size,) if size else ()
        console = console_for(no_color=no_color)
        played = play_tables(matches, sizes, overrides, out, cluster, console, quiet=quiet)
        return played if played != ExitCode.CONFORMS else code
    return code


def _run_on_cluster(
    cluster: str, names: list[str], playouts: int | None, seed: int, *, quiet: bool
) -> Iterator[Row]:
    """Compute each table on a worker of the cluster; yield the rows in the order of `names`.

    Raises UsageError.
    """
    from harness.seeds import run

    job = partial(run, count=playouts, seed=seed)
    rows: dict[int, list[Row]] = {}
    with cluster_workers(cluster, min(len(names), os.cpu_count() or 1)) as pool:
        for number, found in pool.each(job, names, partial(typer.echo, err=True)):
            rows[number] = found
            if not quiet:
                typer.echo(f"{names[number]}: played, {len(rows)} of {amount(len(names), 'table')}", err=True)
    for number in sorted(rows):
        yield from rows[number]


def _print_rows(rows: list[Row], console: Console, *, quiet: bool) -> ExitCode:
    """Print the rows. Return DEVIATES if one of them does not agree with the published figure."""
    from harness.report.text.seeds_table import show_figures

    if not quiet:
        show_figures(console, rows)
    wrong = sum(row.agrees is False for row in rows)
    if wrong:
        typer.echo(
            f"\n{wrong} of {len(rows)} rows do not agree with the published figures; "
            "conform docs seeds lists those that are known"
        )
    elif quiet and rows:
        typer.echo(f"{amount(len(rows), 'row')}: none contradicts the published figures")
    return ExitCode.DEVIATES if wrong else ExitCode.CONFORMS
