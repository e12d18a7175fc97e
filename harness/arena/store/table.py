"""Describes a table of a store and its columns, and derives the SQL statements from the description."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from operator import attrgetter
from typing import Any, NamedTuple

from harness.arena.records import GameRecord

Value = Callable[[GameRecord], object]


class Column(NamedTuple):
    """A column of a table.

    condition   SQL condition on each value that is not NULL; {0} is the column. "": checked elsewhere
    meaning     description in the CSV file; "" if the file does not have the column
    unit        unit of the value, for the CSV file
    csv         name in the CSV file, if it is not `name`
    null        the value may be NULL
    clause      SQL constraint of the column
    value       returns the value of a source (see `Table.sources`); None: the source's attribute `name`
    """

    name: str
    type: str
    condition: str = ""
    meaning: str = ""
    unit: str = ""
    csv: str = ""
    null: bool = False
    clause: str = ""
    value: Value | None = None

    @property
    def csv_name(self) -> str:
        """The name of the column in the CSV file; empty if the file does not have it."""
        return (self.csv or self.name) if self.meaning else ""

    @property
    def sql(self) -> str:
        """The definition of the column in CREATE TABLE."""
        needed = "" if self.null or self.clause.startswith("PRIMARY KEY") else "NOT NULL"
        return " ".join(filter(None, (self.name, self.type, needed, self.clause)))

    @property
    def check(self) -> str:
        """The SQL condition on the values of a column with a `condition`; NULL meets it if it is allowed."""
        condition = self.condition.format(self.name)
        return f"({self.name} IS NULL OR {condition})" if self.null else f"({condition})"


def _record_itself(record: GameRecord) -> Sequence[Any]:
    return (record,)


@dataclass(frozen=True)
class Table:
    """A table of the store.

    constraint  SQL that follows the columns: keys, and WITHOUT ROWID
    part        kind of part of a run (game, config, …) whose checksum covers the rows; "": no checksum does
    conditions  SQL conditions on a row
    later       older stores lack the table; opening such a store adds it
    optional    a part may have no row in the table; its checksum is then the same as without the table
    sources     takes from a game's record one object for each row, such as its searches. A tuple (also a
                named one) is the row itself, without the key: `Column.value` is not used
    """

    name: str
    columns: tuple[Column, ...]
    constraint: str = ""
    part: str = ""
    conditions: tuple[str, ...] = ()
    later: bool = False
    optional: bool = False
    sources: Callable[[GameRecord], Sequence[Any]] = _record_itself

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the columns."""
        return tuple(column.name for column in self.columns)

    @cached_property
    def key(self) -> str:
        """The column that identifies the part of a run (the game, the engine, …) to which a row belongs."""
        clauses = ("PRIMARY KEY", "REFERENCES")
        return next(column.name for column in self.columns if column.clause.startswith(clauses))

    @property
    def label(self) -> str:
        """The column whose value names a part in messages and in the table of checksums."""
        return "game_id" if "game_id" in self.names else self.key

    @cached_property
    def rows_of_part(self) -> str:
        """The query for the rows of one part of a run, by its key. The column after the key orders them."""
        key = self.names.index(self.key)
        several = self.columns[key].clause.startswith("REFERENCES")
        order = f" ORDER BY {self.names[key + 1]}" if several and len(self.names) > key + 1 else ""
        return f"SELECT * FROM {self.name} WHERE {self.key} = ?{order}"

    @property
    def create(self) -> str:
        """The statement that creates the table. The words WITHOUT ROWID come behind the bracket."""
        keys, _, ending = self.constraint.partition("WITHOUT")
        parts = [*(column.sql for column in self.columns), *filter(None, (keys.strip(),))]
        return f"CREATE TABLE {self.name} ({', '.join(parts)}){' WITHOUT' + ending if ending else ''}"

    @cached_property
    def insert(self) -> str:
        """The statement that inserts a row."""
        return f"INSERT INTO {self.name} VALUES ({', '.join('?' * len(self.columns))})"

    @property
    def condition(self) -> str:
        """The SQL condition that every row written by conform meets; empty if the table states none."""
        checks = [column.check for column in self.columns if column.condition]
        return " AND ".join([*checks, *(f"({condition})" for condition in self.conditions)])

    @property
    def width(self) -> int:
        """The number of columns without the key, for a table whose first column is the key."""
        return len(self.columns) - 1

    def values_from(self, record: GameRecord) -> tuple[Any, ...]:
        """Return the values of all rows of a game in one tuple, row after row, without the key of the game.

        Two comments, on the moves 5 and 7, give (5, "good", 7, "bad"): the `width` of the table is 2. REAL
        values are as SQLite returns them: floats, and no negative zero.
        """
        sources = self.sources(record)
        are_rows = bool(sources) and isinstance(sources[0], tuple)
        values = list(chain.from_iterable(sources if are_rows else map(self._row, sources)))
        for index in self._reals:
            column = slice(index, None, self.width)
            values[column] = [None if value is None else value + 0.0 for value in values[column]]
        return tuple(values)

    @cached_property
    def _reals(self) -> tuple[int, ...]:
        """The indices of the columns of type REAL, the key not counted."""
        return tuple(index for index, column in enumerate(self.columns[1:]) if column.type == "REAL")

    def _row(self, source: Any) -> Iterable[Any]:
        return [value(source) for value in self._getters]

    @cached_property
    def _getters(self) -> tuple[Callable[[Any], Any], ...]:
        """By column without the key, the function that returns the value of a source."""
        return tuple(column.value or attrgetter(column.name) for column in self.columns[1:])
