"""The slow twin of the timetable: cron times found by looking at every minute.

It shares no code with the timetable, and takes another way: it does not search for the next time. It has the
wall clock of a zone for every minute of real time, and marks the minutes at which a run is due.
"""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import numpy as np
from numpy.typing import NDArray

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MINUTE = timedelta(minutes=1)
DAY = 24 * 60
MARGIN = 3  # days before and after a period that a wall clock may show in it


def allows(field: str, value: int, first_of_all: int) -> bool:
    """Return whether a field allows a value, term by term, as crontab(5) explains them."""
    for term in field.split(","):
        span, _, step = term.partition("/")
        low, dash, high = span.partition("-")
        first = first_of_all if low == "*" else int(low)
        last = int(high) if dash else 99 if low == "*" or step else first
        if first <= value <= last and (value - first) % int(step or 1) == 0:
            return True
    return False


def allows_day(cron: str, day: date) -> bool:
    """Return whether a cron time may come on this day."""
    _, _, of_month, month, weekday = cron.split()
    fits_month = allows(of_month, day.day, 1)
    fits_week = allows(weekday, day.isoweekday(), 0) or (
        day.isoweekday() == 7 and allows(weekday, 0, 0)
    )  # Sunday is 7 and 0
    starred = of_month.startswith("*") or weekday.startswith("*")
    return allows(month, day.month, 1) and (fits_month and fits_week if starred else fits_month or fits_week)


def wall_clock(zone: ZoneInfo, start: datetime, end: datetime) -> NDArray[np.int64]:
    """The wall clock of the zone at each minute from `start` to `end`, in minutes since 1970."""
    first, last = (start - EPOCH) // MINUTE, (end - EPOCH) // MINUTE
    shown = np.arange(first, last + 1, dtype=np.int64)
    offsets = np.empty_like(shown)
    for begin in range(0, len(shown), 60):
        stop = min(begin + 60, len(shown))
        ends = {_offset(zone, start + (minute * MINUTE)) for minute in (begin, stop)}
        for minute in range(begin, stop) if len(ends) > 1 else ():
            offsets[minute] = _offset(zone, start + minute * MINUTE)
        if len(ends) == 1:
            offsets[begin:stop] = ends.pop()
    return shown + offsets


def due_times(cron: str, shown: NDArray[np.int64], start: datetime) -> set[datetime]:
    """The moments at which a schedule is due, by the wall clock `shown` of each minute from `start` on.

    Every hour named: whenever the clock shows a time. Otherwise: when the clock first shows a time, or first
    shows a later one.
    """
    origin = int(shown.min()) // DAY * DAY - MARGIN * DAY
    fits = _fitting(cron, origin, int(shown.max()) + MARGIN * DAY)
    if all(allows(cron.split()[1], hour, 0) for hour in range(24)):
        due = fits[shown - origin]
    else:
        latest = np.maximum.accumulate(shown) - origin  # the latest time that the clock has shown
        passed = np.concatenate(([0], np.cumsum(fits)))  # fitting times before each time
        due = np.concatenate(([False], np.diff(passed[latest + 1]) > 0))
    return {start + int(minute) * MINUTE for minute in np.flatnonzero(due)}


def _fitting(cron: str, origin: int, last: int) -> NDArray[np.bool_]:
    """For each minute of the calendar from `origin` on: whether the cron time fits."""
    minute, hour, *_ = cron.split()
    within_day = np.array(
        [allows(hour, index // 60, 0) and allows(minute, index % 60, 0) for index in range(DAY)]
    )
    first = EPOCH.date() + timedelta(days=origin // DAY)
    days = np.array(
        [allows_day(cron, first + timedelta(days=index)) for index in range((last - origin) // DAY + 1)]
    )
    fits: NDArray[np.bool_] = np.logical_and.outer(days, within_day).ravel()
    return fits


def _offset(zone: ZoneInfo, moment: datetime) -> int:
    offset = moment.astimezone(zone).utcoffset()
    assert offset is not None
    return int(offset / MINUTE)
