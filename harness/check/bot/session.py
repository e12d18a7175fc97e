"""One bot under test together with what a run knows about it: all that a procedure may use."""

from __future__ import annotations

import math
from dataclasses import dataclass

from harness.check.bot.bot import Bot
from harness.check.bot.profile import Profile
from harness.check.effort import STANDARD, Effort


@dataclass(frozen=True, kw_only=True)
class Known:
    """The knowledge of a run about its bot, and what it may spend: plain data for other processes too.

    playouts         playouts per search, None while the number is not known
    seed             of everything random in the harness
    deadline         end of the run's time by the monotonic clock, in seconds
    failed           ids of the checks that have failed so far, or were blocked
    failed_clauses   clauses of the checks that have failed so far
    """

    profile: Profile
    playouts: int | None = None
    effort: Effort = STANDARD
    seed: int = 1
    deadline: float = math.inf
    failed: frozenset[str] = frozenset()
    failed_clauses: frozenset[str] = frozenset()


@dataclass(frozen=True, kw_only=True)
class Session(Known):
    """A bot that a procedure observes, with what the run knows: `Session(bot=bot, **vars(known))`.

    alpha    level at which a match may refuse the bot
    hasty    an exploration ends with the first deviation as it was found: neither confirmed nor reduced
    twins    other instances of the bot, which may be asked at the same time
    """

    bot: Bot
    alpha: float = 0.001
    hasty: bool = False
    twins: tuple[Bot, ...] = ()

    @property
    def instances(self) -> tuple[Bot, ...]:
        """The bot and its twins."""
        return (self.bot, *self.twins)

    def has(self, command: str) -> bool:
        """Return whether the bot has a command."""
        return self.profile.has(command)
