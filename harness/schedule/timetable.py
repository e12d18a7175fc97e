"""The times at which the runs of a config are due, and the clock that waits for them."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from itertools import takewhile
from zoneinfo import ZoneInfo

from cronsim import CronSim

from harness.arena.config.cron import parse_cron
from harness.arena.config.tables import ScheduleTable
from harness.arena.run.stop import Stop

POLL_SECONDS = 1.0
"""Seconds between two readings of the clock during a wait. One long sleep would not notice a suspend,
a clock that was set, or a stop that was requested. Chosen: each takes effect within a second."""


class Timetable:
    """The times of a `[schedule]`, in its zone.

    A schedule with all 24 hours is due whenever a clock in the zone shows one of its times. Every other
    schedule is due once for each of its times of day. If clocks are put forward past a time, it is due at the
    moment of the change; if they are put back and show it twice, it is due the first time. Times that are due
    at the same moment count once.
    """

    def __init__(self, table: ScheduleTable) -> None:
        self.zone = ZoneInfo(table.timezone)
        cron = parse_cron(table.cron)
        # CronSim follows real time where the text of the minutes or of the hours begins with a star.
        hours = "*" if len(cron.hours) == 24 else _listed(cron.hours)
        self._expression = " ".join([_listed(cron.minutes), hours, *cron.parts[-3:]])

    def next(self, after: datetime) -> datetime:
        """Return the first time after `after`, in the zone of the table."""
        return next(self.after(after))

    def within(self, after: datetime, until: datetime) -> Iterator[datetime]:
        """All times after `after`, up to and including `until`."""
        last = until.astimezone(UTC)  # two times of one zone would be compared by what its clocks show
        return takewhile(lambda time: time.astimezone(UTC) <= last, self.after(after))

    def after(self, moment: datetime) -> Iterator[datetime]:
        """All times after a moment, in the zone of the table. They have no end."""
        last = moment.astimezone(UTC)
        # Where clocks are changed, CronSim may begin with times that have passed, or repeat one.
        for found in CronSim(self._expression, moment.astimezone(self.zone)):
            utc = found.astimezone(UTC)
            if utc > last:
                last = utc
                yield utc.astimezone(self.zone)


class Clock:
    """The clock of the machine. Tests pass another one."""

    def now(self) -> datetime:
        """Return the present time, with its zone."""
        return datetime.now(UTC)

    def wait(self, until: datetime, stop: Stop) -> None:
        """Return at that time; later if the machine was suspended.

        Return earlier if the clock was set back, or if a stop is requested.
        """
        now = before = self.now()
        while not stop.asked and before <= now < until:
            time.sleep(min(POLL_SECONDS, (until - now).total_seconds()))
            before, now = now, self.now()


def format_time(moment: datetime) -> str:
    """Format a time as it is printed, in its own zone."""
    return f"{moment:%Y-%m-%d %H:%M} {moment.tzname()}"


def _listed(values: Iterable[int]) -> str:
    """The values of a field of a cron time, such as "0,30"."""
    return ",".join(map(str, sorted(values)))
