"""Generated dialogues and positions: beside the rest of the run if the bot is fast, else after it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from harness.check.model import Check
from harness.check.phases.background_explorer import ExplorationRequest
from harness.check.phases.context import Context
from harness.check.phases.events import Event
from harness.check.phases.examination import examine


@dataclass(frozen=True)
class Explorations:
    """Each check explores for what time is left. A pass that was found beside the run stands."""

    checks: Sequence[Check]

    name = "explorations"

    def run(self, context: Context) -> Iterator[Event]:
        """Take the passes that were found beside the run; explore for the other checks."""
        for check in self.checks:
            p_values, alpha = context.budget_with(check)
            passed = None
            if context.background is not None and context.may_run(check):
                with context.measured(check.id):
                    passed = context.background.passed(check.id)
            if passed is None:
                yield from examine(context, check, alpha)
            else:
                yield from context.note(check, passed)
            p_value = context.results.by_check[check.id].judgement.p_value
            if p_value is not None:
                context.spend(p_values, check, p_value)


def explore_beside(context: Context) -> Iterator[Event]:
    """Begin to explore beside the rest of the run, once the bot is known to be fast. Call it until it is."""
    background, pace = context.background, context.settings.pace
    if background is None or background.sent or not 0.0 < context.bot.times.usual_search <= pace.fast_search:
        return
    yield from context.find_count()
    if context.count.playouts is None or not context.bot.allows_two_instances():
        explore_later(context)
        return
    bot = context.bot
    background.send(ExplorationRequest(bot.launch, bot.limits, bot.queues, context.known()))


def explore_later(context: Context) -> None:
    """Explore nothing beside the rest of the run: the process for it is not needed."""
    if context.background is not None:
        context.background.end()
        context.background = None
