"""The phase that finds the number of playouts per search."""

from __future__ import annotations

from collections.abc import Iterator

from harness.check.bot.errors import BotInterruptedError, CommandRefusedError, TimeUpError, UnusableBotError
from harness.check.bot.wording import exchange_text
from harness.check.model import OUT_OF_TIME
from harness.check.phases.context import Context
from harness.check.phases.events import Event, PlayoutsFound
from harness.check.phases.playout_count import PlayoutCount, find_playouts
from harness.check.procedures.reliance import reporter


class PlayoutNumber:
    """The number of playouts is taken from the user, asked of the bot, or inferred."""

    name = "number of playouts"

    def run(self, context: Context) -> Iterator[Event]:
        """Find the number, unless it is known."""
        yield from find_number(context)


def find_number(context: Context) -> Iterator[Event]:
    """Find the number of playouts, unless it is known."""
    if context.count.playouts is None:
        context.count = _found(context)
        yield PlayoutsFound(context.count)


def _found(context: Context) -> PlayoutCount:
    given, trouble = context.settings.playouts, context.trouble
    if given is None and (not context.profile.answers_readable or trouble.given_up):
        return PlayoutCount(None, "unknown", trouble.given_up)
    try:
        return find_playouts(context.bot, context.profile, given)
    except (BotInterruptedError, CommandRefusedError) as error:
        seen = error.exchange
        return PlayoutCount(None, "unknown", exchange_text(seen), reporter(seen.sent))
    except TimeUpError:
        return PlayoutCount(None, "unknown", OUT_OF_TIME.observed)
    except UnusableBotError as why:
        trouble.cannot_start = why.reason
        return PlayoutCount(None, "unknown", trouble.given_up)
