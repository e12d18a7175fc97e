"""Cron times: what they mean, where clocks are changed, how mistakes are reported."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from harness.arena.config.cron import parse_cron
from harness.arena.config.reader import ConfigError, parse_config
from harness.arena.config.tables import ScheduleTable
from harness.schedule import Timetable
from tests.harness.schedule.cron_reckoning import allows, allows_day

TWO = '[[engine]]\nname = "a"\ncommand = "x"\n[[engine]]\nname = "b"\ncommand = "y"\n'


def times(cron: str, zone: str, after: datetime, count: int) -> list[str]:
    table = Timetable(ScheduleTable(cron=cron, timezone=zone))
    found = []
    for _ in range(count):
        after = table.next(after)
        found.append(f"{after:%m-%d %H:%M %Z}")
    return found


def comes(cron: str, moment: datetime) -> bool:
    """The slow twin: return whether a cron time comes in this minute."""
    minute, hour, *_ = cron.split()
    return (
        allows(minute, moment.minute, 0) and allows(hour, moment.hour, 0) and allows_day(cron, moment.date())
    )


def fields(low: int, high: int) -> st.SearchStrategy[str]:
    number = st.integers(low, high)
    span = st.tuples(number, number).map(lambda pair: f"{min(pair)}-{max(pair)}")
    step = st.tuples(st.one_of(st.just("*"), span), st.integers(1, high)).map(lambda p: f"{p[0]}/{p[1]}")
    term = st.one_of(number.map(str), span, step)
    return st.one_of(st.just("*"), st.lists(term, min_size=1, max_size=3).map(",".join))


# Months are left open, so that a time comes within the days that are looked at.
CRONS = st.tuples(fields(0, 59), fields(0, 23), fields(1, 31), st.just("*"), fields(0, 7)).map(" ".join)


@settings(max_examples=60, deadline=None)
@example(
    "* * * * 0-0/1", datetime(2024, 1, 1)
)  # a range of one day: CronSim alone reads every day from it on
@given(CRONS, st.datetimes(datetime(2024, 1, 1), datetime(2030, 1, 1)))
def test_the_next_time_is_the_first_minute_that_fits(cron: str, after: datetime) -> None:
    found = Timetable(ScheduleTable(cron=cron)).next(after.replace(tzinfo=UTC))
    minute = after.replace(second=0, microsecond=0) + timedelta(minutes=1)
    end = minute + timedelta(days=3)
    while minute < end and not comes(cron, minute):
        minute += timedelta(minutes=1)
    if minute < end:
        assert found == minute.replace(tzinfo=UTC)
    else:
        assert found >= end.replace(tzinfo=UTC)


def test_either_day_will_do_where_both_are_given() -> None:
    after = datetime(2026, 5, 1, 12, tzinfo=UTC)  # a Friday
    assert times("0 0 13 * fri", "UTC", after, 3) == [
        "05-08 00:00 UTC",
        "05-13 00:00 UTC",
        "05-15 00:00 UTC",
    ]


@pytest.mark.parametrize(
    ("cron", "zone", "after", "expected"),
    [
        # On 29 March Berlin goes from 02:00 CET (+1) to 03:00 CEST (+2): 02:30 is left out, and is due at
        # 03:00. On 25 October it goes from 03:00 CEST back to 02:00 CET: 02:30 comes twice.
        ("30 2 * * *", "Europe/Berlin", (3, 28, 12), ["03-29 03:00 CEST", "03-30 02:30 CEST"]),
        ("0,30 2 * * *", "Europe/Berlin", (3, 28, 12), ["03-29 03:00 CEST", "03-30 02:00 CEST"]),
        ("0 0 * * *", "Europe/Berlin", (3, 28, 12), ["03-29 00:00 CET", "03-30 00:00 CEST"]),
        ("30 2 * * *", "Europe/Berlin", (10, 24, 12), ["10-25 02:30 CEST", "10-26 02:30 CET"]),
        ("0 3 * * *", "Europe/Berlin", (3, 28, 12), ["03-29 03:00 CEST", "03-30 03:00 CEST"]),
        ("0 * * * *", "Europe/Berlin", (3, 28, 23), ["03-29 01:00 CET", "03-29 03:00 CEST"]),
        (
            "0 * * * *",
            "Europe/Berlin",
            (10, 24, 23),
            ["10-25 02:00 CEST", "10-25 02:00 CET", "10-25 03:00 CET"],
        ),
        # Begun between the two 02:30 of the day: the first was the day's.
        ("30 2 * * *", "Europe/Berlin", (10, 25, 1), ["10-26 02:30 CET"]),
        # Kathmandu has 5:45 all the year.
        ("0 0 * * *", "Asia/Kathmandu", (6, 1, 18), ["06-02 00:00 +0545"]),
    ],
)
def test_where_clocks_are_changed(cron: str, zone: str, after: tuple[int, ...], expected: list[str]) -> None:
    month, day, hour = after
    assert times(cron, zone, datetime(2026, month, day, hour, tzinfo=UTC), len(expected)) == expected


def test_all_times_between_two_moments() -> None:
    table = Timetable(ScheduleTable(cron="*/20 * * * *"))
    start = datetime(2026, 1, 1, 0, 20, tzinfo=UTC)
    found = list(table.within(start, start + timedelta(hours=1)))
    assert [f"{time:%H:%M}" for time in found] == ["00:40", "01:00", "01:20"]


@pytest.mark.parametrize(
    ("cron", "complaint"),
    [
        ("* * * *", "needs five fields (minute hour day month weekday), not 4"),
        (
            "61 25 x 13 9",
            "minute: '61' is not valid: expected 0 to 59, such as '3', '1-4', '2,5' or '*/2'; "
            "hour: '25' is not",
        ),
        ("0 0 30 2 *", "is never due"),
        ("0 0 * * fri-mon", "weekday: 'fri-mon' is not valid: expected 0 to 7"),
        ("*/0 * * * *", "minute: '*/0' is not valid: expected 0 to 59"),
        ("1, * * * *", "minute: '1,' is not valid"),
        ("*/90 * * * *", "minute: '*/90' is not valid"),  # which would come every hour
        ("0 0 L * *", "day: 'L' is not valid"),
        ("@reboot", "@reboot is unknown (known: @hourly"),
    ],
)
def test_a_wrong_cron_time_is_reported(cron: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=re.escape(complaint)):
        parse_cron(cron)


def test_names_and_words_mean_numbers() -> None:
    after = datetime(2026, 5, 1, 12, tzinfo=UTC)
    for named, numbers in (
        ("0 0 * jan,DEC Mon-fri", "0 0 * 1,12 1-5"),
        ("@daily", "0 0 * * *"),
        ("0 0 * * 7", "0 0 * * sun"),
    ):
        assert times(named, "UTC", after, 20) == times(numbers, "UTC", after, 20)


def test_wrong_times_are_reported_with_the_other_mistakes_of_the_config() -> None:
    text = f'{TWO}[schedule]\ncron = "0 24 * * *"\ntimezone = "Mars/Base"\n[run]\ngames = 3\n'
    with pytest.raises(ConfigError) as caught:
        parse_config(text, "my.toml")
    assert str(caught.value).splitlines() == [
        "my.toml:8: [schedule] cron: is not a cron time: hour: '24' is not valid: expected 0 to 23, "
        "such as '3', '1-4', '2,5' or '*/2'",
        "my.toml:9: [schedule] timezone: no such time zone: 'Mars/Base', expected one such as Europe/Berlin",
        "my.toml:11: [run] games: must be even, not 3: each opening is played twice, colours exchanged",
    ]
