"""Finds mistakes in the pairs of a config that concern several values: games, colours, handicaps, names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from harness.arena.config.tables import RunTable
from harness.files.toml_tables import KeyPath
from harness.go import most_handicap

_DEFAULTS = RunTable().model_dump(include={"games", "size", "handicap", "colours", "openings"})


def mistakes_in_pairs(
    data: Mapping[str, Any], run: Mapping[str, Any], engines: Sequence[Mapping[str, Any]]
) -> Iterator[tuple[KeyPath, str]]:
    """Yield the mistakes in each `[[pair]]`, or in `[run]` if there is none, as (path of the key, message).

    `engines`: the tables of the engines that play. Values of a wrong type are left to pydantic.
    """
    pairs = data.get("pair", [])
    if not pairs or not isinstance(pairs, list):
        yield from _mistakes_in_conditions({**_DEFAULTS, **run}, ("run",), run)
        return
    if "format" in run:
        yield ("run", "format"), "has no effect beside [[pair]] tables: remove it, or remove them"
    names = [engine.get("name") for engine in engines]
    seen: list[Mapping[str, Any]] = []
    for index, pair in enumerate(pairs):
        if not isinstance(pair, dict):
            continue
        path: KeyPath = ("pair", index)
        yield from _mistakes_in_names(pair, path, names, run.get("referee"))
        conditions = {key: value for key, value in pair.items() if key != "games"}
        if conditions in seen:
            yield path, "repeats an earlier [[pair]]: give the earlier one more games"
        seen.append(conditions)
        yield from _mistakes_in_conditions({**_DEFAULTS, **run, **pair}, path, pair)


def _mistakes_in_names(
    pair: Mapping[str, Any], path: KeyPath, names: Sequence[Any], referee: Any
) -> Iterator[tuple[KeyPath, str]]:
    """Yield the mistakes in who plays. `names`: those of the engines that play."""
    for side in ("black", "white"):
        name = pair.get(side)
        if isinstance(name, str) and name not in names:
            is_referee = f"{name!r} is the referee and plays no game: name another engine"
            yield (*path, side), is_referee if name == referee else f"no engine has the name {name!r}"
    if isinstance(pair.get("black"), str) and pair["black"] == pair.get("white"):
        yield path, f"pairs {pair['black']!r} with itself"


def _mistakes_in_conditions(
    table: Mapping[str, Any], path: KeyPath, given: Mapping[str, Any]
) -> Iterator[tuple[KeyPath, str]]:
    """Yield the mistakes in the conditions of the games of a pair.

    table   the values in force: those of the pair, of `[run]`, and the defaults
    given   the table at `path`. A mistake in a key of `[run]` that it lacks is reported at this table
    """
    games, handicap, size = table["games"], table["handicap"], table["size"]
    if _is_whole(games) and games % 2 and table["colours"] != "fixed":
        where, name = _place_of("games", path, given)
        yield where, f"{name}must be even, not {games}: each opening is played twice, colours exchanged"
    if not (_is_whole(handicap) and _is_whole(size) and handicap > 0):
        return
    where, name = _place_of("handicap", path, given)
    if handicap == 1:
        yield where, f"{name}must be 2 to 9 stones, not 1: to let Black only move first, set komi alone"
    elif handicap > most_handicap(size):
        if most := most_handicap(size):
            allowed = f"fixed points for at most {most} handicap stones, not {handicap}"
        else:
            allowed = "no fixed points: leave handicap out"
        yield where, f"{name}must fit the board: {size}x{size} has {allowed}"
    openings = table["openings"]
    kind = openings.get("kind", "none") if isinstance(openings, dict) else openings
    if kind != "none":
        yield (
            where,
            f"{name}cannot be combined with {kind} openings; record files may have their own handicap "
            "(AB, HA)",
        )


def _place_of(key: str, path: KeyPath, given: Mapping[str, Any]) -> tuple[KeyPath, str]:
    """Return where to report a mistake in `key`, and what the message must begin with to name the key."""
    return ((*path, key), "") if key in given else (path, f"{key} of [run] ")


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
