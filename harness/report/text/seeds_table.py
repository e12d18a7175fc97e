"""Tables of published figures beside measured ones (`harness.seeds`), for a console."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import groupby

from rich.console import Console

from harness.report.tables import Column, FittingTable, number_column
from harness.seeds import Row

AGREES = {True: "yes", False: "NO", None: "-"}
"""By `Row.agrees`: the word in the table; None: the figures cannot be compared."""


def show_figures(console: Console, rows: Sequence[Row]) -> None:
    """Print a table for each published table: both values with standard errors, and their agreement.

    The rows of one table must be adjacent.
    """
    for name, group in groupby(rows, lambda row: row.table):
        table = FittingTable(
            name,
            Column("figure", folded=True),
            number_column("published"),
            number_column("measured"),
            Column("agrees"),
            caption="± standard error",
        )
        for row in group:
            table.add_row(
                f"{row.case}, {row.quantity}",
                _with_error(row.published, row.published_error),
                _with_error(row.measured, row.error),
                AGREES[row.agrees],
            )
        console.print(table)


def show_win_rates(console: Console, rows: Sequence[Row]) -> None:
    """Print a table of published and measured win rates with their 95 % intervals."""
    table = FittingTable(
        "",
        Column("case", folded=True),
        number_column("published"),
        number_column("95 %", rank=2),
        number_column("measured"),
        number_column("95 % ", rank=1),  # headers must differ: hence the blank
    )
    for row in rows:
        table.add_row(
            f"{row.case}, {row.quantity}" if row.quantity else row.case,
            f"{row.published:.3f}",
            _interval(row.published_interval),
            f"{row.measured:.3f}",
            _interval(row.interval),
        )
    console.print(table)


def _with_error(value: float, error: float) -> str:
    """A value with its standard error, which is left out if it is 0; "-" for NaN: nothing was published."""
    if math.isnan(value):
        return "-"
    digits = 4 if abs(value) < 100.0 else 2
    return f"{value:.{digits}f} ± {error:.{digits}f}" if error else f"{value:.{digits}f}"


def _interval(interval: tuple[float, float] | None) -> str:
    return "-" if interval is None else f"{interval[0]:.3f} to {interval[1]:.3f}"
