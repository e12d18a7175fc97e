"""Somebody sets the clock of the machine, or a state file names times of another clock.

Before: a schedule that was started with the clock ahead slept until that time, and times after a clock that
was set back were skipped as missed. After: each time of the schedule has one run, whatever the clock did.
"""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from harness.arena.folder.errors import StateFileError
from harness.arena.folder.scheduled_run import begin_run, scheduled_runs
from harness.arena.run.stop import Stop
from harness.schedule import Clock
from harness.schedule.state import State, read_state, write_state
from tests.harness.schedule.scheduler_helpers import START, Setting, make_config

HOURS = ["05 13:00", "05 14:00", "05 15:00"]
END = datetime(2026, 1, 5, 15, 30, tzinfo=UTC)
POWER_ON = datetime(1970, 1, 1, tzinfo=UTC)
"""The time that a machine without a battery for its clock shows until it asks a server."""


@pytest.fixture
def setting(tmp_path: Path) -> Setting:
    return Setting(tmp_path / "reports")


@pytest.mark.parametrize("misfire", ["run", "skip"])
@pytest.mark.parametrize("ahead", [timedelta(minutes=40), timedelta(hours=5), timedelta(days=3650)])
def test_a_schedule_that_was_started_with_the_clock_ahead_keeps_its_times(
    setting: Setting, misfire: str, ahead: timedelta
) -> None:
    setting.clock.time = START + ahead
    setting.clock.settings = [(START + ahead, START)]
    setting.keep_running(make_config(misfire=misfire), until=END)
    assert setting.times() == HOURS
    assert setting.log.count("the clock was set back") == 1


@pytest.mark.parametrize("misfire", ["run", "skip"])
@pytest.mark.parametrize("back", [timedelta(seconds=1), timedelta(minutes=50), timedelta(days=2)])
def test_no_time_is_played_twice_or_skipped_after_the_clock_was_set_back(
    setting: Setting, misfire: str, back: timedelta
) -> None:
    setting.length = timedelta()
    played = datetime(2026, 1, 5, 13, tzinfo=UTC)
    setting.clock.settings = [(played + timedelta(hours=1, minutes=-1), played - back)]
    until = played + timedelta(hours=2, minutes=30)
    setting.keep_running(make_config(cron="0 13,14,15 5 * *", misfire=misfire), until=until)
    assert setting.times() == HOURS


def test_a_clock_that_was_wrong_for_a_moment_repeats_nothing(setting: Setting) -> None:
    nightly = make_config(cron="0 13 * * *")
    setting.keep_running(nightly, until=END)
    setting.clock.time = POWER_ON
    setting.clock.settings = [(POWER_ON, END)]
    setting.keep_running(nightly, until=END + timedelta(days=1))
    assert setting.times() == ["05 13:00", "06 13:00"]
    assert setting.log.count("missed") == 0


def test_a_jump_ahead_and_back_gives_one_run_to_each_time(setting: Setting) -> None:
    ahead = START + timedelta(hours=2)
    setting.clock.settings = [(START, ahead), (ahead + timedelta(minutes=5), START + timedelta(minutes=6))]
    setting.keep_running(make_config(), until=END)
    due = [run.due_at for run in scheduled_runs(setting.reports / "nightly")]
    assert due == [datetime(2026, 1, 5, hour, tzinfo=UTC) for hour in (13, 14, 15)]


def test_a_wait_ends_when_the_clock_is_set_back() -> None:
    shown = [START, START - timedelta(days=30)]

    class SetBack(Clock):
        def now(self) -> datetime:
            return shown.pop(0) if len(shown) > 1 else shown[0]

    clock = SetBack()
    clock.wait(START + timedelta(milliseconds=1), Stop())
    assert clock.now() == START - timedelta(days=30)


@pytest.mark.parametrize("year", [1, 9999])
def test_times_that_nobody_can_calculate_with_are_damage(tmp_path: Path, year: int) -> None:
    write_state(tmp_path, State(datetime(year, 1, 1, tzinfo=UTC)))
    with pytest.raises(StateFileError, match="is damaged"):
        read_state(tmp_path)
    problems: list[str] = []
    begin_run(tmp_path, START, datetime(year, 1, 1, tzinfo=UTC))
    assert scheduled_runs(tmp_path, problems.append) == []
    assert "is damaged" in problems[0]
