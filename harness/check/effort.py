"""How much a run of checks asks for, and how long it may take."""

from __future__ import annotations

from dataclasses import dataclass

GIVE_UP_SECONDS = 600.0
"""Seconds after which a run without a time limit reports what it has; chosen: a user waits that long."""


@dataclass(frozen=True)
class Effort:
    """How much a run asks for, and how long it may take.

    margin_factor    factor on the margins of equivalence
    quick            make fewer searches where a check allows it
    refined_margin   factor for a second pass once everything is decided; None for a single pass
    seconds          time after which no further search starts
    match            play a match at the end, if the bot does not deviate
    explored         number of generated sessions that are held
    """

    margin_factor: float = 1.0
    quick: bool = False
    refined_margin: float | None = None
    seconds: float = GIVE_UP_SECONDS
    match: bool = False
    explored: int = 60


QUICK = Effort(margin_factor=3.0, quick=True, explored=25)
STANDARD = Effort()
THOROUGH = Effort(refined_margin=0.5, seconds=3 * GIVE_UP_SECONDS, match=True, explored=300)
EFFORTS = {"quick": QUICK, "standard": STANDARD, "thorough": THOROUGH}
"""By the name that `check --budget` takes."""
