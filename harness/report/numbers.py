"""Numbers in words: counts with their noun, long lists, points of a match, probabilities, durations."""

from __future__ import annotations

import math
from collections.abc import Sequence


def points_text(points: float) -> str:
    """Points of a match with the half points: "3.5", but "3" for a whole number."""
    return f"{points:.1f}".removesuffix(".0")


def amount(number: int, noun: str) -> str:
    """A number with its noun, whose plural is regular: `1 check`, `2,000 checks`, `2 searches`."""
    ending = "" if number == 1 else "es" if noun.endswith(("ch", "s", "sh", "x")) else "s"
    return f"{number:,} {noun}{ending}"


def of_total(done: int, total: int, noun: str) -> str:
    """The part of a total that is done: `12 of 20 games`, or `12 games` if there is no total (0)."""
    return f"{done:,} of {amount(total, noun)}" if total else amount(done, noun)


def listed(names: Sequence[str], most: int, link: str = " and") -> str:
    """At most `most` names, and the number of the others: `a, b and 3 more`."""
    more = f"{link} {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


def decimals_beside(margin: float) -> int:
    """The decimals of a number beside its margin: those of the margin's second digit, as in 0.021 ± 0.045.

    A margin that is 0 or infinite gives 3.
    """
    return max(0, 1 - math.floor(math.log10(margin))) if 0.0 < margin < math.inf else 3


def signed_beside(value: float, margin: float) -> str:
    """A signed value with as many decimals as its margin needs."""
    return f"{value:+z.{decimals_beside(margin)}f}"


def probability_text(probability: float) -> str:
    """A probability with three decimals; above 0.999 "over 0.999", so never 1.000."""
    return "over 0.999" if probability > 0.999 else f"{probability:.3f}"


def duration_text(seconds: float) -> str:
    """A duration in words, rounded for a reader: 40 s, 3 min, 2.5 h, 3.1 days."""
    if seconds < 90.0:
        return f"{seconds:.0f} s"
    if seconds < 5400.0:
        return f"{seconds / 60.0:.0f} min"
    hours = seconds / 3600.0
    return f"{hours:.1f} h" if hours < 48.0 else f"{hours / 24.0:.1f} days"


def left_text(seconds: float | None) -> str:
    """The time left: `about 3 min left`; empty if it is not known."""
    return "" if seconds is None else f"about {duration_text(seconds)} left"


def check_progress(doing: str, decided: int, total: int, *further: str) -> str:
    """The progress of the check of a bot: what it does, the checks decided, and `further` parts."""
    parts = (doing, f"{decided:,} of {amount(total, 'check')} decided" if total else "", *further)
    return ", ".join(filter(None, parts))


def game_time(seconds: float) -> str:
    """The time of a game: with two digits below 10 s, else as a duration: 0.081 s, 4.2 s, 40 s, 3 min."""
    return f"{seconds:.2g} s" if seconds < 10.0 else duration_text(seconds)
