"""What the scheduler remembers of a config between its starts."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path

from harness.schedule.durable import StateError, load, save

FILE = "schedule.json"
FORMAT = "conform-schedule/1"
REMEDY = "remove it to begin anew: runs are kept, only a time missed before now is not made up for"


@dataclass(frozen=True)
class State:
    """Up to when all times of the schedule are dealt with, and how the last run ended, for people."""

    handled: datetime
    run: str | None = None
    at: str | None = None
    result: str | None = None


def read_state(folder: Path) -> State | None:
    """None before the first start. Raises StateError."""
    path = folder / FILE
    data = load(path, FORMAT, REMEDY)
    if data is None:
        return None
    del data["format"]
    try:
        state = State(**{**data, "handled": datetime.fromisoformat(data["handled"])})
    except (KeyError, TypeError, ValueError):
        raise StateError(path, f"is damaged; {REMEDY}") from None
    if state.handled.tzinfo is None:
        raise StateError(path, f"is damaged; {REMEDY}")
    return state


def write_state(folder: Path, state: State) -> None:
    """Raises OSError, and then leaves what was there."""
    save(folder / FILE, {"format": FORMAT, **asdict(state), "handled": state.handled.isoformat()})
