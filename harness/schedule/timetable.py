"""The times at which the runs of a config are due. Pure functions: this module reads no clock."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from itertools import takewhile
from zoneinfo import ZoneInfo

from cronsim import CronSim

from harness.arena.config.cron import Cron, parse_cron
from harness.arena.config.tables import ScheduleTable


class Timetable:
    """The times of a `[schedule]`, in its zone.

    A schedule that names all 24 hours follows real time: it is due whenever a clock in the zone shows one of
    its times. Every other schedule is due once for each of its times of day: a time that is left out when
    clocks are put forward is due at the moment of the change, and a time that comes twice when clocks are put
    back is due at the first of the two moments. Several times that are due at the same moment are one.
    """

    def __init__(self, table: ScheduleTable) -> None:
        self.zone = ZoneInfo(table.timezone)
        self._expression = _expression(parse_cron(table.cron))

    def next(self, after: datetime) -> datetime:
        """The first time after `after`, in the zone of the table."""
        return next(self.times(after))

    def within(self, after: datetime, until: datetime) -> Iterator[datetime]:
        """All times after `after`, up to and including `until`."""
        last = until.astimezone(UTC)  # two times of one zone would be compared by what its clocks show
        return takewhile(lambda time: time.astimezone(UTC) <= last, self.times(after))

    def times(self, after: datetime) -> Iterator[datetime]:
        """All times after `after`, in the zone of the table."""
        last = after.astimezone(UTC)
        # Where clocks are changed, CronSim may begin with times that have passed, or repeat one.
        for time in CronSim(self._expression, after.astimezone(self.zone)):
            moment = time.astimezone(UTC)
            if moment > last:
                last = moment
                yield moment.astimezone(self.zone)


def _expression(cron: Cron) -> str:
    """The fields for CronSim, with all values listed.

    CronSim requires both kinds of days if the text of one begins with a star, and either of them otherwise.
    A field that began with a star allows its lowest value, so that a star with a large step adds nothing.
    """
    hours = "*" if cron.every_hour else _listed(cron.hours)
    days, weekdays = _listed(cron.days), _listed(cron.weekdays)
    if not cron.either:
        days, weekdays = (f"*/99,{days}", weekdays) if 1 in cron.days else (days, f"*/99,{weekdays}")
    return f"{_listed(cron.minutes)} {hours} {days} {_listed(cron.months)} {weekdays}"


def _listed(values: Iterable[int]) -> str:
    return ",".join(str(value) for value in sorted(values))
