"""The published experiments that are matches: their configs, measured and published win rates.

Yamashita (2010) let variants of one bot play against a fixed opponent. A line of a published table is one
variant, such as "9,41,0.119,1000,Fuego," (board size, cutoff after 41 moves, win rate, games, opponent). The
match of a table on one board size has the opponent and an engine for each variant.
"""

from __future__ import annotations

import math
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from harness.arena.config.examples import example_text
from harness.arena.config.reader import check_config, parse_config
from harness.arena.config.tables import PLAYOUTS_WORD, EngineTable, MatchConfig
from harness.arena.verdicts import MatchVerdicts
from harness.gtp import environment
from harness.seeds.comparison import Row, binomial_interval
from harness.seeds.experiments import published

OPPONENT = "opponent"
"""The first engine of every config. The published lines were played against it."""

CONFIGS = {
    ("yamashita-2010-cutoff", 9): "cutoff-9x9",
    ("yamashita-2010-cutoff", 19): "cutoff-19x19",
    ("yamashita-2010-komi", 9): "komi-9x9",
    ("yamashita-2010-komi", 19): "komi-19x19",
}
"""By table and board size: the name of the config in configs/seeds."""


@dataclass(frozen=True)
class MatchExperiment:
    """A match for the lines of a table on one board size. Each line is a bot against `opponent`."""

    table: str
    size: int
    config: MatchConfig

    @property
    def opponent(self) -> EngineTable:
        """The engine that plays against all others."""
        return self.config.engine[0]

    @property
    def missing(self) -> str:
        """The reason why the opponent cannot be started here; empty if none is known."""
        launch = self.opponent.launch()
        program = launch.command.split()[0]
        if "/" in program or shutil.which(program, path=environment(launch)["PATH"]):
            return ""  # a path is not looked up: a missing file shows when the opponent starts
        hint = " (Debian: apt install gnugo)" if program == "gnugo" else ""
        return f"{program} is not installed{hint}"

    def rows(self, verdicts: MatchVerdicts) -> Iterator[Row]:
        """The published lines beside the games played until now. Lines without a game are left out.

        The rows are marked as not comparable, because bot and opponent are not the author's.
        """
        for line in lines(self.table, self.size):
            if met := verdicts.crosstable.get((engine_of(line), OPPONENT)):
                yield _row(self, line, met.points, met.games)


def match_experiments(
    table: str, sizes: tuple[int, ...] = (), overrides: Mapping[str, Any] | None = None
) -> list[MatchExperiment]:
    """The matches of one table on these board sizes (default: all).

    `overrides` may have games (per line), playouts (per search), against (a command line for the opponent)
    and workers; None changes nothing. Raises ConfigError for values that cannot be used.
    """
    given = {name: value for name, value in (overrides or {}).items() if value is not None}
    return [
        MatchExperiment(table, size, _changed(example(name), given))
        for (of, size), name in CONFIGS.items()
        if of == table and (not sizes or size in sizes)
    ]


def example(name: str) -> MatchConfig:
    """A config of configs/seeds without changes."""
    return parse_config(example_text(f"seeds/{name}.toml"), f"configs/seeds/{name}.toml")


def lines(table: str, size: int) -> list[Any]:
    """The lines of a published table on one board size. A line has an attribute for each column."""
    figures = published(table)
    return list(figures[figures["size"] == size].itertuples())


def engine_of(line: Any) -> str:
    """The name of the engine in the config that plays a line of a published table.

    It is "cutoff 41" for the example of this module. A line of the table about dynamic komi has a `variant`
    in words: "constant komi", "from the first 100 playouts of this search" (engine "playouts:100"), or "from
    the search two moves back", with slope 20 and offset 0.05 (engine "searches:1,slope=20,offset=0.05").
    Lines with the same settings share an engine.
    """
    if hasattr(line, "cutoff_moves"):
        return f"cutoff {line.cutoff_moves}"
    variant = str(line.variant)
    if variant.startswith("constant komi"):
        return "constant komi"
    if variant.startswith("from the first"):
        return f"playouts:{_number(variant)}"
    searches = 1 if variant.startswith("from the search two moves back") else _number(variant)
    return f"searches:{searches},slope={line.slope:g},offset={line.offset:g}"


def _row(experiment: MatchExperiment, line: Any, points: float, games: int) -> Row:
    """A published line beside the points of its engine in the games played."""
    size, published_games = experiment.size, int(line.games)
    published_rate, rate = float(line.win_rate), points / games
    return Row(
        experiment.table,
        f"{size}x{size}, {engine_of(line).replace('searches:1,', 'searches,')}",
        f"win rate in {games} games",
        published=published_rate,
        measured=rate,
        error=_error(rate, games),
        published_error=_error(published_rate, published_games),
        comparable=False,
        interval=binomial_interval(points, games),
        published_interval=binomial_interval(published_rate * published_games, published_games),
    )


def _error(rate: float, games: int) -> float:
    """Standard error of a win rate."""
    return math.sqrt(rate * (1 - rate) / games)


def _number(text: str) -> int:
    """The first word of a text that is a number."""
    return next(int(word) for word in text.split() if word.isdigit())


def _changed(config: MatchConfig, given: Mapping[str, Any]) -> MatchConfig:
    """A config with the values of `overrides` of `match_experiments`. Raises ConfigError."""
    data = config.model_dump(exclude_unset=True, mode="json")
    data["run"] |= {name: given[name] for name in ("games", "workers") if name in given}
    opponent = data["engine"][0]
    if "against" in given:
        opponent["command"] = given["against"]
        opponent.pop("playouts", None)
        if PLAYOUTS_WORD in given["against"]:
            opponent["playouts"] = data["engine"][1]["playouts"]
    for engine in data["engine"]:
        if "playouts" in given and "playouts" in engine:
            engine["playouts"] = given["playouts"]
    return check_config(data, "conform seeds")
