"""Unit files for systemd: a timer that starts one run at a time, or a service that keeps running.

A timer is written where systemd means the same times as we do. It does not where clocks are put forward or
back at an hour that the config asks for: systemd leaves such a day's run out.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from harness.match import MatchConfig, ScheduleTable, parse_cron
from harness.match.cron import WEEKDAYS
from harness.schedule.times import Timetable

YEARS = 10
"""So far ahead changes of the clocks are looked for."""

_PLAIN = re.compile(r"[\w@%+=:,./-]+", re.ASCII)

_SERVICE = """\
# {unit}.service
[Unit]
Description=conform: the match {name}{what}

[Service]
Type={kind}
ExecStart={command}
WorkingDirectory={folder}
# Programs are looked for where they were when this was written.
Environment={path}
# The games in flight are dropped, and played again by the next start.
KillSignal=SIGTERM
KillMode=mixed
# 3: pairs undecided, nothing failed. 130: stopped, all that is finished is kept.
SuccessExitStatus=3 130
"""
_KEPT_RUNNING = """\
Restart=on-failure
RestartSec=60
# 2: a mistake in the command or a config, which another start does not mend.
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
    """The text of the units, each after a line with its file's name.

    `command` is what keeps the config running; `path` the PATH to run it with. Raises ValueError for a path
    that no unit can hold.
    """
    timed = translatable(table, datetime.now(UTC))
    name = config.run.name
    service = _SERVICE.format(
        unit=unit_name(name),
        name=_text(name),
        what="" if timed else ", at its times",
        kind="oneshot" if timed else "exec",
        command=_command([*command, "--once"] if timed else command),
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
    """`conform-NAME`, with what a unit's name may not hold escaped as systemd-escape does it."""
    data = name.encode("utf-8", "surrogateescape")
    return "conform-" + "".join(
        chr(byte) if re.fullmatch(r"[\w:.]", chr(byte), re.ASCII) else f"\\x{byte:02x}" for byte in data
    )


def calendar(table: ScheduleTable) -> list[str]:
    """The times as OnCalendar has them, which come when any of them comes."""
    cron = parse_cron(table.cron)
    weekdays = ",".join(WEEKDAYS[day].capitalize() for day in sorted(cron.weekdays)) + " "
    days = _listed(cron.days, 31)
    every_day = len(cron.weekdays) == 7
    dates = [(weekdays, "*"), ("", days)] if cron.either else [("" if every_day else weekdays, days)]
    months = _listed(cron.months, 12)
    time = f"{_listed(cron.hours, 24)}:{_listed(cron.minutes, 60)}:00 {table.timezone}"
    return [f"{weekday}*-{months}-{day} {time}" for weekday, day in dates]


def translatable(table: ScheduleTable, now: datetime) -> bool:
    """Whether systemd means the same times: no hour asked for is one in which the clocks are changed."""
    return not parse_cron(table.cron).hours & changed_hours(Timetable(table), now)


def changed_hours(timetable: Timetable, now: datetime) -> set[int]:
    """The hours of the day in which clocks are put forward or back within the next years."""
    hours: set[int] = set()
    day = now.astimezone(UTC).replace(minute=0, second=0, microsecond=0)
    for _ in range(YEARS * 366):
        after = day + timedelta(days=1)
        if _offset(timetable, day) != _offset(timetable, after):
            hours |= _changed(timetable, day)
        day = after
    return hours


def _changed(timetable: Timetable, day: datetime) -> set[int]:
    """The same within the 24 hours from `day` on: hours skipped, or come by twice."""
    hours: set[int] = set()
    for quarter in range(24 * 4):
        before = day + timedelta(minutes=15 * quarter)
        after = before + timedelta(minutes=15)
        shift = _offset(timetable, after) - _offset(timetable, before)
        if not shift:
            continue
        local = after.astimezone(timetable.zone).replace(tzinfo=None)
        first, last = min(local - shift, local), max(local - shift, local)
        while first < last:
            hours.add(first.hour)
            first += timedelta(minutes=15)
    return hours


def _offset(timetable: Timetable, moment: datetime) -> timedelta:
    return moment.astimezone(timetable.zone).utcoffset() or timedelta()


def _listed(values: Collection[int], all_of: int) -> str:
    return "*" if len(values) == all_of else ",".join(f"{value:02d}" for value in sorted(values))


def _command(words: Sequence[str]) -> str:
    program, *arguments = words
    return " ".join([_word(program, variables=False), *(_word(word, variables=True) for word in arguments)])


def _word(word: str, *, variables: bool) -> str:
    """A word of a command line as systemd.service(5) quotes it; `variables`: $ would begin one there."""
    text = _text(word)
    if variables:
        text = text.replace("$", "$$")
    if _PLAIN.fullmatch(text):
        return text
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _text(text: str) -> str:
    """A value of a unit file: one line, in which % begins a specifier."""
    if not text.isprintable() or text != text.strip() or text.endswith("\\"):
        raise ValueError(f"no unit file can hold {text!r}")
    return text.replace("%", "%%")
