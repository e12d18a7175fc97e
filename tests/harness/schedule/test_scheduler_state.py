"""The stored state of a config."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from harness.arena.folder.errors import StateFileError
from harness.arena.folder.scheduled_run import begin_run
from harness.schedule.state import State, overview, read_state, write_state
from harness.schedule.timetable import Timetable
from tests.harness.schedule.scheduler_helpers import make_config

NOW = datetime(2026, 1, 5, 12, tzinfo=UTC)


def test_the_state_is_what_was_written(tmp_path: Path) -> None:
    assert read_state(tmp_path) is None
    state = State(NOW, "20260105T120000Z", "then", "undecided")
    write_state(tmp_path, state)
    assert read_state(tmp_path) == state
    assert [file.name for file in tmp_path.iterdir()] == ["schedule.json"]


@pytest.mark.parametrize("field", ["run", "at", "result"])
def test_a_state_with_a_value_of_another_type_is_damaged(tmp_path: Path, field: str) -> None:
    write_state(tmp_path, State(NOW))
    (file,) = tmp_path.iterdir()
    file.write_text(json.dumps(json.loads(file.read_text("utf-8")) | {field: 5}), "utf-8")
    with pytest.raises(StateFileError, match="is damaged"):
        read_state(tmp_path)


@pytest.mark.parametrize(
    ("misfire", "then"), [("run", "the next start makes up for it"), ("skip", "skipped")]
)
def test_times_that_passed_without_a_run_are_listed(tmp_path: Path, misfire: str, then: str) -> None:
    config = make_config(cron="30 2 * * *", misfire=misfire)
    assert config.schedule is not None
    now = datetime.now(UTC)
    last = next(Timetable(config.schedule).within(now - timedelta(days=1), now))
    assert not [line for line in overview(config, tmp_path, 1) if "missed" in line]  # never started
    write_state(tmp_path, State(last + timedelta(seconds=1)))
    assert not [line for line in overview(config, tmp_path, 1) if "missed" in line]
    write_state(tmp_path, State(last - timedelta(days=2, seconds=-1)))
    (line,) = [line for line in overview(config, tmp_path, 1) if "missed" in line]
    first = last - timedelta(days=1)
    assert line == f"  past  2 times missed since {first:%Y-%m-%d} 02:30 UTC; {then}"
    begin_run(tmp_path, first + timedelta(seconds=1), first)  # its start was stored, and the state was not
    (line,) = [line for line in overview(config, tmp_path, 1) if "missed" in line]
    assert line == f"  past  1 time missed since {last:%Y-%m-%d} 02:30 UTC; {then}"
    begin_run(tmp_path, now + timedelta(days=9), None)  # by a clock that was wrong
    assert line in list(overview(config, tmp_path, 1))


@pytest.mark.parametrize(
    "change", [{"handled": "soon"}, {"handled": "2026-01-05T12:00:00"}, {"extra": 1}, {"format": "x/2"}]
)
def test_a_damaged_state_says_what_to_do(tmp_path: Path, change: dict[str, object]) -> None:
    write_state(tmp_path, State(NOW))
    path = tmp_path / "schedule.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | change))
    with pytest.raises(StateFileError, match=r"schedule\.json: is .*; remove it to start afresh"):
        read_state(tmp_path)
