"""Parses cron times as in crontab(5): five fields, or a word such as @daily."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime

from cronsim import CronSim, CronSimError

WORDS: Mapping[str, str] = {
    "@hourly": "0 * * * *",
    "@daily": "0 0 * * *",
    "@midnight": "0 0 * * *",
    "@weekly": "0 0 * * 0",
    "@monthly": "0 0 1 * *",
    "@yearly": "0 0 1 1 *",
    "@annually": "0 0 1 1 *",
}
WEEKDAYS = ("sun", "mon", "tue", "wed", "thu", "fri", "sat")
FIELDS: Mapping[str, tuple[int, int]] = {
    "minute": (0, 59),
    "hour": (0, 23),
    "day": (1, 31),
    "month": (1, 12),
    "weekday": (0, 7),  # 0 and 7 are both Sunday
}
"""The lowest and the highest number of each field."""

_TERM = re.compile(r"(\*|(\d{1,2}|[a-z]{3})(-(\d{1,2}|[a-z]{3}))?)(/(?P<step>\d{1,2}))?", re.ASCII | re.I)
_RANGE_OF_ONE = re.compile(r"\b0*(\w+)-0*\1/\d+", re.ASCII | re.I)
"""Such as 5-5/10: crontab(5) reads it as 5, CronSim as 5/10."""
_ANY_DAY = datetime(2026, 1, 1, tzinfo=UTC)


def parse_cron(text: str) -> CronSim:
    """Parse a cron time. Use the fields of the result only: its start is an arbitrary day.

    Raises ValueError with all mistakes; CronSim names only one, without a remedy.
    """
    words = WORDS.get(text.strip().lower(), text).split()
    if len(words) == 1 and words[0].startswith("@"):
        raise ValueError(f"{words[0]} is unknown (known: {', '.join(WORDS)})")
    if len(words) != len(FIELDS):
        raise ValueError(f"needs five fields (minute hour day month weekday), not {len(words)}")
    wrong = [
        f"{name}: {word!r} is not valid: expected {low} to {high}, such as '3', '1-4', '2,5' or '*/2'"
        for index, ((name, (low, high)), word) in enumerate(zip(FIELDS.items(), words, strict=True))
        if not _is_field(word, index, high)
    ]
    if wrong:
        raise ValueError("; ".join(wrong))
    try:
        return CronSim(_RANGE_OF_ONE.sub(r"\1", " ".join(words)), _ANY_DAY)
    except CronSimError:
        raise ValueError("is never due: none of these months has such a day") from None


def _is_field(word: str, index: int, high: int) -> bool:
    """Return True if this field is valid in crontab(5): numbers, names, ranges, and steps up to `high`.

    The signs L, W and # of CronSim are refused.

    index   place of the field, 0 for minutes
    high    its highest number
    """
    terms = [_TERM.fullmatch(term) for term in word.split(",")]
    if not all(term and int(term["step"] or 1) <= high for term in terms):
        return False
    try:
        CronSim(" ".join(["*"] * index + [word] + ["*"] * (len(FIELDS) - 1 - index)), _ANY_DAY)
    except CronSimError:
        return False
    return True
