"""Effort of a run: margins, number of searches, time limit, match. A budget name selects it."""

from __future__ import annotations

from dataclasses import dataclass

GIVE_UP_SECONDS = 600.0
"""Time limit of a run in seconds, if the user sets none; chosen: about as long as a user waits."""


@dataclass(frozen=True)
class Effort:
    """The effort of a run.

    margin_factor    factor on the margins of equivalence
    quick            make the `least_quick` searches of a check instead of its `least`
    refined_margin   margin factor of a second pass, once everything is decided; None for a single pass
    seconds          time limit of the run
    match            play a match at the end, if the bot does not deviate
    explored         number of generated dialogues, and of generated positions
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
"""The efforts by their names in `check --budget`."""
