"""Reads a config from TOML. Reports its mistakes together, with their lines."""

from __future__ import annotations

import glob
import os
from collections import Counter
from collections.abc import Container, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar
from zoneinfo import ZoneInfo

from pydantic import BaseModel, ValidationError

from harness.arena.config.clock import CLOCK_KEYS, Byoyomi
from harness.arena.config.cron import parse_cron
from harness.arena.config.judging import QUESTIONS, ParityQuestion, SprtQuestion
from harness.arena.config.opening_tables import NoOpenings, RandomOpenings, SgfOpenings
from harness.arena.config.pair_mistakes import mistakes_in_pairs
from harness.arena.config.pair_tables import PairTable
from harness.arena.config.scoring import RulesTable
from harness.arena.config.tables import (
    PLAYOUTS_WORD,
    EngineTable,
    MatchConfig,
    ReportTable,
    RunTable,
    ScheduleTable,
)
from harness.arena.errors import MatchError
from harness.files.patterns import FileSearch
from harness.files.toml_tables import (
    MOST_FOUND,
    KeyPath,
    Lines,
    Mistake,
    TomlError,
    as_json,
    in_words,
    nearest,
    parse_toml,
    read_toml,
)

_HasOpenings = TypeVar("_HasOpenings", RunTable, PairTable)

NOT_SUPPORTED = {
    **dict.fromkeys(("setup", "startup_gtp_commands"), ": commands that are sent at a start are gtp"),
    **dict.fromkeys(("alternate", "alternating"), ': use colours = "alternate" or "fixed"'),
    "opening": ": did you mean 'openings'?",
    "move_limit": ": a game ends after 3·N·N moves, and is then scored",
    "resign_threshold": ": no game is adjudicated; an engine may resign",
}
"""By key of another match program, the explanation that follows "unknown key"."""

_TABLES: Mapping[str, type[BaseModel]] = {
    "run": RunTable,
    "judge": ParityQuestion,
    "engine": EngineTable,
    "pair": PairTable,
    "schedule": ScheduleTable,
    "report": ReportTable,
}
_ARRAYS = ("engine", "pair")
"""The tables that a config may have several times, written in two brackets."""
_INNER: Mapping[str, type[BaseModel]] = {"rules": RulesTable, "byoyomi": Byoyomi}
"""The tables within other tables, by key."""
_OPENINGS: Mapping[str, type[BaseModel]] = {"none": NoOpenings, "random": RandomOpenings, "sgf": SgfOpenings}
_OF_KIND: Mapping[str, tuple[Mapping[str, type[BaseModel]], str]] = {
    "openings": (_OPENINGS, "none"),
    "judge": (QUESTIONS, "parity"),
}
"""By key of a table that has a `kind`: the tables by kind, and the kind that is meant without one."""


class ConfigError(TomlError, MatchError):
    """A config cannot be used. The text has a line for each mistake, with its line number if it has one."""


@contextmanager
def _config_errors() -> Iterator[None]:
    try:
        yield
    except TomlError as error:
        raise ConfigError(error.source, error.mistakes) from None


def load_config(path: Path) -> MatchConfig:
    """Read and check a config file. Raises ConfigError with its mistakes."""
    with _config_errors():
        text = read_toml(path)
    return _with_paths_beside(parse_config(text, str(path)), path)


def parse_config(text: str, source: str) -> MatchConfig:
    """Check the text of a config. Raises ConfigError; `source` names the config in the messages."""
    with _config_errors():
        data = parse_toml(text, source)
    return check_config(data, source, text)


def check_config(data: Mapping[str, Any], source: str, text: str = "") -> MatchConfig:
    """Check a config given as plain data, and return it. Raises ConfigError with its mistakes.

    source   the name of the config in messages
    text     its TOML, which gives the line numbers of mistakes; without it, mistakes have none
    """
    found: list[tuple[KeyPath, str]] = []
    config: MatchConfig | None = None
    try:
        with _config_errors():
            given = as_json(data, source)
        config = MatchConfig.model_validate_json(given)
    except ValidationError as error:
        entries = error.errors(include_url=False)[:MOST_FOUND]
        # pydantic does not count invalid engines and may report too few; we count all engines below.
        found += [
            _mistake_of_pydantic(e, data)
            for e in entries
            if (e["loc"], e["type"]) != (("engine",), "too_short")
        ]
    found += _mistakes_across_keys(data)
    if found or config is None:
        lines = Lines(text, *_ARRAYS)
        mistakes = [Mistake(lines.find(path), _path_in_words(path), what) for path, what in found]
        raise ConfigError(source, sorted(mistakes, key=lambda mistake: mistake.line or 0))
    return config


def _mistake_of_pydantic(entry: Any, data: Mapping[str, Any]) -> tuple[KeyPath, str]:
    """Return (path of the key, message in plain words) for a mistake that pydantic has found."""
    loc = entry["loc"]
    # pydantic puts the kind of a table behind its key: ("judge", "sprt", "elo0") becomes ("judge", "elo0").
    path = tuple(part for table, part in zip(("", *loc), loc, strict=False) if table not in _OF_KIND)
    if entry["type"] == "extra_forbidden":
        key = str(path[-1])
        return path, f"unknown key{NOT_SUPPORTED.get(key) or nearest(key, _known_keys(path, data))}"
    if entry["type"] == "missing":
        return path, "is missing"
    return path, in_words(entry)


def _known_keys(path: KeyPath, data: Mapping[str, Any]) -> list[str]:
    """Return the known keys of the table whose unknown key is `path`, such as ("run", "openings", "film")."""
    if len(path) == 1:
        return list(MatchConfig.model_fields)
    name = str(path[-2])
    if name in _OF_KIND:
        given: Any = data
        for part in path[:-1]:
            given = given[part]
        tables, default = _OF_KIND[name]
        return list(tables[given.get("kind", default)].model_fields)
    return list((_INNER.get(name) or _TABLES[str(path[0])]).model_fields)


def _mistakes_across_keys(data: Mapping[str, Any]) -> Iterator[tuple[KeyPath, str]]:
    """Yield mistakes that concern several values, as (path of the key, message).

    Values of a wrong type are left to pydantic.
    """
    run = data.get("run") if isinstance(data.get("run"), dict) else {}
    engines = data.get("engine") if _is_list(data.get("engine")) else []
    assert isinstance(run, dict)
    assert isinstance(engines, list)
    tables = [engine for engine in engines if isinstance(engine, dict)]
    referee = run.get("referee")
    players = len(engines) - sum(
        isinstance(referee, str) and engine.get("name") == referee for engine in tables
    )
    if _is_list(data.get("engine")) and players < 2:
        yield ("engine",), f"at least two engines are needed, not {players}"
    yield from _mistakes_in_format(run, players)
    yield from _mistakes_in_referee(run, is_engine=players < len(engines))
    yield from mistakes_in_pairs(data, run, [table for table in tables if table.get("name") != referee])
    names = Counter(engine.get("name") for engine in tables if isinstance(engine.get("name"), str))
    for index, engine in enumerate(tables):
        yield from _mistakes_in_engine(engine, ("engine", index), run, names)
    yield from _mistakes_in_clock(run, ("run",))
    yield from _mistakes_in_skip(run.get("skip"), names)
    if isinstance(judge := data.get("judge"), dict):
        yield from _mistakes_in_judge(judge, run)
    if isinstance(schedule := data.get("schedule"), dict):
        yield from _mistakes_in_schedule(schedule, run)


def _mistakes_in_format(run: Mapping[str, Any], players: int) -> Iterator[tuple[KeyPath, str]]:
    """Yield (path of the key, mistake) for each mistake in who plays whom.

    players   number of engines that play
    """
    if run.get("format") == "pair" and players > 2:
        yield ("run", "format"), f"a pair has two engines, not {players}"
    seeds = run.get("gauntlet_seeds", 1)
    if run.get("format") == "gauntlet" and isinstance(seeds, int) and 2 <= players <= seeds:
        yield ("run", "gauntlet_seeds"), f"leaves {seeds} seeds no opponent: there are {players} engines"


def _mistakes_in_referee(run: Mapping[str, Any], *, is_engine: bool) -> Iterator[tuple[KeyPath, str]]:
    """Yield (path of the key, mistake) for mistakes about the referee.

    is_engine   an [[engine]] has its name
    """
    referee, scorer = run.get("referee"), run.get("scorer")
    if isinstance(referee, str) and not is_engine:
        yield ("run", "referee"), f"{referee!r} is no name of an [[engine]]; the referee needs one of its own"
    if referee is None and scorer == "referee":
        yield ("run", "scorer"), 'needs referee = "NAME", the name of an [[engine]] that plays no game'
    if isinstance(referee, str) and scorer not in ("players", "referee"):
        yield ("run", "referee"), 'has nothing to score: set scorer = "referee" or "players"'


def _mistakes_in_engine(
    engine: Mapping[str, Any], path: KeyPath, run: Mapping[str, Any], names: Counter[Any]
) -> Iterator[tuple[KeyPath, str]]:
    """Yield (path of the key, mistake) for mistakes in one [[engine]].

    path    the path of its table
    names   how many engines have each name
    """
    name = engine.get("name")
    if isinstance(name, str) and names[name] > 1:
        yield (*path, "name"), f"{name!r} is the name of several engines; names must differ"
    for key in ("command", "args"):
        if PLAYOUTS_WORD in str(engine.get(key, "")) and "playouts" not in engine:
            yield (*path, key), f"has {PLAYOUTS_WORD}, but the engine has no playouts"
    if not engine.keys().isdisjoint(CLOCK_KEYS):
        yield from _mistakes_in_clock({**run, **engine}, path)


def _mistakes_in_judge(judge: Mapping[str, Any], run: Mapping[str, Any]) -> Iterator[tuple[KeyPath, str]]:
    """Yield (path of the key, mistake) for keys of [run] and [judge] that contradict each other."""
    kind = judge.get("kind", "parity")
    if kind == "parity":
        return
    for key in ("margin", "stop"):
        if key in run:
            better = f": set {key} in [judge]" if key == "stop" else ""
            yield ("run", key), f'is of kind = "parity", and [judge] has kind = "{kind}"{better}'
    if kind == "sprt":
        default = SprtQuestion()
        elo0, elo1 = judge.get("elo0", default.elo0), judge.get("elo1", default.elo1)
        numbers = all(isinstance(elo, (int, float)) and not isinstance(elo, bool) for elo in (elo0, elo1))
        if numbers and not elo0 < elo1:
            yield ("judge", "elo1"), f"must be above elo0, which is {elo0:g}, not {elo1:g}"


def _mistakes_in_skip(skip: Any, names: Container[Any]) -> Iterator[tuple[KeyPath, str]]:
    """Yield (path of the key, mistake) for each name of an engine in `skip` that is not one of `names`."""
    for pair in filter(_is_list, skip if _is_list(skip) else []):
        for name in pair:
            if isinstance(name, str) and name not in names:
                yield ("run", "skip"), f"no engine is called {name!r}: name two of the [[engine]] tables"


def _is_list(given: object) -> bool:
    return isinstance(given, list)


def _mistakes_in_clock(keys: Mapping[str, Any], table: KeyPath) -> Iterator[tuple[KeyPath, str]]:
    """Yield (path of the key, mistake) if the time control that `keys` set in a table is contradictory."""
    if keys.get("increment") and "byoyomi" in keys:
        yield (*table, "increment"), "is for a clock without byoyomi: leave one of them out"
    elif keys.get("increment") and not keys.get("main_time"):
        yield (*table, "increment"), "needs main_time"
    elif keys.get("main_time", 1) == 0 and "byoyomi" not in keys:
        yield (*table, "main_time"), "leaves no time for any move: give it byoyomi, or leave it out"


def _mistakes_in_schedule(
    schedule: Mapping[str, Any], run: Mapping[str, Any]
) -> Iterator[tuple[KeyPath, str]]:
    """Yield (path of the key, mistake) for each mistake in [schedule], which needs runs that end."""
    if run.get("games") == 0:
        yield ("run", "games"), "is 0, and a run without an end leaves no time for the next run of [schedule]"
    cron, zone = schedule.get("cron"), schedule.get("timezone")
    if isinstance(cron, str):
        try:
            parse_cron(cron)
        except ValueError as error:
            yield ("schedule", "cron"), f"is not a cron time: {error}"
    if isinstance(zone, str) and not _is_zone(zone):
        yield ("schedule", "timezone"), f"no such time zone: {zone!r}, expected one such as Europe/Berlin"


def _is_zone(name: str) -> bool:
    try:
        ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        return False
    return True


def _path_in_words(path: KeyPath) -> str:
    """Name a path for a message, such as `[run] games` or `[[engine]] 2 name`."""
    table, *rest = path
    if table not in _ARRAYS:
        return " ".join([f"[{table}]", ".".join(str(part) for part in rest)]).strip()
    number = [str(rest[0] + 1)] if rest and isinstance(rest[0], int) else []
    return " ".join([f"[[{table}]]", *number, ".".join(str(part) for part in rest[1:])]).strip()


# --- files beside the config --------------------------------------------------------------------------------


def _with_paths_beside(config: MatchConfig, file: Path) -> MatchConfig:
    """Resolve each `cwd` and file of openings that exists only beside the config `file`."""
    folder = Path(os.path.abspath(file)).parent
    search = FileSearch()

    def beside(engine: EngineTable) -> EngineTable:
        return (
            engine.model_copy(update={"cwd": _where_it_exists(engine.cwd, folder, search)})
            if engine.cwd
            else engine
        )

    engines = tuple(map(beside, config.engine))
    run = _with_openings_beside(config.run, folder, search)
    pairs = tuple(_with_openings_beside(pair, folder, search) for pair in config.pair)
    if (engines, run, pairs) == (config.engine, config.run, config.pair):
        return config
    return config.model_copy(update={"engine": engines, "run": run, "pair": pairs})


def _with_openings_beside(table: _HasOpenings, folder: Path, search: FileSearch) -> _HasOpenings:
    """Resolve each file of the table's openings that exists only within `folder`."""
    if not isinstance(table.openings, SgfOpenings):
        return table
    files = tuple(_where_it_exists(pattern, folder, search) for pattern in table.openings.files)
    return table.model_copy(update={"openings": table.openings.model_copy(update={"files": files})})


def _where_it_exists(pattern: str, folder: Path, search: FileSearch) -> str:
    """Return a pattern (a path or wildcard), or the pattern within `folder` if it matches only there."""
    expanded = os.path.expanduser(pattern)
    try:
        if os.path.exists(expanded) or next(search.matches(expanded), None):
            return pattern
        if os.path.exists(folder / expanded):
            return str(folder / expanded)
        beside = os.path.join(glob.escape(str(folder)), expanded)  # only `pattern` may have wildcards
        return beside if next(search.matches(beside), None) else pattern
    except (OSError, ValueError):  # a NUL, or too long, or too much to search: opening it reports that
        return pattern
