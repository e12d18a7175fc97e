"""Forecast for a slow bot, from its first searches: whether the searches of the run fit its time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from harness.check.bot.errors import BotError, TimeUpError
from harness.check.model import Check, Phase
from harness.check.phases.context import Context
from harness.check.phases.events import Event, TimeForecast
from harness.check.phases.judged_searches import plan_of
from harness.check.procedures.dialogue import Dialogue
from harness.check.procedures.probe import empty_board
from harness.check.procedures.search import search_cost
from harness.gtp import command_name

SLOW_SECONDS = 2.0
"""Seconds of a first search above which it is measured again: the bot may have compiled.
Chosen: a faster bot needs no forecast."""

USUAL_PLAYOUTS = 1_000
"""Number of playouts per search that the costs of searches assume if it is not known; chosen."""


def forecast(context: Context) -> Iterator[Event]:
    """Measure a slow bot, before anything else takes time; yield a forecast if its searches do not fit.

    Also yields the number of playouts, if it is not known yet. A fast bot makes no search for this: the
    introduction has its first one.
    """
    seconds = context.bot.times.first_search
    if seconds <= SLOW_SECONDS or not context.introduction.answers_readable:
        return
    yield from context.find_count()
    try:
        probe = empty_board(7.5)
        context.bot.set_up(probe.setup())
        context.bot.ask(probe.question())
    except (BotError, TimeUpError):
        return  # the checks report it
    seconds = min(seconds, context.bot.times.last_search)
    wanted = wanted_searches(context.settings.checks, context)
    if seconds * wanted > context.settings.searching_seconds:
        yield TimeForecast(seconds, context.count.playouts, wanted, context.settings.effort.seconds)


def wanted_searches(checks: Sequence[Check], context: Context) -> float:
    """Return how many searches of the empty board take as long as the searches that the checks need at least.

    Each genmove of a dialogue counts as one. A search of the planner counts by its cost (`search_cost`).
    """
    playouts = context.count.playouts or USUAL_PLAYOUTS
    least: dict[str, tuple[float, int]] = {}  # by probe: cost of a search, number of searches
    dialogues = 0
    for check in checks:
        if check.procedure.phase is Phase.SEARCH:
            plan = plan_of(check)
            cost = search_cost(plan.probe, playouts)
            number = plan.least_under(context.settings.effort, playouts)
            least[plan.probe.id] = cost, max(number, least.get(plan.probe.id, (0.0, 0))[1])
        elif isinstance(check.procedure, Dialogue):
            steps = check.procedure.write(context.introduction.size, 0)
            dialogues += sum(command_name(step.send) == b"genmove" for step in steps)
    searches = sum(cost * number for cost, number in least.values())
    return dialogues + searches / search_cost(empty_board(7.5), playouts)
