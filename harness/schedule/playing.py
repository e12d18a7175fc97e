"""One start of a run, from its config to its files. `conform match` and the scheduler both play so."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from harness.match import Judgement, MatchConfig, Runner, Stop, check_playable, locked, open_run
from harness.report.match_run import write_run
from harness.schedule.watching import Watcher


@dataclass(frozen=True)
class Ended:
    """How a start of a run ended: judged by all that is stored; not complete if it was stopped before."""

    judgement: Judgement
    complete: bool


def play_run(config: MatchConfig, folder: Path, watcher: Watcher, stop: Stop) -> Ended:
    """Play the run in `folder`, new or gone on with, until it is complete or stopped, and write its files.

    Raises MatchProblem, StoreError and OSError for what a user can mend.
    """
    check_playable(config)
    with locked(folder), open_run(config, folder) as store:
        with watcher.over(store, config, folder):
            complete = Runner(config, store, watcher, stop).run()
        judgement = write_run(store, config, folder, config.report.formats)
    return Ended(judgement, complete)
