"""Cron times as in crontab(5): five fields, or a word such as @daily.

The library of the scheduler is not used for this: it numbers the days of the week differently, and where a
day of the month and a day of the week are given, it requires both instead of either.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

WORDS: Mapping[str, str] = {
    "@hourly": "0 * * * *",
    "@daily": "0 0 * * *",
    "@midnight": "0 0 * * *",
    "@weekly": "0 0 * * 0",
    "@monthly": "0 0 1 * *",
    "@yearly": "0 0 1 1 *",
    "@annually": "0 0 1 1 *",
}
MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
WEEKDAYS = ("sun", "mon", "tue", "wed", "thu", "fri", "sat")
LONGEST = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
"""Number of days of each month, in a leap year."""


@dataclass(frozen=True)
class Cron:
    """The values that each field allows. Weekdays count from Sunday, 0."""

    minutes: frozenset[int]
    hours: frozenset[int]
    days: frozenset[int]
    months: frozenset[int]
    weekdays: frozenset[int]
    either: bool  # a day must match days or weekdays; otherwise both

    @property
    def every_hour(self) -> bool:
        """Every hour is allowed."""
        return len(self.hours) == 24


@dataclass(frozen=True)
class _Field:
    name: str
    low: int
    high: int
    names: tuple[str, ...] = ()

    def values(self, text: str) -> frozenset[int]:
        """All values that the text allows. Raises ValueError."""
        return frozenset(value for part in text.split(",") for value in self._part(part))

    def _part(self, part: str) -> range:
        span, slash, step_text = part.partition("/")
        step = self._number(step_text, 1, self.high) if slash else 1
        if span == "*":
            return range(self.low, self.high + 1, step)
        first_text, dash, last_text = span.partition("-")
        first = self._value(first_text)
        last = self._value(last_text) if dash else self.high if slash else first
        if last < first:
            raise ValueError(f"{self.name}: {span!r} runs backwards")
        return range(first, last + 1, step)

    def _value(self, text: str) -> int:
        if text.lower() in self.names:
            return self.names.index(text.lower()) + self.low
        return self._number(text, self.low, self.high)

    def _number(self, text: str, low: int, high: int) -> int:
        if not (text.isascii() and text.isdigit()):
            raise ValueError(f"{self.name}: {f'{text!r} is not a number' if text else 'a number is missing'}")
        if not low <= int(text) <= high:
            raise ValueError(f"{self.name}: {text} is not within {low} to {high}")
        return int(text)


_FIELDS = (
    _Field("minute", 0, 59),
    _Field("hour", 0, 23),
    _Field("day", 1, 31),
    _Field("month", 1, 12, MONTHS),
    _Field("weekday", 0, 7, WEEKDAYS),  # 0 and 7 are both Sunday
)


def parse_cron(text: str) -> Cron:
    """Parse a cron time. Raises ValueError with all mistakes."""
    words = WORDS.get(text.strip().lower(), text).split()
    if len(words) == 1 and words[0].startswith("@"):
        raise ValueError(f"{words[0]} is unknown (known: {', '.join(WORDS)})")
    if len(words) != len(_FIELDS):
        raise ValueError(f"needs five fields (minute hour day month weekday), not {len(words)}")
    values, wrong = [], []
    for field, word in zip(_FIELDS, words, strict=True):
        try:
            values.append(field.values(word))
        except ValueError as error:
            wrong.append(str(error))
    if wrong:
        raise ValueError("; ".join(wrong))
    minutes, hours, days, months, weekdays = values
    weekdays = frozenset(day % 7 for day in weekdays)
    # As in cron, a field that begins with * restricts nothing by itself.
    either = not (words[2].startswith("*") or words[4].startswith("*"))
    if not either and not any(day <= LONGEST[month - 1] for day in days for month in months):
        raise ValueError("is never due: these months have no such day")
    return Cron(minutes, hours, days, months, weekdays, either)
