"""Opens the store of a run, and refuses a config that contradicts the stored games."""

from __future__ import annotations

import glob
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from harness.arena.config.extent import games_of_pair
from harness.arena.config.tables import MatchConfig
from harness.arena.folder.errors import ContinuationError
from harness.arena.store.errors import DamagedStoreError, StoreError
from harness.arena.store.rows import is_complete
from harness.arena.store.store import DATABASE, Store
from harness.files import timestamp

CLOCK = ("main_time", "increment", "byoyomi")
FIXED = (
    *("size", "komi", "rules", "scorer", "referee"),
    *("openings", "seed", "format", *CLOCK, "ask_ref"),
)
"""Keys of [run] that define what a game is. They may not change once games are played."""
FIXED_OF_ENGINE = (
    *("command", "args", "playouts", "env", "inherit_env", "cwd", "memory_mb", "gtp", "gtp_game"),
    *CLOCK,
)
"""Keys of [[engine]] that define what a game is."""


def open_run(config: MatchConfig, folder: Path) -> Store:
    """Open or create the store of the run in `folder`, and store `config` in it.

    Engines that are no longer in the config stay in that of the run, as dropped. Raises ContinuationError
    where the config contradicts the stored games, and StoreError.
    """
    store = Store.create(folder)
    try:
        before = store.config()
        if before is not None:
            config = with_dropped(config, before)
            _check_continuation(before, config, store)
        if before != config:
            store.set_config(config, timestamp())
    except BaseException:
        store.close()
        raise
    return store


def with_dropped(config: MatchConfig, before: MatchConfig) -> MatchConfig:
    """The config with the engines that only the config `before` has. They play no further games."""
    gone = [engine for engine in before.engine if engine.name not in config.engines]
    if not gone:
        return config
    engines = (*config.engine, *(engine.model_copy(update={"dropped": True}) for engine in gone))
    return config.model_copy(update={"engine": engines})


@dataclass(frozen=True)
class UnfinishedRun:
    """A stopped run. `differences`: a sentence for each difference of a config from the run's config."""

    folder: Path
    differences: tuple[str, ...]


def unfinished_run(config: MatchConfig, reports: Path) -> UnfinishedRun | None:
    """The newest run with this config's name in `reports`, if it is unfinished.

    Raises DamagedStoreError if its store is damaged.
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
        except StoreError:
            return None
        if stored is not None and stored.run.name != config.run.name:
            continue  # "a-b" is no run of "a"
        if stored is None or complete:
            return None
        merged = with_dropped(config, stored)
        return UnfinishedRun(folder, tuple(_differences(_flat(stored), _flat(merged))))
    return None


def _flat(config: MatchConfig) -> dict[str, object]:
    """Every value of a config by table and key, such as "[run] size" or "engine 'a' command"."""
    data = config.model_dump(mode="json")
    tables = {f"[{name}]": table for name, table in data.items() if name != "engine" and table is not None}
    tables |= {f"engine {table['name']!r}": table for table in data["engine"]}
    return {f"{name} {key}": value for name, table in tables.items() for key, value in table.items()}


def _differences(before: Mapping[str, object], now: Mapping[str, object]) -> Iterator[str]:
    for key in dict.fromkeys((*before, *now)):
        if before.get(key) != now.get(key):
            yield f"{key}: {before.get(key)!r} became {now.get(key)!r}"


def _check_continuation(before: MatchConfig, config: MatchConfig, store: Store) -> None:
    """Raise ContinuationError if `config` contradicts the games that were played with config `before`."""
    changes = [
        f"[run] {key}: {_shown(getattr(before.run, key))} became {_shown(getattr(config.run, key))}"
        for key in FIXED
        if getattr(before.run, key) != getattr(config.run, key)
    ]
    engines = config.engines
    for name, engine in before.engines.items():
        changes += [
            f"engine {name!r} {key}: {_shown(old)} became {_shown(new)}"
            for key in FIXED_OF_ENGINE
            if (old := getattr(engine, key)) != (new := getattr(engines[name], key))
        ]
    played = max((number for _, number in store.played()), default=0)
    if games_of_pair(config) < played:
        changes.append(f"[run] games: {played} are played already, {config.run.games} are asked for")
    if changes:
        raise ContinuationError(
            f"{store.path.parent}: the config would change games that were played there: "
            f"{'; '.join(changes)}. Engines and games may be added, and engines removed; for any other "
            "change choose another --out"
        )


def _shown(value: object) -> str:
    dump = getattr(value, "model_dump", None)
    return repr(dump(exclude_none=True) if dump else value)
