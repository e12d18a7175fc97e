"""From a config and a folder to a run that can be played: new, or gone on with."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from harness.gtp import Engine, EngineStartError
from harness.match.config import EngineTable, MatchConfig
from harness.match.openings import OpeningBook, OpeningError
from harness.match.schedule import Pairing, pairings
from harness.match.store import DATABASE, Store, StoreError

LOCK = "run.lock"

SETTLED = ("size", "komi", "openings", "seed", "format", "main_time", "ask_ref")
"""Keys of [run] that may not change once games are played: they say what a game is."""
SETTLED_OF_ENGINE = ("command", "playouts", "env", "cwd", "memory_mb")
"""The same for an engine."""


class MatchProblem(Exception):  # noqa: N818 (shown to the user as it is)
    """A match that cannot be played as asked, in one line."""


class FolderInUse(MatchProblem):
    """Another process plays into the folder."""


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Nobody else plays into this folder meanwhile. The lock ends with the process, however that ends."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        file = (folder / LOCK).open("a+")
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise MatchProblem(f"{folder}: cannot be written: {reason}") from None
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            file.seek(0)
            owner = file.read().strip()
            raise FolderInUse(
                f"{folder}: another conform plays into this folder" + (f" (process {owner})" if owner else "")
            ) from None
        file.seek(0)
        file.truncate()
        file.write(str(os.getpid()))
        file.flush()
        yield


def check_playable(config: MatchConfig) -> None:
    """Raises MatchProblem where openings or programs are not there. Nothing is written."""
    try:
        OpeningBook(config.run)
    except OpeningError as error:
        raise MatchProblem(str(error)) from None
    for engine in config.engine:
        _try_to_start(engine)


def open_run(config: MatchConfig, folder: Path) -> Store:
    """The store of the run in `folder`, made or gone on with, the config in it.

    Raises MatchProblem where the config would change what was played, and StoreError.
    """
    store = Store.create(folder)
    try:
        before = store.config()
        if before is not None:
            _check_continuation(before, config, store)
        if before != config:
            store.set_config(config, now())
    except BaseException:
        store.close()
        raise
    return store


def run_pairings(store: Store, config: MatchConfig) -> list[Pairing]:
    """The pairs of a run, numbered as its store has them."""
    return pairings(store.engines(), config.run.format)


def unfinished_run(config: MatchConfig, reports: Path) -> Path | None:
    """The newest folder of this config's name that a stopped run of the same games left unfinished."""
    for folder in sorted(reports.glob(f"{config.run.name}-*"), reverse=True):
        if not (folder / DATABASE).is_file():
            continue
        try:
            with Store.open(folder, read_only=True) as store:
                stored = store.config()
                complete = bool(store.rows("SELECT 1 FROM event WHERE kind = 'complete' LIMIT 1"))
        except StoreError:
            return None
        return None if stored != config or complete else folder
    return None


def now() -> str:
    """The time as records have it."""
    return datetime.now(UTC).astimezone().isoformat(timespec="milliseconds")


def _try_to_start(table: EngineTable) -> None:
    """A program that is not there is a mistake in the config, not a failure in a game."""
    engine = Engine(table.launch())
    try:
        engine.start()
    except EngineStartError as error:
        raise MatchProblem(f"engine {table.name!r}: {error}") from None
    engine.kill()


def _check_continuation(before: MatchConfig, config: MatchConfig, store: Store) -> None:
    """Raises MatchProblem with everything in which `config` contradicts the games played under `before`."""
    changes = [
        f"[run] {key}: {_told(getattr(before.run, key))} became {_told(getattr(config.run, key))}"
        for key in SETTLED
        if getattr(before.run, key) != getattr(config.run, key)
    ]
    engines = config.engines
    for name, engine in before.engines.items():
        if name not in engines:
            changes.append(f"engine {name!r} is gone")
            continue
        changes += [
            f"engine {name!r} {key}: {_told(old)} became {_told(new)}"
            for key in SETTLED_OF_ENGINE
            if (old := getattr(engine, key)) != (new := getattr(engines[name], key))
        ]
    ((most,),) = store.rows("SELECT coalesce(max(number), 0) FROM game")
    if config.run.games < most:
        changes.append(f"[run] games: {most} are played already, {config.run.games} are asked for")
    if changes:
        raise MatchProblem(
            f"{store.path.parent}: the config would change what was played there: {'; '.join(changes)}. "
            "Engines and games may be added; for anything else choose another --out"
        )


def _told(value: object) -> str:
    dump = getattr(value, "model_dump", None)
    return repr(dump(exclude_none=True) if dump else value)
