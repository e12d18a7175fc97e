"""A session: the bot under test and the run's knowledge of it. A procedure uses nothing else."""

from __future__ import annotations

import math
from dataclasses import dataclass

from harness.check.bot.bot import Bot
from harness.check.bot.introduction import Introduction
from harness.check.effort import STANDARD, Effort
from harness.check.play_rules import REFERENCE_RULES, PlayRules


@dataclass(frozen=True, kw_only=True)
class Known:
    """The knowledge of a run about its bot, as plain data that other processes can receive.

    playouts         playouts per search, None while the number is not known
    seed             seed of everything random in the harness
    deadline         end of the run's time by the monotonic clock, in seconds; infinite without a limit
    missing          ids of the checks that failed or were not judged so far
    failed_clauses   clauses of the checks that have failed so far
    rules            the rules that the bot plays by
    """

    introduction: Introduction
    playouts: int | None = None
    effort: Effort = STANDARD
    seed: int = 1
    deadline: float = math.inf
    missing: frozenset[str] = frozenset()
    failed_clauses: frozenset[str] = frozenset()
    rules: PlayRules = REFERENCE_RULES


@dataclass(frozen=True, kw_only=True)
class Session(Known):
    """A bot for a procedure to observe, with the run's knowledge: `Session(bot=bot, **vars(known))`.

    alpha            error budget of the procedure: the level at which it may refuse the bot
    hasty            an exploration ends at the first deviation, which it does not confirm or reduce
    other_instances  further processes of the bot, for searches at the same time
    """

    bot: Bot
    alpha: float = 0.001
    hasty: bool = False
    other_instances: tuple[Bot, ...] = ()

    @property
    def instances(self) -> tuple[Bot, ...]:
        """The bot and its other instances."""
        return (self.bot, *self.other_instances)

    def has(self, command: str) -> bool:
        """Return whether the bot says that it has the command."""
        return self.introduction.has(command)
