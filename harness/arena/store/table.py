"""A table of a store and its columns, and the statements of SQL that follow from them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from operator import attrgetter
from typing import Any, NamedTuple

from harness.arena.records import GameRecord

Value = Callable[[GameRecord], object]


class Column(NamedTuple):
    """A column of a table.

    condition   holds for each value, NULL aside; "" where another column or the reader's own code checks it
    meaning     for readers of the CSV file; "" if the file does not have the column
    csv         its name in the CSV file, where that is another one
    clause      constraint of SQL
    value       its value in the row of a game; None: the attribute of its name of the row's source
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
        """Its name in the CSV file; empty if the file does not have it."""
        return (self.csv or self.name) if self.meaning else ""

    @property
    def sql(self) -> str:
        """Its definition in CREATE TABLE."""
        needed = "" if self.null or self.clause.startswith("PRIMARY KEY") else "NOT NULL"
        return " ".join(filter(None, (self.name, self.type, needed, self.clause)))

    @property
    def check(self) -> str:
        """A condition of SQL that holds for the values that conform writes."""
        condition = self.condition.format(self.name)
        return f"({self.name} IS NULL OR {condition})" if self.null else f"({condition})"


def _record_itself(record: GameRecord) -> Iterable[object]:
    return (record,)


@dataclass(frozen=True)
class Table:
    """A table of the store.

    part        the kind of part of a run whose checksum covers the rows; "": no checksum does
    conditions  conditions of SQL on a row
    later       older stores lack the table; it is added when they are opened
    optional    a part of a run may have no row in it, its checksum is then that without the table
    sources     the objects of a game's record that have a row in the table; a tuple is the row itself
    """

    name: str
    columns: tuple[Column, ...]
    constraint: str = ""
    part: str = ""
    conditions: tuple[str, ...] = ()
    later: bool = False
    optional: bool = False
    sources: Callable[[GameRecord], Iterable[object]] = _record_itself

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the columns."""
        return tuple(column.name for column in self.columns)

    @cached_property
    def key(self) -> str:
        """The column with the key of the part that a row belongs to."""
        clauses = ("PRIMARY KEY", "REFERENCES")
        return next(column.name for column in self.columns if column.clause.startswith(clauses))

    @property
    def label(self) -> str:
        """The column whose value names a part in messages, and in the table of the checksums."""
        return "game_id" if "game_id" in self.names else self.key

    @cached_property
    def rows_of_part(self) -> str:
        """The query for the rows of one part by its key, in a fixed order."""
        place = self.names.index(self.key)
        several = self.columns[place].clause.startswith("REFERENCES")
        order = f" ORDER BY {self.names[place + 1]}" if several and len(self.names) > place + 1 else ""
        return f"SELECT * FROM {self.name} WHERE {self.key} = ?{order}"

    @property
    def create(self) -> str:
        """The statement that creates the table."""
        keys, _, ending = self.constraint.partition("WITHOUT")
        parts = [*(column.sql for column in self.columns), *filter(None, (keys.strip(),))]
        return f"CREATE TABLE {self.name} ({', '.join(parts)}){' WITHOUT' + ending if ending else ''}"

    @cached_property
    def insert(self) -> str:
        """The statement that inserts a row."""
        return f"INSERT INTO {self.name} VALUES ({', '.join('?' * len(self.columns))})"

    @property
    def condition(self) -> str:
        """True for a row with values that conform writes; empty if its reader checks them."""
        checks = [column.check for column in self.columns if column.condition]
        return " AND ".join([*checks, *(f"({condition})" for condition in self.conditions)])

    def rows_from(self, record: GameRecord) -> list[tuple[Any, ...]]:
        """The rows of a game without its key, as SQLite returns them: REAL as float, and no negative zero."""
        sources = self.sources(record)
        rows = [source if isinstance(source, tuple) else self._values(source) for source in sources]
        columns: list[Iterable[Any]] = list(zip(*rows, strict=True))
        for place in self._reals if rows else ():
            columns[place] = [None if value is None else value + 0.0 for value in columns[place]]
        return list(zip(*columns, strict=True))

    @cached_property
    def _reals(self) -> tuple[int, ...]:
        return tuple(place for place, column in enumerate(self.columns[1:]) if column.type == "REAL")

    @cached_property
    def _values(self) -> Callable[[Any], Iterable[Any]]:
        values = [column.value or attrgetter(column.name) for column in self.columns[1:]]
        return lambda source: [value(source) for value in values]
