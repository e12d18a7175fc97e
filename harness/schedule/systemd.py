"""Unit files for systemd: a timer that starts one run at a time, or a service that keeps running.

A timer is written only if systemd would start runs at the same times as the scheduler. It would not if the
clocks of the zone change at an hour of the schedule: systemd skips the run of that day.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

from harness.arena.config.cron import WEEKDAYS, parse_cron
from harness.arena.config.tables import MatchConfig, ScheduleTable
from harness.schedule.timetable import Timetable

YEARS = 10
"""Number of years to examine for clock changes. Chosen: longer than a unit file is used."""
DAY, QUARTER = timedelta(days=1), timedelta(minutes=15)  # clocks change at a multiple of a quarter of an hour

_PLAIN = re.compile(r"[\w@%+=:,./-]+", re.ASCII)

_SERVICE = """\
# {unit}.service
[Unit]
Description=conform: the match {name}{what}

[Service]
Type={kind}
ExecStart={command}
WorkingDirectory={folder}
# The PATH of the shell that printed this file.
Environment={path}
# A stop drops the games in flight; the next start plays them again.
KillSignal=SIGTERM
KillMode=mixed
# 3: pairs undecided, nothing failed. 130: stopped, all finished games are kept.
SuccessExitStatus=3 130
"""
_KEPT_RUNNING = """\
Restart=on-failure
RestartSec=60
# 2: a mistake in the command or in a config; a restart would fail again.
RestartPreventExitStatus=2

[Install]
WantedBy=default.target
"""
_TIMER = """\
# {unit}.timer
[Unit]
Description=conform: the times of the match {name}

[Timer]
{times}
AccuracySec=1s
# A time that was missed is {persistence}.
Persistent={persistent}

[Install]
WantedBy=timers.target
"""


def units(config: MatchConfig, table: ScheduleTable, command: Sequence[str], folder: Path, path: str) -> str:
    """The text of the unit files, each below a comment with its name: a service, and a timer if possible.

    `command` is the command line of `conform schedule`, `folder` its working directory, `path` its PATH.
    Raises ValueError for text that a unit file cannot hold.
    """
    timed = is_translatable(table, datetime.now(UTC))
    program, *arguments = [*command, "--once"] if timed else command
    name = config.run.name
    service = _SERVICE.format(
        unit=unit_name(name),
        name=_text(name),
        what="" if timed else ", at its times",
        kind="oneshot" if timed else "exec",
        command=" ".join(
            [_word(program, variables=False), *(_word(word, variables=True) for word in arguments)]
        ),
        folder=_text(str(folder)),
        path=_word(f"PATH={path}", variables=False),
    )
    if not timed:
        return service + _KEPT_RUNNING
    timer = _TIMER.format(
        unit=unit_name(name),
        name=_text(name),
        times="\n".join(f"OnCalendar={time}" for time in calendar(table)),
        persistence="made up for" if table.misfire == "run" else "left out",
        persistent=str(table.misfire == "run").lower(),
    )
    return f"{service}\n{timer}"


def unit_name(name: str) -> str:
    """Return `conform-NAME`: systemd-escape's escapes for all but ASCII letters, digits, `_`, `:` and `.`."""
    data = name.encode("utf-8", "surrogateescape")
    return "conform-" + "".join(
        chr(byte) if re.fullmatch(r"[\w:.]", chr(byte), re.ASCII) else f"\\x{byte:02x}" for byte in data
    )


def calendar(table: ScheduleTable) -> list[str]:
    """The values of OnCalendar for a schedule. A run is due at the times of each of them.

    "0 3 * * 1" in UTC gives "Mon *-*-* 03:00:00 UTC". In "0 3 1 * 1", either day will do, as in crontab(5):
    "Mon *-*-* 03:00:00 UTC" and "*-*-01 03:00:00 UTC".
    """
    cron = parse_cron(table.cron)
    weekdays = {number % 7 for number in cron.weekdays if isinstance(number, int)}
    names = ",".join(WEEKDAYS[number].capitalize() for number in sorted(weekdays)) + " "
    days = _listed(cron.days, 31)
    # Both fields of the day must match if one of them is * (`day_and`), else either will do.
    both, either = [("" if len(weekdays) == 7 else names, days)], [(names, "*"), ("", days)]
    dates = both if cron.day_and else either
    months = _listed(cron.months, 12)
    time = f"{_listed(cron.hours, 24)}:{_listed(cron.minutes, 60)}:00 {table.timezone}"
    return [f"{weekday}*-{months}-{day} {time}" for weekday, day in dates]


def is_translatable(table: ScheduleTable, now: datetime) -> bool:
    """Return True if systemd would start the same runs: no clock change at an hour of the schedule."""
    return not parse_cron(table.cron).hours & changed_hours(Timetable(table).zone, now)


def changed_hours(zone: ZoneInfo, now: datetime) -> set[int]:
    """The hours of the day that clock changes of the zone skip or repeat within the next YEARS years.

    In Europe/Berlin that is hour 2: clocks go from 2:00 to 3:00 in spring, and from 3:00 to 2:00 in autumn.
    """

    def shown(moment: datetime) -> datetime:
        return moment.astimezone(zone).replace(tzinfo=None)

    hours: set[int] = set()
    start = now.astimezone(UTC).replace(minute=0, second=0, microsecond=0)
    for day in (start + number * DAY for number in range(366 * YEARS)):
        if shown(day + DAY) - shown(day) == DAY:
            continue
        # The hours between the clock before a change and after it, in either order.
        for quarter in (day + number * QUARTER for number in range(DAY // QUARTER)):
            first, last = sorted((shown(quarter) + QUARTER, shown(quarter + QUARTER)))
            while first < last:
                hours.add(first.hour)
                first += QUARTER
    return hours


def _listed(values: Collection[int], all_of: int) -> str:
    """The values as "01,15", or "*" if they are all the values there are."""
    return "*" if len(values) == all_of else ",".join(f"{value:02d}" for value in sorted(values))


def _word(word: str, *, variables: bool) -> str:
    """Quote a word of a command line for systemd.service(5). `variables`: $ would start a variable in it."""
    text = _text(word)
    if variables:
        text = text.replace("$", "$$")
    if _PLAIN.fullmatch(text):
        return text
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _text(text: str) -> str:
    """Escape % in a value of a unit file.

    Raises ValueError for text that is not one printable line, that begins or ends with a blank, or that ends
    with a backslash, which would join it with the next line.
    """
    if not text.isprintable() or text != text.strip() or text.endswith("\\"):
        raise ValueError(f"a unit file cannot hold {text!r}: use another name or path")
    return text.replace("%", "%%")
