"""One config of a scheduler fails: by a bug of ours, by its state file, or because its folder is gone.

Before: the scheduler ended, and no other config was played. After: the others go on, and the failure is in
the log, in `--list` and in the exit code.
"""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from harness.arena.folder.errors import RunError, StateFileError
from harness.schedule import Scheduler, overview
from harness.schedule.timetable import Timetable
from tests.harness.schedule.scheduler_helpers import Setting, make_config
from tests.harness.schedule.test_scheduler_hooks import append_to, with_hooks

HOURS = ["05 13:00", "05 14:00"]
END = datetime(2026, 1, 5, 14, 30, tzinfo=UTC)
GOOD, BAD = make_config("good"), make_config("bad")


@pytest.fixture
def setting(tmp_path: Path) -> Setting:
    return Setting(tmp_path / "reports")


class BrokenTimetable(Timetable):
    """A timetable with a bug."""

    def after(self, moment: datetime) -> Iterator[datetime]:
        raise ZeroDivisionError(f"after {moment}")


def test_a_bug_in_one_config_does_not_end_the_others(setting: Setting) -> None:
    setting.clock.end = END
    bad, good = setting.jobs(BAD, GOOD)
    assert BAD.schedule is not None
    bad.timetable = BrokenTimetable(BAD.schedule)
    sound = Scheduler([bad, good], setting.clock, setting.stop, setting.log).keep_running()
    assert not sound
    assert setting.times("good") == HOURS
    assert setting.log.count("bad: internal error: Traceback") >= 1
    assert any("ZeroDivisionError" in line for line in overview(BAD, bad.folder, 1))


def test_a_damaged_state_of_one_config_does_not_end_the_others(setting: Setting) -> None:
    state = setting.reports / "bad" / "schedule.json"
    state.parent.mkdir(parents=True)
    state.write_text("{")
    setting.keep_running(BAD, GOOD, until=END)
    assert setting.times("good") == HOURS
    assert setting.times("bad") == []
    assert setting.log.count(f"{state}: is damaged") >= 1
    assert state.read_text() == "{"
    with pytest.raises(StateFileError):
        setting.keep_running(BAD, until=END)


def test_one_run_of_each_config_that_can_be_read(setting: Setting) -> None:
    state = setting.reports / "bad" / "schedule.json"
    state.parent.mkdir(parents=True)
    state.write_text("{")
    jobs = setting.jobs(BAD, GOOD)
    results = Scheduler(jobs, setting.clock, setting.stop, setting.log).play_once()
    assert [result.complete for result in results] == [False, True]


def test_the_folder_that_the_scheduler_was_started_in_is_deleted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    setting = Setting(Path("reports"))
    jobs = setting.jobs(with_hooks(GOOD, on_failure=append_to(tmp_path / "out")), BAD)
    gone.rmdir()
    with pytest.raises(RunError, match="cannot be written"):
        Scheduler(jobs, setting.clock, setting.stop, setting.log).play_once()
    assert json.loads((tmp_path / "out").read_text())["folder"] == str(gone / "reports" / "good")
