"""A config's schedule and state for people."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from harness.gtp import printable
from harness.match import MatchConfig
from harness.schedule.job import shown
from harness.schedule.runs import runs
from harness.schedule.state import read_state
from harness.schedule.times import Timetable


def overview(config: MatchConfig, folder: Path, times: int) -> Iterator[str]:
    """Lines: the next times, the last run, whether one is open. Only reads. Raises StateError."""
    assert config.schedule is not None
    table = config.schedule
    yield f"{printable(config.run.name.encode())}  {table.cron}  {table.timezone}  misfire {table.misfire}"
    after = datetime.now(UTC)
    timetable = Timetable(table)
    for _ in range(times):
        after = timetable.next(after)
        yield f"  next  {after:%a} {shown(after)}"
    state = read_state(folder)
    if state and state.run:
        yield f"  last  {state.run}, {state.at}: {printable((state.result or '').encode())}"
    stored = runs(folder)
    for run in stored:
        if run.open:
            yield f"  open  {run.name}, begun {run.began}"
    yield f"  kept  {sum(run.finished for run in stored)} finished in {folder}"
