"""Tables that fit the width of the console.

If a table is too wide, some columns move into the second line of others (`Column.under`). If it is still too
wide, columns are left out and named below the table (`Column.rank`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from rich.box import SIMPLE_HEAD
from rich.console import Console, ConsoleOptions, RenderResult
from rich.table import Table
from rich.text import Text

LEAST_FOLDED = 20
"""Least width of a folded column, unless its longest line is shorter. Chosen: most ids stay whole."""

BETWEEN = 3
"""Characters between two columns: two of padding, and one of the border."""


@dataclass(frozen=True)
class Column:
    """A column of a table.

    folded   a long text continues on the next line
    under    header of another column. If the table is too wide, this column moves into the second line of the
             other one, which takes no more than one
    rank     if the table is still too wide, columns of the highest rank are left out first, of rank 0 never
    """

    header: str
    justify: Literal["left", "right"] = "left"
    folded: bool = False
    rank: int = 0
    under: str = ""


def number_column(header: str, rank: int = 0, under: str = "") -> Column:
    """A column with numbers, aligned right."""
    return Column(header, "right", rank=rank, under=under)


def in_rows(columns: int, width: int, column_width: int) -> list[range]:
    """Divide columns of equal width among tables. Return the indices of the columns of each table.

    A table has at least one column, even if it is wider than `width`.
    """
    each = max(1, width // column_width)
    return [range(first, min(first + each, columns)) for first in range(0, columns, each)]


class FittingTable:
    """A table with a title, printed by rich. Cells are never read as markup."""

    def __init__(self, title: str, *columns: Column, caption: str = "") -> None:
        self.title = title
        self.caption = caption
        self._columns = columns
        self._rows: list[list[Text]] = []

    def add_row(self, *cells: str | Text, style: str = "") -> None:
        """Add a row with a cell for each column. `style`: of all its cells, as rich names styles."""
        texts = [Text(cell) if isinstance(cell, str) else cell for cell in cells]
        for text in texts:
            text.stylize(style)
        self._rows.append(texts)

    @property
    def row_count(self) -> int:
        """Number of rows."""
        return len(self._rows)

    def least_width(self) -> int:
        """The width of the table with its columns of rank 0 alone."""
        return self._width([index for index, column in enumerate(self._columns) if not column.rank])

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Render the columns that fit; called by rich."""
        kept = list(range(len(self._columns)))
        if self._width(kept) > options.max_width and any(column.under for column in self._columns):
            yield self._in_two_lines()
            return
        droppable = sorted(filter(self._rank, kept), key=self._rank)
        while droppable and self._width(kept) > options.max_width:
            kept.remove(droppable.pop())
        missing = [column.header for index, column in enumerate(self._columns) if index not in kept]
        names = ", ".join(missing).replace("\n", ", ")
        left_out = f"left out for lack of room: {names}" if missing else ""
        captions = "; ".join(filter(None, (self.caption, left_out)))
        table = Table(
            title=self.title or None,
            title_justify="left",
            title_style="bold",
            caption=f"{captions}\n" if captions else None,
            caption_justify="left",
            box=SIMPLE_HEAD,
            pad_edge=False,
        )
        for column in (self._columns[index] for index in kept):
            table.add_column(
                column.header, justify=column.justify, overflow="fold", no_wrap=not column.folded
            )
        for row in self._rows:
            table.add_row(*(row[index] for index in kept))
        yield table

    def _in_two_lines(self) -> FittingTable:
        """Return the table with each column that has `under` in the second line of the column named there."""
        below = {column.under: index for index, column in enumerate(self._columns) if column.under}
        indices = [
            (index, *([below[column.header]] if column.header in below else []))
            for index, column in enumerate(self._columns)
            if not column.under
        ]
        columns = [
            replace(self._columns[lines[0]], header="\n".join(self._columns[index].header for index in lines))
            for lines in indices
        ]
        table = FittingTable(self.title, *columns, caption=self.caption)
        for row in self._rows:
            table.add_row(*(Text("\n").join(row[index] for index in lines) for lines in indices))
        return table

    def _rank(self, index: int) -> int:
        return self._columns[index].rank

    def _width(self, indices: Sequence[int]) -> int:
        """Characters of a table with the columns of these indices."""
        width = BETWEEN * len(indices) - 1  # at both ends the border alone
        for index in indices:
            column = self._columns[index]
            longest = max((line.cell_len for row in self._rows for line in row[index].split()), default=0)
            header = max(map(len, column.header.split("\n")))
            width += max(header, min(longest, LEAST_FOLDED) if column.folded else longest)
        return width
