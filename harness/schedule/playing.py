"""One start of a run, from its config to its files. `conform match` and the scheduler both play so."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from harness.match import (
    ClusterRunner,
    Judgement,
    MatchConfig,
    Runner,
    Stop,
    check_playable,
    cluster_for,
    locked,
    open_run,
)
from harness.report.match_run import unwritten, write_run
from harness.schedule.watching import Watcher


@dataclass(frozen=True)
class Ended:
    """How a start of a run ended: judged by all that is stored; not complete if it was stopped before."""

    judgement: Judgement
    complete: bool


def play_run(
    config: MatchConfig, folder: Path, watcher: Watcher, stop: Stop, cluster: str | None = None
) -> Ended:
    """Play the run in `folder`, new or gone on with, until it is complete or stopped, and write its files.

    `cluster`: not on this machine, but on the workers of the dask scheduler at this address.
    Raises MatchProblem, StoreError and OSError for what a user can mend.
    """
    with _runner(config, cluster) as runner, locked(folder), open_run(config, folder) as store:
        with watcher.over(store, config, folder):
            if missing := unwritten(config.report.formats):
                watcher.told(f"[report] formats: {', '.join(missing)} cannot be written by this version")
            complete = runner(config, store, watcher, stop).run()
        judgement = write_run(store, config, folder, config.report.formats)
    return Ended(judgement, complete)


@contextmanager
def _runner(config: MatchConfig, cluster: str | None) -> Iterator[Callable[..., Runner | ClusterRunner]]:
    """What plays the run, where its engines can be started."""
    if cluster is None:
        check_playable(config)
        yield Runner
        return
    with cluster_for(config, cluster) as there:
        yield partial(ClusterRunner, there)
