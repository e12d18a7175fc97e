"""Reads a config from TOML. Reports all mistakes at once, each with its line and the most similar name."""

from __future__ import annotations

import difflib
import glob
import json
import os
import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar
from zoneinfo import ZoneInfo

from pydantic import BaseModel, ValidationError

from harness.arena.config.cron import parse_cron
from harness.arena.config.opening_tables import NoOpenings, RandomOpenings, SgfOpenings
from harness.arena.config.pair_mistakes import KeyPath, in_pairs
from harness.arena.config.pair_tables import PairTable
from harness.arena.config.tables import (
    PLAYOUTS_WORD,
    EngineTable,
    MatchConfig,
    ReportTable,
    RunTable,
    ScheduleTable,
)
from harness.arena.errors import MatchError

_HasOpenings = TypeVar("_HasOpenings", RunTable, PairTable)
MAX_BYTES = 1 << 20
"""Most bytes of a config file. Chosen: real configs have some kilobytes."""
NEAR = 0.65
"""Least similarity (by difflib) of a suggested name. Chosen: with less, `scorer` would suggest `workers`."""

_NO_GTP = ": no GTP commands can be sent to an engine at its start; give it options in its command"
NOT_SUPPORTED = {
    **dict.fromkeys(("gtp", "setup", "startup_gtp_commands"), _NO_GTP),
    **dict.fromkeys(("alternate", "alternating"), ': use colours = "alternate" or "fixed"'),
    "opening": ": did you mean 'openings'?",
    **dict.fromkeys(("rules", "suicide"), ": the rules are positional superko, area score, no suicide"),
    "scorer": ": games are scored by area, with every stone alive",
    "move_limit": ": a game ends after 3·N·N moves, and is then scored",
    "resign_threshold": ": no game is adjudicated; an engine may resign",
}
"""By key of another match program, the explanation that follows "unknown key"."""

_TABLES: Mapping[str, type[BaseModel]] = {
    "run": RunTable,
    "engine": EngineTable,
    "pair": PairTable,
    "schedule": ScheduleTable,
    "report": ReportTable,
}
_ARRAYS = ("engine", "pair")
"""The tables that a config may have several times, written in two brackets."""
_TOML_WORDS = {
    "model_type": "should be a table",
    "model_attributes_type": "should be a table",
    "dict_type": "should be a table",
    "tuple_type": "should be an array",
}
_OPENINGS: Mapping[str, type[BaseModel]] = {"none": NoOpenings, "random": RandomOpenings, "sgf": SgfOpenings}


@dataclass(frozen=True)
class Mistake:
    """One mistake: its line in the file (None: no single line), its table and key, and what is wrong."""

    line: int | None
    where: str
    what: str

    def __str__(self) -> str:
        return f"{self.where}: {self.what}" if self.where else self.what


BEYOND_PYTHON = Mistake(None, "", "has a number of thousands of digits, or hundreds of nested tables")
"""For values that Python refuses to read or to write."""


class ConfigError(MatchError):
    """A config cannot be used. The text has a line for each mistake, with its line number in the file."""

    def __init__(self, source: str, mistakes: Sequence[Mistake]) -> None:
        super().__init__(source, mistakes)
        self.source = source
        self.mistakes = tuple(mistakes)

    def __str__(self) -> str:
        lines = [
            f"{self.source}:{mistake.line}: {mistake}" if mistake.line else f"{self.source}: {mistake}"
            for mistake in self.mistakes
        ]
        return "\n".join(lines)


def load_config(path: Path) -> MatchConfig:
    """Read and check a config file. Raises ConfigError with every mistake in it."""
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
        if len(data) > MAX_BYTES:
            raise ConfigError(str(path), [Mistake(None, "", f"is longer than {MAX_BYTES:,} bytes")])
        text = data.decode("utf-8")
    except OSError as error:
        raise ConfigError(str(path), [Mistake(None, "", f"cannot be read: {error.strerror}")]) from None
    except UnicodeDecodeError:
        raise ConfigError(str(path), [Mistake(None, "", "is not a text file in UTF-8")]) from None
    return _with_paths_beside(parse_config(text, str(path)), path)


def parse_config(text: str, source: str) -> MatchConfig:
    """Check the text of a config. Raises ConfigError; `source` names the config in the messages."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        line = re.search(r"at line (\d+)", str(error))
        what = re.sub(r" \(at .*\)", "", str(error))
        mistake = Mistake(int(line[1]) if line else None, "", f"is not TOML: {what[0].lower()}{what[1:]}")
        raise ConfigError(source, [mistake]) from None
    except (ValueError, RecursionError):
        raise ConfigError(source, [BEYOND_PYTHON]) from None
    return check_config(data, source, text)


def check_config(data: Mapping[str, Any], source: str, text: str = "") -> MatchConfig:
    """Check a config given as plain data. `text`: its TOML, which gives the line numbers of mistakes."""
    found: list[tuple[KeyPath, str]] = []
    config: MatchConfig | None = None
    try:
        config = MatchConfig.model_validate_json(_as_json(data, source))
    except ValidationError as error:
        entries = error.errors(include_url=False)
        # pydantic does not count invalid engines and may report too few; `_across` counts all engines.
        found += [
            _translated(e, data) for e in entries if (e["loc"], e["type"]) != (("engine",), "too_short")
        ]
    found += _across(data)
    if found or config is None:
        lines = _Lines(text)
        mistakes = [Mistake(lines.find(path), _path_in_words(path), what) for path, what in found]
        raise ConfigError(source, sorted(mistakes, key=lambda mistake: mistake.line or 0))
    return config


def _as_json(data: Mapping[str, Any], source: str) -> bytes:
    """The data as JSON: only from JSON does pydantic accept arrays, which TOML has, for tuples."""
    try:
        return json.dumps(data, default=str, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise ConfigError(source, [Mistake(None, "", "has text that is not UTF-8")]) from None
    except (ValueError, RecursionError):
        raise ConfigError(source, [BEYOND_PYTHON]) from None


def _translated(entry: Any, data: Mapping[str, Any]) -> tuple[KeyPath, str]:
    """Describe a mistake that pydantic has found: its path, and a message in plain words."""
    path = tuple(part for part in entry["loc"] if part not in _OPENINGS)  # without the kind of openings
    kind, given = entry["type"], entry.get("input")
    if kind == "extra_forbidden":
        key = str(path[-1])
        return path, f"unknown key{NOT_SUPPORTED.get(key) or _nearest(key, _known(path, data))}"
    if kind == "missing":
        return path, "is missing"
    message = str(entry["msg"]).removeprefix("Value error, ").removeprefix("Input ")
    message = _TOML_WORDS.get(kind, message)
    message = message.replace("True or False", "true or false")  # as TOML writes them
    shown = "" if isinstance(given, (dict, list)) else f", not {_shown(given)}"
    near = ""
    if kind == "literal_error":
        near = _nearest(str(given), re.findall(r"'([^']*)'", message), "; did you mean")
    return path, message + shown + near


def _shown(given: object) -> str:
    return str(given).lower() if isinstance(given, bool) else repr(given)


def _known(path: KeyPath, data: Mapping[str, Any]) -> list[str]:
    """The known keys of the table that has an unknown key at `path`."""
    if len(path) == 1:
        return list(MatchConfig.model_fields)
    if "openings" in path[:-1]:
        table: Any = data
        for part in path[:-1]:
            table = table[part]
        return list(_OPENINGS.get(table.get("kind", "none"), NoOpenings).model_fields)
    return list(_TABLES[str(path[0])].model_fields)


def _nearest(word: str, known: Sequence[str], intro: str = ": did you mean") -> str:
    near = difflib.get_close_matches(word.lower(), known, n=1, cutoff=NEAR)
    return f"{intro} {near[0]!r}?" if near else f" (known: {', '.join(known)})" if intro[0] == ":" else ""


def _across(data: Mapping[str, Any]) -> Iterator[tuple[KeyPath, str]]:
    """Yield mistakes that concern several values. pydantic reports values of a wrong type."""
    run = data.get("run") if isinstance(data.get("run"), dict) else {}
    engines = data.get("engine") if isinstance(data.get("engine"), list) else []
    assert isinstance(run, dict)
    assert isinstance(engines, list)
    tables = [engine for engine in engines if isinstance(engine, dict)]
    if isinstance(data.get("engine"), list) and len(engines) < 2:
        yield ("engine",), f"at least two engines are needed, not {len(engines)}"
    if run.get("format") == "pair" and len(engines) > 2:
        yield ("run", "format"), f"a pair has two engines, not {len(engines)}"
    seeds = run.get("gauntlet_seeds", 1)
    if run.get("format") == "gauntlet" and isinstance(seeds, int) and 2 <= len(engines) <= seeds:
        yield ("run", "gauntlet_seeds"), f"leaves {seeds} seeds no opponent: there are {len(engines)} engines"
    yield from in_pairs(data, run, tables)
    names = Counter(engine.get("name") for engine in tables if isinstance(engine.get("name"), str))
    for index, engine in enumerate(tables):
        if isinstance(engine.get("name"), str) and names[engine["name"]] > 1:
            yield (
                ("engine", index, "name"),
                f"{engine['name']!r} is the name of several engines; names must differ",
            )
        command = engine.get("command")
        if isinstance(command, str) and PLAYOUTS_WORD in command and "playouts" not in engine:
            yield ("engine", index, "command"), f"has {PLAYOUTS_WORD}, but the engine has no playouts"
    if isinstance(schedule := data.get("schedule"), dict):
        yield from _in_schedule(schedule)


def _in_schedule(schedule: Mapping[str, Any]) -> Iterator[tuple[KeyPath, str]]:
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
    if len(path) == 1 and table not in _TABLES:
        return f"[{table}]"
    if table not in _ARRAYS:
        return " ".join([f"[{table}]", ".".join(str(part) for part in rest)]).strip()
    number = [str(rest[0] + 1)] if rest and isinstance(rest[0], int) else []
    return " ".join([f"[[{table}]]", *number, ".".join(str(part) for part in rest[1:])]).strip()


class _Lines:
    """The line numbers of the tables and keys in a TOML text. Keys of inline tables are not found."""

    def __init__(self, text: str) -> None:
        self._of: dict[KeyPath, int] = {}
        table: KeyPath = ()
        counts: Counter[str | int] = Counter()
        for number, line in enumerate(text.splitlines(), 1):
            if header := re.match(r"\s*\[\[?\s*([\w.-]+)\s*\]", line):
                names: list[str | int] = list(header[1].split("."))
                array = names[0] in _ARRAYS
                if array and len(names) == 1:
                    counts[names[0]] += 1
                if array:
                    names.insert(1, counts[names[0]] - 1)
                table = tuple(names)
                self._of.setdefault(table, number)
            elif key := re.match(r"\s*\"?([\w-]+)\"?\s*[=.]", line):
                self._of.setdefault((*table, key[1]), number)

    def find(self, path: KeyPath) -> int | None:
        """The line of the value at `path`, or of the table that should have it."""
        while path:
            if path in self._of:
                return self._of[path]
            path = path[:-1]
        return None


# --- files beside the config --------------------------------------------------------------------------------


def _with_paths_beside(config: MatchConfig, file: Path) -> MatchConfig:
    """Resolve each `cwd` and file of openings that exists only beside the config `file`."""
    folder = Path(os.path.abspath(file)).parent
    engines = tuple(
        engine if engine.cwd is None else engine.model_copy(update={"cwd": _found(engine.cwd, folder)})
        for engine in config.engine
    )
    run = _with_openings_beside(config.run, folder)
    pairs = tuple(_with_openings_beside(pair, folder) for pair in config.pair)
    if (engines, run, pairs) == (config.engine, config.run, config.pair):
        return config
    return config.model_copy(update={"engine": engines, "run": run, "pair": pairs})


def _with_openings_beside(table: _HasOpenings, folder: Path) -> _HasOpenings:
    if not isinstance(table.openings, SgfOpenings):
        return table
    files = tuple(_found(pattern, folder) for pattern in table.openings.files)
    return table.model_copy(update={"openings": table.openings.model_copy(update={"files": files})})


def _found(pattern: str, folder: Path) -> str:
    """The pattern (a path or wildcard), or the pattern within `folder` if it matches only there."""
    beside = folder / os.path.expanduser(pattern)
    try:
        here = glob.glob(os.path.expanduser(pattern), recursive=True)
        return pattern if here or not glob.glob(str(beside), recursive=True) else str(beside)
    except (OSError, ValueError):  # a NUL, or too long: opening it reports that
        return pattern
