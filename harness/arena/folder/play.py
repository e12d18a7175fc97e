"""One start of a run, from its config to its files. `conform match` and the scheduler call `play_run`."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from harness.arena.config.playable import check_playable
from harness.arena.config.tables import MatchConfig
from harness.arena.folder.audit import audit_store
from harness.arena.folder.folder import open_run
from harness.arena.folder.lock import locked
from harness.arena.folder.watcher import Watcher
from harness.arena.folder.writer import RunWriter
from harness.arena.judge.judge import judge
from harness.arena.pairings import pairings
from harness.arena.run.cluster import ClusterRunner, cluster_for
from harness.arena.run.coordinator import Stop
from harness.arena.run.runner import Runner
from harness.arena.store.store import Store
from harness.arena.verdicts import MatchVerdicts
from harness.files import remove_leftovers, timestamp


@dataclass(frozen=True)
class RunOutcome:
    """How a start of a run ended: the verdicts on all stored games; not complete if it was stopped."""

    verdicts: MatchVerdicts
    complete: bool
    benched: tuple[str, ...] = ()  # engines that failed too often
    left: int = 0  # games of these engines that were not played


def play_run(
    config: MatchConfig,
    folder: Path,
    watcher: Watcher,
    stop: Stop,
    writer: RunWriter,
    cluster: str | None = None,
) -> RunOutcome:
    """Play and audit the run in `folder` until it is complete or stopped, and write its files.

    `cluster`: the address of a dask scheduler whose workers play; None plays on this machine.
    Raises MatchError and OSError for what a user can mend.
    """
    with _runner(config, cluster) as (runner, skipped), locked(folder), open_run(config, folder) as store:
        remove_leftovers(folder)
        with watcher.over(store, config, folder, writer):
            for line in skipped:
                watcher.message(f"no opening: {line}")
            with watcher.playing():
                complete = runner(config, store, watcher, stop).run()
            watcher.auditing(0, 0)
            if complete and not audit_store(
                store, config, config.run.audit, stop=stop, progress=watcher.auditing
            ):
                complete = False
                store.note("stop", "during the audit", timestamp())
            watcher.writing()
            verdicts = judge(store, config)
            writer.write(store, verdicts, folder, config.report.formats)
            benched = tuple(watcher.progress.benched)
            watcher.on_end(verdicts, complete=complete and not benched)
            left = _games_left(store, config, benched)
    return RunOutcome(verdicts, complete, benched, left)


def _games_left(store: Store, config: MatchConfig, engines: Collection[str]) -> int:
    """Number of games of these engines that are not stored."""
    pairs = pairings(store.engine_names(), config.run.format)
    of_them = {pair.number for pair in pairs if not {pair.first, pair.second}.isdisjoint(engines)}
    played = sum(pair in of_them and number <= config.run.games for pair, number in store.played())
    return len(of_them) * config.run.games - played


@contextmanager
def _runner(
    config: MatchConfig, cluster: str | None
) -> Iterator[tuple[Callable[..., Runner | ClusterRunner], Sequence[str]]]:
    """The runner of the match, once its engines are known to start, and what is no opening in its files.

    The workers of a cluster read the files of openings on their own machines, and report only what is fatal.
    """
    if cluster is None:
        yield Runner, check_playable(config).skipped
        return
    with cluster_for(config, cluster) as connected:
        yield partial(ClusterRunner, connected), ()
