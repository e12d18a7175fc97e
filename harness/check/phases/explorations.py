"""The phase of explorations: generated dialogues and positions. For a fast bot they run in the background."""

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
    """The phase of explorations: each check explores, unless it passed in the background."""

    checks: Sequence[Check]

    name = "explorations"

    def run(self, context: Context) -> Iterator[Event]:
        """Accept the passes of the background explorer; explore for the other checks."""
        for check in self.checks:
            p_values, alpha = context.budget_with(check)
            passed = None
            if context.background is not None and context.may_run(check):
                with context.measure(check.id):
                    passed = context.background.await_pass(check.id)
            if passed is None:
                yield from examine(context, check, alpha)
            else:
                yield from context.note(check, passed)
            p_value = context.results.by_check[check.id].judgement.p_value
            if p_value is not None:
                context.spend(p_values, check, p_value)


def explore_beside(context: Context) -> Iterator[Event]:
    """Let the background explorer begin, unless it has begun or the bot is not known to be fast.

    Finds the number of playouts first, and yields the events of that. If the number is not known, or if the
    bot allows one process at a time, the explorer is ended. May be called at any time, also again.
    """
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
    """End the background explorer, if there is one: the explorations run in their phase."""
    if context.background is not None:
        context.background.end()
        context.background = None
