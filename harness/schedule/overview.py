"""The schedule and the state of a config in lines of text, for `conform schedule --list`."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from harness.arena.config.tables import MatchConfig
from harness.arena.folder.scheduled_run import scheduled_runs
from harness.gtp import printable_text
from harness.schedule.job import shown
from harness.schedule.state import read_state
from harness.schedule.timetable import Timetable


def overview(config: MatchConfig, folder: Path, times: int) -> Iterator[str]:
    """Lines with the next times, the last run and any open run. Changes nothing. Raises StateFileError."""
    assert config.schedule is not None
    table = config.schedule
    yield f"{printable_text(config.run.name)}  {table.cron}  {table.timezone}  misfire {table.misfire}"
    after = datetime.now(UTC)
    timetable = Timetable(table)
    for _ in range(times):
        after = timetable.next(after)
        yield f"  next  {after:%a} {shown(after)}"
    state = read_state(folder)
    if state and state.run:
        yield f"  last  {state.run}, {state.at}: {printable_text(state.result or '')}"
    stored = scheduled_runs(folder)
    for run in stored:
        if run.open:
            yield f"  open  {run.name}, began {run.began}"
    yield f"  kept  {sum(run.finished for run in stored)} finished in {folder}"
