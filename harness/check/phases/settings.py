"""The settings of a run on one bot."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from harness.check.effort import STANDARD, Effort
from harness.check.model import Check
from harness.check.profile import Profile
from harness.gtp import Launch, Limits


@dataclass(frozen=True)
class Pace:
    """When explorations run in the background, and how long they take if the bot deviates already; chosen.

    fast_search        explore in the background if a search takes at most this many seconds: the harness, not
                       the bot, then takes most of the time
    least_exploring    seconds of an exploration of a bot that deviates already
    exploring_share    the same limit as a fraction of the run so far; the larger of the two holds
    """

    fast_search: float = 0.05
    least_exploring: float = 2.0
    exploring_share: float = 0.1


RESERVED_SECONDS, RESERVED_SHARE = 5.0, 0.1
"""Time at the end of a run for second attempts, in seconds and as a share: the smaller holds; chosen."""


@dataclass(frozen=True)
class RunSettings:
    """The settings of a run on one bot.

    playouts    per search, if the user gave the number; None to find it out
    seed        seed of everything random in the harness
    instances   processes of the bot that search side by side; None: `Machine.instances` finds the number
    profile     what the bot is checked against; None: by the commands that it lists
    rules       rules that the bot plays by, as far as the user gave them; the others are found out
    """

    launch: Launch
    checks: Sequence[Check]
    playouts: int | None = None
    effort: Effort = STANDARD
    limits: Limits = field(default_factory=Limits)
    seed: int = 1
    instances: int | None = 1
    pace: Pace = Pace()
    profile: Profile | None = None
    rules: Mapping[str, str] = field(default_factory=dict)

    @property
    def searching_seconds(self) -> float:
        """Seconds after which no check or search begins; the rest of the time is for second attempts."""
        seconds = self.effort.seconds
        return seconds - min(RESERVED_SECONDS, RESERVED_SHARE * seconds)
