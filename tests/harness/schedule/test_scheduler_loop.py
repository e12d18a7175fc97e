"""The order and the times of runs, with a clock that only tests move. The runs have a store and no games."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from harness.arena.config.tables import MatchConfig
from harness.arena.errors import PlayError
from harness.arena.folder.history import read_history
from harness.arena.folder.lock import locked
from harness.arena.folder.scheduled_run import scheduled_runs
from harness.arena.judge.judge import judge
from harness.arena.store.errors import StoreError
from harness.arena.store.store import Store
from harness.arena.verdicts import MatchVerdicts
from tests.harness.schedule.scheduler_helpers import START, Setting, at, make_config

HOURLY = make_config()
SKIP = make_config(misfire="skip")


@pytest.fixture
def setting(tmp_path: Path) -> Setting:
    return Setting(tmp_path / "reports")


def test_a_run_at_each_time_in_a_folder_of_its_own(setting: Setting) -> None:
    assert setting.keep_running(HOURLY, until=at(15, 30))
    assert setting.times() == ["05 13:00", "05 14:00", "05 15:00"]
    folder = setting.reports / "nightly"
    assert [run.name for run in scheduled_runs(folder)] == [f"20260105T{hour}0000Z" for hour in (13, 14, 15)]
    assert all(run.finished for run in scheduled_runs(folder))
    assert (folder / "latest").readlink() == Path("20260105T150000Z")
    assert len((folder / "history.csv").read_text().splitlines()) == 1 + 3 * 2  # two bots


def test_the_history_has_the_verdicts_of_the_run_which_is_not_judged_again(setting: Setting) -> None:
    def judge_as_if_won(store: Store, config: MatchConfig) -> MatchVerdicts:
        verdicts = judge(store, config)
        return replace(verdicts, standings=tuple(replace(row, points=77.0) for row in verdicts.standings))

    setting.judge = judge_as_if_won
    setting.keep_running(HOURLY, until=at(13, 30))
    assert [row.points for row in read_history(setting.reports / "nightly").rows] == [77.0, 77.0]


def test_the_first_start_makes_up_for_nothing(setting: Setting) -> None:
    setting.keep_running(HOURLY, until=at(12, 59))
    assert setting.begun == []


@pytest.mark.parametrize(("config", "expected"), [(HOURLY, ["05 18:30", "05 19:00"]), (SKIP, ["05 19:00"])])
def test_missed_times_are_made_up_for_by_one_run_or_skipped(
    setting: Setting, config: MatchConfig, expected: list[str]
) -> None:
    setting.keep_running(config, until=at(12, 45))
    setting.clock.time = at(18, 30)  # 13:00 to 18:00 have passed: six times
    setting.keep_running(config, until=at(19, 10))
    assert setting.times() == expected
    assert setting.log.count("6 times missed since 2026-01-05 13:00 UTC") == 1


@pytest.mark.parametrize(
    ("config", "expected"), [(HOURLY, ["05 13:00", "05 15:20", "05 17:40"]), (SKIP, ["05 13:00", "05 16:00"])]
)
def test_times_that_come_during_a_run_of_the_config_are_missed(
    setting: Setting, config: MatchConfig, expected: list[str]
) -> None:
    setting.length = timedelta(hours=2, minutes=20)
    setting.keep_running(config, until=at(17, 50))
    assert setting.times()[:3] == expected


def test_a_config_waits_for_the_run_of_another_and_is_not_skipped_for_it(setting: Setting) -> None:
    setting.length = timedelta(minutes=10)
    configs = [make_config(name, misfire="skip") for name in ("one", "two", "three")]
    setting.keep_running(*configs, until=at(14, 30))
    assert setting.times("one") == ["05 13:00", "05 14:00"]
    assert setting.times("two") == ["05 13:10", "05 14:10"]
    assert setting.times("three") == ["05 13:20", "05 14:20"]
    assert setting.log.count("missed") == 0


@pytest.mark.parametrize(("config", "expected"), [(HOURLY, ["05 13:00", "05 17:30"]), (SKIP, ["05 13:00"])])
def test_times_slept_through_are_missed(setting: Setting, config: MatchConfig, expected: list[str]) -> None:
    setting.clock.sleeps = [(at(13, 40), timedelta(hours=3, minutes=50))]
    setting.keep_running(config, until=at(17, 50))
    assert setting.times() == expected
    assert setting.log.count("4 times missed") == 1


def test_a_day_on_which_the_clocks_are_changed_has_one_run(tmp_path: Path) -> None:
    nightly = make_config(cron="30 2 * * *", timezone="Europe/Berlin")
    for month, first, expected in (
        (3, 28, ["28 01:30", "29 01:00", "30 00:30"]),
        (10, 24, ["24 00:30", "25 00:30", "26 01:30"]),
    ):
        setting = Setting(tmp_path / str(month), datetime(2026, month, first, tzinfo=UTC))
        setting.keep_running(nightly, until=datetime(2026, month, first + 2, 12, tzinfo=UTC))
        assert setting.times() == expected  # in UTC


def test_a_stop_leaves_the_run_open_and_the_next_start_goes_on_with_it_first(setting: Setting) -> None:
    setting.fails = lambda config: setting.stop.ask()
    setting.keep_running(HOURLY, until=at(23))
    assert setting.times() == ["05 13:00"]
    assert [run.open for run in scheduled_runs(setting.reports / "nightly")] == [True]
    setting.fails = lambda config: None
    setting.clock.time = at(13, 30)
    setting.keep_running(HOURLY, until=at(14, 10))
    assert setting.times() == ["05 13:00", "05 13:30", "05 14:00"]
    assert [run.name for run in scheduled_runs(setting.reports / "nightly")] == [
        "20260105T130000Z",
        "20260105T140000Z",
    ]


def test_a_run_is_played_to_its_end_as_it_was_begun(setting: Setting) -> None:
    seen: list[int] = []

    def see_and_stop(config: MatchConfig) -> None:
        seen.append(config.run.games)
        setting.stop.ask()

    setting.fails = see_and_stop
    setting.keep_running(HOURLY, until=at(23))
    setting.fails = lambda config: seen.append(config.run.games)
    setting.clock.time = at(13, 30)
    setting.keep_running(make_config(games=8), until=at(14, 10))
    assert seen == [2, 2, 8]


def test_a_problem_or_a_bug_ends_one_run_and_is_reported(setting: Setting) -> None:
    def fails(config: MatchConfig) -> None:
        if setting.clock.time.hour == 13:
            raise StoreError(Path("run.db"), "the disk is full")
        if setting.clock.time.hour == 15:
            raise ZeroDivisionError("ours")

    setting.fails = fails
    sound = setting.keep_running(HOURLY, until=at(17, 30))
    assert not sound
    # At 14:00 the run of 13:00 goes on before the new one begins; at 16:00 that of 15:00.
    assert setting.times() == [
        f"05 {t}" for t in ("13:00", "14:00", "14:05", "15:00", "16:00", "16:05", "17:00")
    ]
    assert setting.log.count("problem: run.db: the disk is full") == 1
    assert setting.log.count("ZeroDivisionError: ours") == 1
    assert all(run.finished for run in scheduled_runs(setting.reports / "nightly"))


def test_a_run_that_fails_three_times_in_a_row_is_given_up_and_kept(setting: Setting) -> None:
    def fails(config: MatchConfig) -> None:
        if setting.clock.time < at(16):
            raise StoreError(Path("run.db"), "is damaged")

    setting.fails = fails
    setting.keep_running(make_config(keep=1), until=at(18, 30))
    assert setting.times() == [f"05 {hour}:00" for hour in (13, 14, 15, 16, 17, 18)]
    first, *others = scheduled_runs(setting.reports / "nightly")
    assert (first.given_up, first.open) == ("run.db: is damaged", False)
    assert [run.name for run in others] == ["20260105T180000Z"]  # keep = 1 counts finished ones alone


def test_a_run_that_cannot_be_begun_leaves_nothing_and_the_next_time_comes(setting: Setting) -> None:
    original, setting.play = setting.play, lambda *_: (_ for _ in ()).throw(PlayError("no such program"))  # type: ignore[method-assign]
    setting.keep_running(HOURLY, until=at(14, 30))
    assert setting.log.count("problem: no such program") == 2
    assert scheduled_runs(setting.reports / "nightly") == []
    setting.play = original  # type: ignore[method-assign]
    setting.keep_running(HOURLY, until=at(15, 30))
    assert setting.times() == ["05 15:00"]


def test_two_processes_never_run_one_config_at_once(setting: Setting) -> None:
    (other,) = setting.jobs(HOURLY)
    (one,) = setting.jobs(HOURLY)
    for job in (one, other):
        job.load()
    setting.clock.time = at(13)
    with locked(one.folder):
        (refused,) = other.attend()
        assert "another conform uses this folder" in str(refused.problem)
        assert other.next_look() == at(13) + timedelta(seconds=30)
    (ran,) = one.attend()
    assert ran.complete
    assert other.attend() == []  # it sees that the time is dealt with
    assert setting.times() == ["05 13:00"]


def test_the_next_try_after_a_problem_has_the_zone_of_the_config(setting: Setting) -> None:
    (job,) = setting.jobs(make_config(timezone="Europe/Berlin"))
    job.load()
    setting.clock.time = at(13)
    with locked(job.folder):
        job.attend()
    assert job.next_look() == at(13) + timedelta(seconds=30)
    assert job.next_look().tzname() == "CET"


def test_a_clock_that_was_far_ahead_does_not_stop_the_schedule(setting: Setting) -> None:
    setting.clock.time = START + timedelta(days=3650)
    setting.keep_running(HOURLY, until=START + timedelta(days=3650, minutes=1))
    setting.clock.time = START
    setting.keep_running(HOURLY, until=at(14, 30))
    assert setting.log.count("the clock was set back") >= 1
    assert setting.times() == ["05 13:00", "05 14:00"]


def test_keep_removes_the_oldest(setting: Setting) -> None:
    setting.keep_running(make_config(keep=2), until=at(16, 30))
    assert [run.name[9:11] for run in scheduled_runs(setting.reports / "nightly")] == ["15", "16"]
    rows = (setting.reports / "nightly/history.csv").read_text().splitlines()
    assert len(rows) == 1 + 4 * 2  # the history knows them still


def test_runs_are_removed_only_when_the_history_has_them(
    setting: Setting, monkeypatch: pytest.MonkeyPatch
) -> None:
    setting.keep_running(HOURLY, until=at(15, 30))
    (setting.reports / "nightly/history.csv").unlink()

    def fails(*_: object) -> None:
        raise OSError("the disk is full")

    with monkeypatch.context() as patched:
        patched.setattr("harness.schedule.run_keeper.complete_history", fails)
        setting.keep_running(make_config(keep=2), until=at(16, 30))
    assert len(scheduled_runs(setting.reports / "nightly")) == 4
    setting.keep_running(make_config(keep=2), until=at(17, 30))
    assert len(scheduled_runs(setting.reports / "nightly")) == 2
    rows = (setting.reports / "nightly/history.csv").read_text().splitlines()
    assert len(rows) == 1 + 5 * 2


def test_what_is_in_the_way_of_link_or_history_is_reported_and_the_run_is_finished(setting: Setting) -> None:
    folder = setting.reports / "nightly"
    (folder / "latest").mkdir(parents=True)
    (folder / "history.csv").write_text("mine\n")
    setting.keep_running(HOURLY, until=at(13, 30))
    assert setting.log.count("latest: is in the way") == 1
    assert setting.log.count("history.csv:1: is not the header of a history") == 1
    assert (folder / "history.damaged-1.csv").read_text() == "mine\n"
    assert [run.finished for run in scheduled_runs(folder)] == [True]
