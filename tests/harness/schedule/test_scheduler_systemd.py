"""Unit files: systemd itself says whether they are right, and when they would start."""

import re
import shutil
import subprocess
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings

from harness.arena.config.tables import ScheduleTable
from harness.schedule import Timetable, units
from harness.schedule.systemd import calendar, changed_hours, is_translatable, unit_name
from tests.harness.schedule.scheduler_helpers import make_config
from tests.harness.schedule.test_scheduler_timetable import CRONS

ANALYZE = shutil.which("systemd-analyze")
needs_systemd = pytest.mark.skipif(ANALYZE is None, reason="systemd is not installed")
NOW = datetime(2026, 1, 1, tzinfo=UTC)
AWKWARD = '/home/a b/$HOME/100%/"quoted"/it\'s'


def text_of(cron: str, zone: str = "UTC", name: str = "nightly", misfire: str = "run") -> str:
    config = make_config(name, cron, zone, misfire)
    assert config.schedule is not None
    words = ["/bin/sh", "schedule", f"{AWKWARD}/nightly.toml"]
    return units(config, config.schedule, words, Path("/"), f"/usr/bin:{AWKWARD}")


@needs_systemd
@pytest.mark.parametrize("cron", ["30 2 * * *", "*/20 2-4 1-15 * mon-fri", "0 0 * * 0"])
@pytest.mark.parametrize("zone", ["UTC", "Europe/Berlin"])
@pytest.mark.parametrize("name", ["nightly", "a b%i-ü"])
def test_systemd_takes_the_units(tmp_path: Path, cron: str, zone: str, name: str) -> None:
    files = re.split(r"^# (\S+)\n", text_of(cron, zone, name), flags=re.MULTILINE)
    for file, content in zip(files[1::2], files[2::2], strict=True):
        (tmp_path / file).write_text(content)
    assert ANALYZE is not None
    checked = subprocess.run(
        [ANALYZE, "verify", *tmp_path.iterdir()], capture_output=True, text=True, check=False
    )
    assert (checked.returncode, checked.stderr) == (0, "")


@needs_systemd
@settings(max_examples=25, deadline=None)
@given(CRONS)
def test_systemd_means_the_same_times(cron: str) -> None:
    table = ScheduleTable(cron=cron)
    assert ANALYZE is not None
    base = [ANALYZE, "calendar", "--iterations=6", f"--base-time={NOW:%Y-%m-%d %H:%M:%S} UTC"]
    printed = [
        subprocess.run([*base, time], capture_output=True, text=True, check=True, env={"TZ": "UTC"}).stdout
        for time in calendar(table)
    ]
    theirs = sorted(set(re.findall(r"(\d{4}-\d\d-\d\d \d\d:\d\d):00 UTC$", "\n".join(printed), re.MULTILINE)))
    ours = [f"{time:%Y-%m-%d %H:%M}" for time in times(table, 6)]
    assert theirs[:6] == ours


def times(table: ScheduleTable, count: int) -> list[datetime]:
    found = [NOW]
    while len(found) <= count:
        found.append(Timetable(table).next(found[-1]))
    return found[1:]


@pytest.mark.parametrize(
    ("zone", "hours"),
    [
        ("UTC", set()),
        ("Asia/Tokyo", set()),
        ("Europe/Berlin", {2}),  # 2:00 to 3:00 is left out in spring, and comes twice in autumn
        ("America/New_York", {1, 2}),  # 2:00 to 3:00 is left out; 1:00 to 2:00 comes twice
        ("Australia/Lord_Howe", {1, 2}),  # by half an hour: 2:00 to 2:30, and 1:30 to 2:00
    ],
)
def test_hours_in_which_clocks_are_changed(zone: str, hours: set[int]) -> None:
    assert changed_hours(ZoneInfo(zone), NOW) == hours


@pytest.mark.parametrize(
    ("cron", "zone", "exact"),
    [
        ("30 2 * * *", "UTC", True),
        ("30 2 * * *", "Europe/Berlin", False),
        ("30 3 * * *", "Europe/Berlin", True),
        ("0 * * * *", "Europe/Berlin", False),
        ("0 * * * *", "Asia/Tokyo", True),
    ],
)
def test_a_timer_is_written_where_it_is_exact_else_a_service_that_keeps_running(
    cron: str, zone: str, exact: bool
) -> None:
    assert is_translatable(ScheduleTable(cron=cron, timezone=zone), NOW) == exact
    text = text_of(cron, zone)
    assert ("OnCalendar=" in text, "--once" in text, "Restart=on-failure" in text) == (
        exact,
        exact,
        not exact,
    )


@needs_systemd
def test_a_zone_goes_with_the_time() -> None:
    (time,) = calendar(ScheduleTable(cron="30 3 * * *", timezone="Europe/Berlin"))
    assert ANALYZE is not None
    printed = subprocess.run(
        [ANALYZE, "calendar", "--base-time=2026-07-01 00:00:00 UTC", time],
        capture_output=True,
        text=True,
        check=True,
        env={"TZ": "UTC"},
    ).stdout
    assert "2026-07-01 01:30:00 UTC" in printed  # CEST is two hours ahead


def test_missed_times_are_made_up_for_as_the_config_says() -> None:
    assert "Persistent=true" in text_of("0 0 * * *")
    assert "Persistent=false" in text_of("0 0 * * *", misfire="skip")


def test_what_would_act_in_a_unit_is_quoted() -> None:
    text = text_of("0 0 * * *")
    assert (
        'ExecStart=/bin/sh schedule "/home/a b/$$HOME/100%%/\\"quoted\\"/it\'s/nightly.toml" --once' in text
    )
    assert unit_name("a b/..%") == r"conform-a\x20b\x2f..\x25"


def test_a_path_that_no_unit_can_hold_is_refused() -> None:
    config = make_config()
    assert config.schedule is not None
    with pytest.raises(ValueError, match="a unit file cannot hold"):
        units(config, config.schedule, ["/bin/conform", "two\nlines.toml"], Path("/"), "/bin")


def test_the_window_looked_at_holds_every_change() -> None:
    """Whatever the day and hour it is made on."""
    for hours in range(0, 24 * 8, 17):
        assert changed_hours(ZoneInfo("Europe/Berlin"), NOW + timedelta(hours=hours)) == {2}
