"""The definitions of the CSV files of a run and their columns: name, meaning, unit, function for the cell.

A new column is one new entry: in `harness.arena.store.schema` for a stored fact, in `harness.arena.verdicts`
for a judged fact, else here. `make docs` writes the lists in docs/formats.md from these definitions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, get_type_hints

from harness.arena.config.tables import MatchConfig
from harness.arena.game.reproduction import search_line
from harness.arena.judge.playouts import differing_statistics
from harness.arena.store.schema import BESIDE_GAME, GAME, SEARCH
from harness.arena.store.store import Store
from harness.arena.store.table import Column, Table
from harness.arena.verdicts import Deviation, MatchVerdicts, PairParity, PlayoutStatistics, Standing
from harness.report.records.run_paths import RunPaths
from harness.report.text.suspect_text import named_fault


@dataclass(frozen=True)
class Run:
    """A stored run and its verdicts, for columns whose cells need more than their row."""

    store: Store
    config: MatchConfig
    verdicts: MatchVerdicts

    @cached_property
    def paths(self) -> RunPaths:
        """The paths of the files of games."""
        return RunPaths.of(self.config, self.store.engine_names())

    @cached_property
    def pair_names(self) -> dict[int, str]:
        """By number of a pair: the names of its bots."""
        return {pair.number: f"{pair.first} - {pair.second}" for pair in self.verdicts.pairs}

    @cached_property
    def differing(self) -> dict[str, tuple[str, ...]]:
        """By bot: the statistics in which it differs from the reference."""
        return differing_statistics(self.verdicts.playouts)


class CsvColumn(NamedTuple):
    """A column of a CSV file.

    cell        a function that makes the value from the row and the run
    exact       write a float with all its digits instead of 6 decimals
    """

    name: str
    meaning: str
    cell: Callable[[Any, Run], object]
    unit: str = ""
    exact: bool = False


class CsvFile(NamedTuple):
    """A CSV file. `rows` reads its rows in their order; the class of a row depends on the file."""

    name: str
    columns: tuple[CsvColumn, ...]
    rows: Callable[[Run], Iterable[Any]]

    @property
    def header(self) -> tuple[str, ...]:
        """The names of the columns."""
        return tuple(column.name for column in self.columns)


def _attribute(name: str, meaning: str, unit: str = "") -> CsvColumn:
    """A column with the attribute of this name of the row."""
    return CsvColumn(name, meaning, lambda row, _: getattr(row, name), unit)


def _verdict_columns(verdict: type) -> Iterator[CsvColumn]:
    """CSV columns for the fields of a verdict class that are annotated with `About`. A row is a verdict.

    `About` is (meaning, unit): the field `games: Annotated[int, About("games that count")]` is a column.
    """
    for name, hint in get_type_hints(verdict, include_extras=True).items():
        for about in getattr(hint, "__metadata__", ()):
            yield _attribute(name, *about)


def _store_column(column: Column, cell: Callable[[Any, Run], object]) -> CsvColumn:
    """The CSV column for a column of the store: its CSV name, meaning and unit."""
    exact = column.unit != "seconds"  # komi and reported scores have any number of decimals
    return CsvColumn(column.csv_name, column.meaning, cell, column.unit, exact)


def _game_columns(*tables: Table) -> Iterator[CsvColumn]:
    """CSV columns of the store tables about games. A row has the cells of one game, by CSV name."""
    return (_game_column(column) for table in tables for column in table.columns if column.csv_name)


def _game_column(column: Column) -> CsvColumn:
    return _store_column(column, lambda row, _: row[column.csv_name])


def _search_columns(columns: Iterable[Column]) -> Iterator[CsvColumn]:
    """CSV columns of a stored search. A row is (search, sums of the reference, or None without an audit)."""
    return (_search_column(column) for column in columns if column.csv_name)


def _search_column(column: Column) -> CsvColumn:
    return _store_column(column, lambda row, _: getattr(row[0], column.name))


def _reference(name: str, meaning: str, unit: str = "") -> CsvColumn:
    """A column about the playouts of the reference. A row is as for `_search_columns`."""
    return CsvColumn(f"reference_{name}", meaning, lambda row, _: row[1] and getattr(row[1], name), unit)


def _pair_cell(row: Any, run: Run) -> str:
    """The names of the two bots, in one order for all games: the first has Black in the first game."""
    return run.pair_names[row["pair"]]


def _line_cell(deviation: Deviation, run: Run) -> str:
    return search_line(run.store.game(deviation.game_id), deviation.move, deviation.color, run.config)


def _duplicate_cell(row: Any, run: Run) -> str | None:
    return run.verdicts.duplicates.get(str(row["game_id"]))


GAMES = CsvFile(
    "games.csv",
    (
        *(
            column._replace(cell=_pair_cell) if column.name == "pair" else column
            for column in _game_columns(GAME)
        ),
        CsvColumn(
            "duplicate_of",
            "id of an earlier game of the pair with the same colours and moves, up to symmetry",
            _duplicate_cell,
        ),
        CsvColumn(
            "sgf",
            "file with the record of the game",
            lambda row, run: run.paths.game_file(row["game_id"], row["reason"]),
        ),
        *_game_columns(*BESIDE_GAME),
        CsvColumn("rules", "rules of the game", lambda _, run: run.config.run.rules.name),
    ),
    lambda run: run.store.game_cells(),
)
_MOVE_AND_COLOUR, _OTHERS = slice(2), slice(2, None)  # the bot stands beside its colour
_SEARCH = tuple(_search_columns(SEARCH.columns))
SEARCHES = CsvFile(
    "searches.csv",
    (
        CsvColumn("game_id", "id of the game", lambda row, _: row[0].game_id),
        *_SEARCH[_MOVE_AND_COLOUR],
        CsvColumn("bot", "name of the bot that searched", lambda row, _: row[0].bot),
        *_SEARCH[_OTHERS],
        _reference("playouts", "playouts of the reference; empty if not audited"),
        _reference("length", "mean length of a playout of the reference", "moves"),
        _reference("length_sd", "standard deviation of that length", "moves"),
        _reference("score", "mean result of a playout of the reference, 0 to 1"),
        _reference("score_sd", "standard deviation of that result"),
        _reference("covariance", "covariance of length and result of a playout", "moves"),
    ),
    lambda run: run.store.audit.searches_in_order(),
)
VERDICTS = (
    CsvFile("standings.csv", tuple(_verdict_columns(Standing)), lambda run: run.verdicts.standings),
    CsvFile("parity.csv", tuple(_verdict_columns(PairParity)), lambda run: run.verdicts.parity),
    CsvFile("playouts.csv", tuple(_verdict_columns(PlayoutStatistics)), lambda run: run.verdicts.playouts),
)
"""The files that are written anew after each judging while the run is played; GAMES grows."""
AUDIT = CsvFile(
    "audit.csv",
    (
        *_verdict_columns(Deviation),
        CsvColumn("reproduce", "a line for a shell that repeats the search", _line_cell),
    ),
    lambda run: run.verdicts.deviations,
)
DIAGNOSIS = CsvFile(
    "diagnosis.csv",
    (
        _attribute("bot", "name of a bot that differs from the reference"),
        CsvColumn(
            "differs",
            "the statistics in which it differs: lengths, scores, moves",
            lambda row, run: "; ".join(run.differing[row.bot]),
        ),
        _attribute("fault", "a fault that the bot looks like, or `something else`; at most three for a bot"),
        _attribute("probability", "probability of this fault"),
        _attribute("clause", "clause of the specification that the fault breaks"),
        _attribute("misconception", "what a bot with this fault does"),
    ),
    lambda run: map(named_fault, run.verdicts.suspects),
)
FILES = (GAMES, SEARCHES, *VERDICTS, AUDIT, DIAGNOSIS)
