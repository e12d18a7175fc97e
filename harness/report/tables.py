"""Tables that fit the width of the console: columns that do not fit are left out and named below."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from rich.box import SIMPLE_HEAD
from rich.console import Console, ConsoleOptions, RenderResult
from rich.table import Table
from rich.text import Text

LEAST_FOLDED = 20
"""Least width of a column of folded texts, unless its longest word is shorter. Chosen: most
ids stay whole."""

BETWEEN = 3
"""Characters between two columns: two of padding, and one of the border."""


@dataclass(frozen=True)
class Column:
    """A column. If the width is small, columns of the highest `rank` are left out first, of rank 0 never."""

    header: str
    justify: Literal["left", "right"] = "left"
    folded: bool = False  # a long text continues on the next line
    rank: int = 0


def number(header: str, rank: int = 0) -> Column:
    """A column of numbers."""
    return Column(header, "right", rank=rank)


def in_rows(columns: int, width: int, column_width: int) -> list[range]:
    """Divide the indices of `columns` equal columns among tables of this width; each gets at least one."""
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
        """Add a row with a cell for each column."""
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
        return self._width([place for place, column in enumerate(self._columns) if not column.rank])

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Render the columns that fit; called by rich."""
        kept = list(range(len(self._columns)))
        droppable = sorted(filter(self._rank, kept), key=self._rank)
        while droppable and self._width(kept) > options.max_width:
            kept.remove(droppable.pop())
        missing = [column.header for place, column in enumerate(self._columns) if place not in kept]
        left_out = f"left out for lack of room: {', '.join(missing)}" if missing else ""
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
        for column in (self._columns[place] for place in kept):
            table.add_column(
                column.header, justify=column.justify, overflow="fold", no_wrap=not column.folded
            )
        for row in self._rows:
            table.add_row(*(row[place] for place in kept))
        yield table

    def _rank(self, place: int) -> int:
        return self._columns[place].rank

    def _width(self, places: Sequence[int]) -> int:
        """Characters of a table with the columns at these places."""
        width = BETWEEN * len(places) - 1
        for place in places:
            column = self._columns[place]
            longest = max((line.cell_len for row in self._rows for line in row[place].split()), default=0)
            width += max(len(column.header), min(longest, LEAST_FOLDED) if column.folded else longest)
        return width
