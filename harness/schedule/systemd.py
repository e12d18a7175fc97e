"""Unit files for systemd: a timer that starts one run at a time, or a service that keeps running.

A timer is written only where systemd starts runs at the same times as the scheduler. Where clocks are put
forward or back at an hour of the config, it does not: systemd leaves that day's run out.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from harness.arena.config.cron import WEEKDAYS, parse_cron
from harness.arena.config.tables import MatchConfig, ScheduleTable
from harness.schedule.timetable import Timetable

YEARS = 10
"""Changes of the clocks are looked for this many years ahead."""

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
    """The text of the units. Each begins with a comment that is the name of its file.

    `command` is the command line of `conform schedule`; `path` is the PATH for it. Raises ValueError for text
    that a unit file cannot hold.
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
    """`conform-NAME`, with other characters escaped as systemd-escape does."""
    data = name.encode("utf-8", "surrogateescape")
    return "conform-" + "".join(
        chr(byte) if re.fullmatch(r"[\w:.]", chr(byte), re.ASCII) else f"\\x{byte:02x}" for byte in data
    )


def calendar(table: ScheduleTable) -> list[str]:
    """The times in the syntax of OnCalendar; the timer elapses at each of them."""
    cron = parse_cron(table.cron)
    weekdays = ",".join(WEEKDAYS[day].capitalize() for day in sorted(cron.weekdays)) + " "
    days = _listed(cron.days, 31)
    every_day = len(cron.weekdays) == 7
    dates = [(weekdays, "*"), ("", days)] if cron.either else [("" if every_day else weekdays, days)]
    months = _listed(cron.months, 12)
    time = f"{_listed(cron.hours, 24)}:{_listed(cron.minutes, 60)}:00 {table.timezone}"
    return [f"{weekday}*-{months}-{day} {time}" for weekday, day in dates]


def translatable(table: ScheduleTable, now: datetime) -> bool:
    """Return whether systemd would start the same runs: clocks never change in an hour of the schedule."""
    return not parse_cron(table.cron).hours & changed_hours(Timetable(table), now)


def changed_hours(timetable: Timetable, now: datetime) -> set[int]:
    """The hours of the day in which clocks are put forward or back within the next YEARS years."""
    hours: set[int] = set()
    day = now.astimezone(UTC).replace(minute=0, second=0, microsecond=0)
    for _ in range(YEARS * 366):
        after = day + timedelta(days=1)
        if _offset(timetable, day) != _offset(timetable, after):
            hours |= _changed(timetable, day)
        day = after
    return hours


def _changed(timetable: Timetable, day: datetime) -> set[int]:
    """The hours that are skipped or repeated within the 24 hours from `day`."""
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
    """A word of a command line, quoted for systemd.service(5); `variables`: $ starts a variable there."""
    text = _text(word)
    if variables:
        text = text.replace("$", "$$")
    if _PLAIN.fullmatch(text):
        return text
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _text(text: str) -> str:
    """A value in a unit file: one line, with % escaped, which starts a specifier. Raises ValueError."""
    if not text.isprintable() or text != text.strip() or text.endswith("\\"):
        raise ValueError(f"a unit file cannot hold {text!r}: use another name or path")
    return text.replace("%", "%%")
