"""Opens the store of a run, and refuses a config that contradicts the stored games."""

from __future__ import annotations

import glob
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

from harness.arena.config.clock import CLOCK_KEYS
from harness.arena.config.pair_tables import MOST_GAMES
from harness.arena.config.tables import MatchConfig
from harness.arena.folder.errors import ContinuationError
from harness.arena.folder.question import describe_question_changes, differences
from harness.arena.store.errors import DamagedStoreError, StoreError
from harness.arena.store.rows import QUESTION_CHANGED, is_complete
from harness.arena.store.store import DATABASE, Store
from harness.files import timestamp
from harness.files.toml_text import toml_value

FIXED_OF_PAIR = ("size", "komi", "openings", "handicap", "handicap_style", "handicap_bonus", "colours")
"""Keys of [run], or of [[pair]], that define what a game is. They may not change after the first start."""
FIXED = (
    *FIXED_OF_PAIR,
    *("rules", "scorer", "referee", "seed", "format", "gauntlet_seeds", *CLOCK_KEYS, "ask_ref"),
)
"""Keys of [run] that may not change."""
FIXED_OF_ENGINE = (
    *("command", "args", "playouts", "env", "inherit_env", "cwd", "memory_mb", "gtp", "gtp_game", "genmove"),
    *CLOCK_KEYS,
)
"""Keys of [[engine]] that may not change."""


def open_run(config: MatchConfig, folder: Path) -> Store:
    """Take over or create the store of the run in `folder`, and store `config` in it.

    The caller holds the lock of the folder.

    Engines that are no longer in the config stay in that of the run, as dropped. If the config changes the
    question of a run with games, an event records the change. Raises ContinuationError where the config
    defines other games than the run's config, even if no game is stored yet, and StoreError.
    """
    store = Store.take_over(folder)
    try:
        before = store.config()
        if before is not None:
            config = with_dropped(config, before)
            _check_continuation(before, config, store)
            _record_question(before, config, store)
        if before != config:
            store.set_config(config, timestamp())
    except BaseException:
        store.close()
        raise
    return store


def with_dropped(config: MatchConfig, before: MatchConfig) -> MatchConfig:
    """Return the config, with the engines that only the config `before` has marked as dropped.

    Dropped engines play no further games.
    """
    gone = [engine for engine in before.engine if engine.name not in config.engines]
    if not gone:
        return config
    engines = (*config.engine, *(engine.model_copy(update={"dropped": True}) for engine in gone))
    return config.model_copy(update={"engine": engines})


@dataclass(frozen=True)
class UnfinishedRun:
    """A run that is not complete. `differences`: a sentence for each difference of a config from it."""

    folder: Path
    differences: tuple[str, ...]


def unfinished_run(config: MatchConfig, reports: Path) -> UnfinishedRun | None:
    """Return the newest run with this config's name in `reports`.

    None if there is none, if it is complete, or if it was stopped before its config was stored.
    Raises StoreError if its store cannot be read: a new run must not silently take its place.
    """
    for folder in sorted(reports.glob(f"{glob.escape(config.run.name)}-*"), reverse=True):
        if not (folder / DATABASE).is_file():
            continue
        try:
            with Store.open(folder, read_only=True) as store:
                stored = store.config()
                complete = is_complete(store.events())
        except DamagedStoreError:
            raise
        except StoreError as error:
            reason = f"{error.reason}. It is the newest run of this config; --new starts another one"
            raise StoreError(error.path, reason) from None
        if stored is not None and stored.run.name != config.run.name:
            continue  # "a-b" is no run of "a"
        if stored is None or complete:
            return None
        return UnfinishedRun(folder, tuple(edits(stored, config)))
    return None


def edits(before: MatchConfig, config: MatchConfig, ignored: Collection[str] = ()) -> Iterator[str]:
    """Yield a sentence for each difference of a config from the config `before` of a run.

    ignored   tables and keys that are not compared, such as "[schedule]" and "[run] workers"
    """
    old, new = _by_table(before), _by_table(with_dropped(config, before))
    for table in dict.fromkeys((*old, *new)):
        if table in ignored:
            continue
        if table not in old or table not in new:
            yield f"{table} is {'new' if table in new else 'gone'}"
            continue
        was, now = (
            {key: value for key, value in values[table].items() if f"{table} {key}" not in ignored}
            for values in (old, new)
        )
        yield from differences(was, now, _shown, f"{table} ")


def _by_table(config: MatchConfig) -> dict[str, dict[str, object]]:
    """Return the values of a config by table, such as "[run]" or "engine 'a'", and key."""
    data = config.model_dump(mode="json")
    arrays = ("engine", "pair")
    tables = {f"[{name}]": table for name, table in data.items() if name not in arrays and table is not None}
    tables |= {f"engine {table['name']!r}": table for table in data["engine"]}
    return tables | {f"[[pair]] {number}": table for number, table in enumerate(data["pair"], 1)}


def _check_continuation(before: MatchConfig, config: MatchConfig, store: Store) -> None:
    """Raise ContinuationError if `config` defines other games than the config `before` of the run.

    config   has the dropped engines, too
    """
    # Between two configs with [[pair]] tables, the keys of pairs are compared pair by pair.
    fixed = [key for key in FIXED if not (config.pair and before.pair and key in FIXED_OF_PAIR)]
    changes = [*_changes("[run]", fixed, before.run, config.run), *_changes_of_pairs(before, config)]
    engines = config.engines
    for name, engine in before.engines.items():
        changes += _changes(f"engine {name!r}", FIXED_OF_ENGINE, engine, engines[name])
    changes += _too_few_games(config, store)
    if changes:
        raise ContinuationError(
            f"{store.path.parent}: the config contradicts the run there: "
            f"{'; '.join(changes)}. Engines and games may be added, and engines removed; for the changes "
            "listed here start a new run: choose another --out, or leave it out"
        )


def _record_question(before: MatchConfig, config: MatchConfig, store: Store) -> None:
    """Record in the store how `config` changes the question of the run, if the run has games already."""
    change = describe_question_changes(before, config)
    if change and (games := len(store.played())):
        after = f"after {games:,} {'game' if games == 1 else 'games'}"
        store.note(QUESTION_CHANGED, f"{after}: {change}", timestamp())


def _changes(where: str, keys: Collection[str], before: object, now: object) -> Iterator[str]:
    """Yield a sentence for each of these keys with another value. `where`: the name of the table."""
    old, new = ({key: getattr(table, key) for key in keys} for table in (before, now))
    yield from differences(old, new, _shown, f"{where} ")


def _changes_of_pairs(before: MatchConfig, config: MatchConfig) -> Iterator[str]:
    """Yield a sentence for each [[pair]] that defines other games now. Pairs may be added at the end."""
    if bool(before.pair) != bool(config.pair):
        yield f"[[pair]]: {len(before.pair)} tables became {len(config.pair)}"
        return
    for number, table in enumerate(before.pair, 1):
        if number > len(config.pair):
            yield f"[[pair]] {number} is gone"
            continue
        now = config.pair[number - 1]
        if (table.black, table.white) != (now.black, now.white):
            was = f"{table.black!r} - {table.white!r}"
            yield f"[[pair]] {number}: {was} became {now.black!r} - {now.white!r}"
        old, new = before.run_of(number), config.run_of(number)
        yield from _changes(f"[[pair]] {number}", FIXED_OF_PAIR, old, new)


def _too_few_games(config: MatchConfig, store: Store) -> Iterator[str]:
    """Yield a sentence for each pair of which more games are played than the config has. 0 games: no end."""
    played: dict[int, int] = {}
    for pair, number in store.played():
        played[pair] = max(number, played.get(pair, 0))
    if not config.pair:
        most = max(played.values(), default=0)
        if (config.run.games or MOST_GAMES) < most:
            yield f"[run] games: {most} are played already, {config.run.games} are asked for"
        return
    for pair, most in sorted(played.items()):
        games = config.run_of(pair).games
        if pair <= len(config.pair) and (games or MOST_GAMES) < most:
            yield f"[[pair]] {pair} games: {most} are played already, {games} are asked for"


def _shown(value: object) -> str:
    """Return a value of a config as its file has it. None stands for a key that the file leaves out."""
    dump = getattr(value, "model_dump", None)
    plain = _without_none(dump(mode="json") if dump else value)
    return "not set" if plain is None else toml_value(plain)


def _without_none(value: object) -> object:
    if isinstance(value, dict):
        return {key: _without_none(own) for key, own in value.items() if own is not None}
    return [_without_none(own) for own in value] if isinstance(value, list | tuple) else value
