"""The stored state of a config."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from harness.arena.folder.errors import StateFileError
from harness.schedule.state import State, read_state, write_state

NOW = datetime(2026, 1, 5, 12, tzinfo=UTC)


def test_the_state_is_what_was_written(tmp_path: Path) -> None:
    assert read_state(tmp_path) is None
    state = State(NOW, "20260105T120000Z", "then", "undecided")
    write_state(tmp_path, state)
    assert read_state(tmp_path) == state
    assert [file.name for file in tmp_path.iterdir()] == ["schedule.json"]


@pytest.mark.parametrize(
    "change", [{"handled": "soon"}, {"handled": "2026-01-05T12:00:00"}, {"extra": 1}, {"format": "x/2"}]
)
def test_a_damaged_state_says_what_to_do(tmp_path: Path, change: dict[str, object]) -> None:
    write_state(tmp_path, State(NOW))
    path = tmp_path / "schedule.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | change))
    with pytest.raises(StateFileError, match=r"schedule\.json: is .*; remove it to start afresh"):
        read_state(tmp_path)
