"""One bot under test together with what a run knows about it: all that a procedure may use."""

from __future__ import annotations

import math
from dataclasses import dataclass

from harness.check.bot.bot import Bot
from harness.check.bot.profile import Profile


@dataclass(frozen=True)
class Session:
    """What a procedure observes.

    playouts         playouts per search, None while the number is not known
    margin_factor    factor on the margins of equivalence: 1 for a standard run
    quick            whether fewer searches are made where a check allows it
    seed             of everything random in the harness
    deadline         end of the run's time by the monotonic clock, in seconds
    alpha            level at which a match may refuse the bot
    failed           ids of the checks that have failed so far, or were blocked
    failed_clauses   clauses of the checks that have failed so far
    explored         number of sessions that an exploration holds
    hasty            whether an exploration ends with the first deviation as it was found: neither confirmed
                     nor reduced
    twins            other instances of the bot, which may be asked at the same time
    """

    bot: Bot
    profile: Profile
    playouts: int | None = None
    margin_factor: float = 1.0
    quick: bool = False
    seed: int = 1
    deadline: float = math.inf
    alpha: float = 0.001
    failed: frozenset[str] = frozenset()
    failed_clauses: frozenset[str] = frozenset()
    explored: int = 0
    hasty: bool = False
    twins: tuple[Bot, ...] = ()

    @property
    def instances(self) -> tuple[Bot, ...]:
        """The bot and its twins."""
        return (self.bot, *self.twins)

    def has(self, command: str) -> bool:
        """Whether the bot has a command."""
        return self.profile.has(command)
