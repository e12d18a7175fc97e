"""Cron times in every time zone, against an independent reckoning minute by minute."""

from bisect import bisect_right
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo, available_timezones

import pytest

from harness.arena.config.tables import ScheduleTable
from harness.schedule import Timetable
from tests.harness.schedule.cron_reckoning import due_times, wall_clock
from tests.parameters import slow_but, thorough_but
from tests.thorough import Mutant

CRONS = (
    "0 0 * * *",
    "0 0 * * 0",
    "0 0 1 * *",
    "30 0 * * *",
    "0 1 * * *",
    "59 1 * * *",
    "0 2 * * *",
    "30 2 * * *",
    "0,30 2 * * *",
    "15,45 1-3 * * *",
    "30 2 * * 0",
    "30 3 * * 6,7",
    "0 3 13 * 5",
    "59 23 * * *",
    "*/20 2 * * *",
    "0 */2 * * *",
    "0 0-23/3 * * 1-5",
    "0 * * * *",
    "*/20 * * * 0",
    "30 * */7 * *",
)
PARTS = 10  # of the long test, so that each ends in minutes
# Of each kind of change: one hour, half an hour (Lord Howe), at midnight (Cairo, Beirut, Santiago, Havana),
# backwards in summer (Dublin), with a month in between (Casablanca), far from 0 (Chatham), none (Kathmandu).
SAMPLE = (
    "Africa/Cairo",
    "Africa/Casablanca",
    "America/Havana",
    "America/New_York",
    "America/Santiago",
    "Asia/Beirut",
    "Asia/Kathmandu",
    "Atlantic/Azores",
    "Australia/Lord_Howe",
    "Europe/Berlin",
    "Europe/Dublin",
    "Pacific/Chatham",
)
OFTEN = ("Africa/Cairo", "Africa/Casablanca", "Australia/Lord_Howe", "Europe/Dublin")
"""The zones of the sample whose year is reckoned in every run of the tests."""


def differences(name: str, start: datetime, end: datetime, crons: tuple[str, ...]) -> list[str]:
    """The expressions whose times in the zone differ from the reckoning, with a first difference."""
    shown = wall_clock(ZoneInfo(name), start, end)
    wrong = []
    for cron in crons:
        expected = due_times(cron, shown, start)
        times = Timetable(ScheduleTable(cron=cron, timezone=name)).within(start, end)
        found = [time.astimezone(UTC) for time in times]
        if found != sorted(expected - {start}):
            wrong.append(f"{name} {cron!r}: {sorted(set(found) ^ expected)[:3]}")
    return wrong


@pytest.mark.parametrize(
    "zone",
    [
        *thorough_but(
            OFTEN[:1],
            OFTEN,
            Mutant(
                "harness/schedule/timetable.py",
                'hours = "*" if len(cron.hours) == 24 else _listed(cron.hours)',
                "hours = _listed(cron.hours)",
                "tests/harness/schedule/test_scheduler_zones.py::"
                "test_times_of_a_year_are_those_of_the_reckoning[Africa/Cairo]",
            ),
        ),
        *slow_but((), [zone for zone in SAMPLE if zone not in OFTEN]),
    ],
)
def test_times_of_a_year_are_those_of_the_reckoning(zone: str) -> None:
    assert differences(zone, datetime(2026, 1, 1, tzinfo=UTC), datetime(2027, 1, 1, tzinfo=UTC), CRONS) == []


def test_a_day_that_a_zone_left_out_is_due_at_its_end() -> None:
    """Apia went from 29 to 31 December 2011."""
    start, end = datetime(2011, 12, 20, tzinfo=UTC), datetime(2012, 1, 10, tzinfo=UTC)
    assert differences("Pacific/Apia", start, end, CRONS) == []


@pytest.mark.parametrize("zone", ["Europe/Berlin", "Africa/Cairo", "Australia/Lord_Howe", "America/Havana"])
@pytest.mark.parametrize("cron", slow_but(("0,30 2 * * *",), ["0,30 2 * * *", "0 0 * * *", "*/15 * * * *"]))
def test_the_next_time_does_not_depend_on_when_one_asks(zone: str, cron: str) -> None:
    """From every 20 minutes of the days around each change, the next time is that of the list."""
    table = Timetable(ScheduleTable(cron=cron, timezone=zone))
    start = datetime(2026, 1, 1, tzinfo=UTC)
    times = [time.astimezone(UTC) for time in table.within(start, start + timedelta(days=370))]
    offset = [(start + timedelta(days=day)).astimezone(table.zone).utcoffset() for day in range(366)]
    changes = [day for day in range(1, 366) if offset[day] != offset[day - 1]]
    assert len(changes) == 2
    for day in changes:
        for number in range(2 * 72):
            after = start + timedelta(days=day - 1, minutes=20 * number, seconds=7)
            assert table.next(after).astimezone(UTC) == times[bisect_right(times, after)]


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_every_zone_agrees_with_the_reckoning_over_three_years(part: int) -> None:
    """Zones whose clocks show the same at every minute of the period are one case."""
    start, end = datetime(2025, 1, 1, tzinfo=UTC), datetime(2028, 1, 1, tzinfo=UTC)
    clocks = {}
    for name in sorted(available_timezones())[part::PARTS]:
        clocks[wall_clock(ZoneInfo(name), start, end).tobytes()] = name
    assert [text for name in clocks.values() for text in differences(name, start, end, CRONS)] == []


@pytest.mark.slow
def test_no_zone_loses_a_day() -> None:
    """In every zone @daily comes on each date of the year, once."""
    start, end = datetime(2025, 12, 25, tzinfo=UTC), datetime(2027, 1, 5, tzinfo=UTC)
    for name in available_timezones():
        table = Timetable(ScheduleTable(cron="@daily", timezone=name))
        dates = [time.date() for time in table.within(start, end) if time.year == 2026]
        assert len(dates) == len(set(dates)) == 365, name
