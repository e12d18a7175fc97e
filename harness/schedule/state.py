"""State of a config that the scheduler stores from one start to the next."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path

from harness.arena.folder.errors import StateFileError
from harness.arena.folder.json_file import load_json, save_json

FILE = "schedule.json"
FORMAT = "conform-schedule/1"
REMEDY = (
    "remove it to start afresh: all runs are kept, but times that were missed until now are not made up for"
)


@dataclass(frozen=True)
class State:
    """`handled`: all times of the schedule up to it are done. The other fields describe the last run."""

    handled: datetime
    run: str | None = None
    at: str | None = None
    result: str | None = None


def read_state(folder: Path) -> State | None:
    """The stored state; None before the first start. Raises StateFileError."""
    path = folder / FILE
    data = load_json(path, FORMAT, REMEDY)
    if data is None:
        return None
    del data["format"]
    try:
        state = State(**{**data, "handled": datetime.fromisoformat(data["handled"])})
    except (KeyError, TypeError, ValueError):
        raise StateFileError(path, f"is damaged; {REMEDY}") from None
    if state.handled.tzinfo is None:
        raise StateFileError(path, f"is damaged; {REMEDY}")
    return state


def write_state(folder: Path, state: State) -> None:
    """Replace the stored state. Raises OSError, and then leaves the old state."""
    save_json(folder / FILE, {"format": FORMAT, **asdict(state), "handled": state.handled.isoformat()})
