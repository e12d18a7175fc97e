"""The state of a config that the scheduler stores in `schedule.json`, and the lines of `--list`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path

from harness.arena.config.tables import MatchConfig, ScheduleTable
from harness.arena.folder.errors import USER_ERRORS, StateFileError, describe_error
from harness.arena.folder.json_file import load_json, save_json
from harness.arena.folder.scheduled_run import ScheduledRun, scheduled_runs, stored_time
from harness.gtp import printable_text
from harness.schedule.hooks import missing_hooks
from harness.schedule.own_config import changes_since, own_config
from harness.schedule.timetable import Timetable, format_time

FILE = "schedule.json"
FORMAT = "conform-schedule/1"
MAX_COUNTED = 1000
"""Missed times are counted up to this number. Chosen: nobody needs a larger number."""
REMEDY = (
    "remove it to start afresh: all runs are kept, but times that were missed until now are not made up for"
)


@dataclass(frozen=True)
class State:
    """The stored state of a config."""

    handled: datetime  # times of the schedule up to this have started a run or were skipped
    run: str | None = None  # name of the last run
    at: str | None = None  # time of the result, in ISO 8601
    result: str | None = None  # how that run ended or stopped, or a problem since then, in one line


def read_state(folder: Path) -> State | None:
    """Read the stored state; None before the first start. Raises StateFileError."""
    path = folder / FILE
    data = load_json(path, FORMAT, REMEDY)
    if data is None:
        return None
    del data["format"]
    try:
        handled = stored_time(data.pop("handled"))
        if not all(value is None or isinstance(value, str) for value in data.values()):
            raise TypeError
        return State(handled, **data)
    except (KeyError, TypeError, ValueError):
        raise StateFileError(path, f"is damaged; {REMEDY}") from None


def write_state(folder: Path, state: State) -> None:
    """Replace the stored state. Raises OSError and then keeps the old state."""
    save_json(folder / FILE, {"format": FORMAT, **asdict(state), "handled": state.handled.isoformat()})


def overview(config: MatchConfig, folder: Path, times: int) -> Iterator[str]:
    """Lines about a schedule and its runs. Changes nothing. Raises StateFileError and OSError.

    times   number of the next times to list
    """
    table = config.schedule
    assert table is not None
    yield f"{printable_text(config.run.name)}  {table.cron}  {table.timezone}  misfire {table.misfire}"
    after = now = datetime.now(UTC)
    for _ in range(times):
        after = Timetable(table).next(after)
        yield f"  next  {after:%a} {format_time(after)}"
    for problem in missing_hooks(table):
        yield f"  hook  {printable_text(problem)}"
    state = read_state(folder)
    stored = scheduled_runs(folder)
    if state:
        # After a clock that was wrong, a run may have begun in the future.
        began = (run.began_at for run in stored if run.began_at <= now)
        yield from _missed(table, max([state.handled, *began]), now)
    if state and state.result:
        yield f"  last  {state.run or 'no run'}, {state.at}: {printable_text(state.result)}"
    for run in stored:
        if run.open:
            yield f"  open  {run.name}, began {run.began}{_changed(run, config)}"
    yield f"  kept  {sum(run.finished for run in stored)} finished in {folder}"


def _missed(table: ScheduleTable, since: datetime, now: datetime) -> Iterator[str]:
    """A line about the times after `since` and up to `now`, which started no run, if there are any."""
    missed = list(islice(Timetable(table).within(since, now), MAX_COUNTED))
    if missed:
        then = "the next start makes up for it" if table.misfire == "run" else "skipped"
        yield f"  past  {missed_times(missed)}; {then}"


def missed_times(missed: Sequence[datetime]) -> str:
    """The number of missed times (at least one), such as "3 times missed since 2026-11-28 01:00 UTC"."""
    number = len(missed)
    least = "at least " if number == MAX_COUNTED else ""
    times = "time" if number == 1 else "times"
    return f"{least}{number} {times} missed since {format_time(missed[0])}"


def _changed(run: ScheduledRun, config: MatchConfig) -> str:
    """Return what changed in the config since a run began, or why its own config cannot be read, in words.

    The text begins with a semicolon. It is empty if nothing changed, or before the first start of the run.
    """
    try:
        own = own_config(run)
    except USER_ERRORS as error:
        return f"; {describe_error(error)}"
    changes = changes_since(own, config) if own is not None else ""
    return f"; changed since then: {printable_text(changes)}" if changes else ""
