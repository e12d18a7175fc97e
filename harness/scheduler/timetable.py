"""The times at which the runs of a config are due. Pure functions: this module reads no clock."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from apscheduler.triggers.cron import CronTrigger

from harness.match import ScheduleTable, parse_cron
from harness.match.cron import WEEKDAYS

SMALLEST_STEP = timedelta(microseconds=1)


class Timetable:
    """The times of a `[schedule]`, in its zone.

    When clocks are put forward, a skipped time of day is due later by the same shift. When clocks are put
    back, a time with fixed hours is due once, at the first of the two moments; a time of every hour is due
    each hour that passes.
    """

    def __init__(self, table: ScheduleTable) -> None:
        cron = parse_cron(table.cron)
        self.zone = ZoneInfo(table.timezone)
        self._once_an_hour_of_day = not cron.every_hour
        days = {"day": _listed(cron.days)}
        weekdays = {"day_of_week": ",".join(WEEKDAYS[day] for day in sorted(cron.weekdays))}
        self._triggers = [
            CronTrigger(
                second=0,
                minute=_listed(cron.minutes),
                hour=_listed(cron.hours),
                month=_listed(cron.months),
                timezone=self.zone,
                **which,
            )
            for which in ((days, weekdays) if cron.either else ({**days, **weekdays},))
        ]

    def next(self, after: datetime) -> datetime:
        """The first time after `after`, in the zone of the table."""
        while True:
            start = (after.astimezone(UTC) + SMALLEST_STEP).astimezone(self.zone)
            found: datetime = min(
                trigger.get_next_fire_time(None, start).astimezone(UTC) for trigger in self._triggers
            ).astimezone(self.zone)
            if not (found.fold and self._once_an_hour_of_day):
                return found
            after = found

    def within(self, after: datetime, until: datetime) -> Iterator[datetime]:
        """All times after `after`, up to and including `until`."""
        while (after := self.next(after)) <= until:
            yield after


def _listed(values: Iterable[int]) -> str:
    return ",".join(str(value) for value in sorted(values))
