"""The settings of a run on one bot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from harness.check.effort import STANDARD, Effort
from harness.check.model import Check
from harness.gtp import Launch, Limits


@dataclass(frozen=True)
class Pace:
    """When explorations run beside the rest of a run, and how long they take where a check has failed.

    fast_search        seconds of a search up to which the explorations are held beside the rest of the run:
                       there the harness, not the bot, is what takes the time
    least_exploring    seconds that an exploration may take where a check has failed already
    exploring_share    the same as a fraction of the run so far, where that is longer
    """

    fast_search: float = 0.05
    least_exploring: float = 2.0
    exploring_share: float = 0.1


RESERVED_SECONDS, RESERVED_SHARE = 5.0, 0.1
"""Seconds, and share of the time of a run, that its end keeps for second tries: the smaller one; chosen."""


@dataclass(frozen=True)
class RunSettings:
    """The settings of a run on one bot.

    playouts    per search, as the user gave them; None to find the number out
    seed        of everything random in the harness
    instances   processes of the bot that search side by side; None for as many as there are idle cores
    """

    launch: Launch
    checks: Sequence[Check]
    playouts: int | None = None
    effort: Effort = STANDARD
    limits: Limits = field(default_factory=Limits)
    seed: int = 1
    instances: int | None = 1
    pace: Pace = Pace()

    @property
    def searching_seconds(self) -> float:
        """Seconds after which nothing new is begun: the rest of the time is for confirmations."""
        seconds = self.effort.seconds
        return seconds - min(RESERVED_SECONDS, RESERVED_SHARE * seconds)
