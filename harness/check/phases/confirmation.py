"""A failure counts once it was seen a second time, in a new process, by the lines that a report prints."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from harness.check.bot.bot import Bot
from harness.check.bot.errors import BotError, TimeUpError
from harness.check.model import OUT_OF_TIME, REFUSING, Confirmation, Judgement, Outcome
from harness.gtp import Exchange

PATIENCE = 3.0
"""Factor on the time limits of the second try; chosen: a bot that is silent even then has hung."""

MOST_REPLAYED = 2_000
"""Number of earlier commands up to which they are sent again; chosen: more would take too long."""


@dataclass(frozen=True)
class Confirmed:
    """A judgement after the second try.

    lines    what shows the failure in a new process, in order
    record   the exchanges of the check in that try
    """

    judgement: Judgement
    confirmation: Confirmation
    lines: tuple[bytes, ...]
    record: tuple[Exchange, ...]


def confirm(
    bot: Bot,
    first: Judgement,
    record: Sequence[Exchange],
    history: Sequence[bytes],
    observe: Callable[[], Judgement],
    busy: Callable[[], bool],
) -> Confirmed:
    """Observe again in a new process; if that passes, once more after all earlier commands of the old one.

    first     the refusing judgement, with the `record` of its exchanges
    history   the lines that the process had been sent before the check
    observe   observes and judges the check on `bot`
    busy      whether the machine is too busy to judge a silence

    A failure that does not come back is unstable; one for which no new process starts, or no time is left, is
    not tried again. Silence that does not come back, or that comes on a busy machine, leaves the check open.
    """
    with bot.times.patience(PATIENCE):
        again, own = _fresh_try(bot, observe)
        if again.outcome in REFUSING:
            return _seen_again(again, Confirmation.CONFIRMED, lines_of(own), own, busy)
        if again.outcome is Outcome.ERROR and first.outcome is not Outcome.TIMEOUT:
            return Confirmed(first, Confirmation.NOT_TRIED, lines_of(record), tuple(record))
        if first.outcome is Outcome.TIMEOUT:
            return Confirmed(again, Confirmation.NOT_NEEDED, lines_of(own), own)
        if again == OUT_OF_TIME:
            return Confirmed(first, Confirmation.NOT_TRIED, lines_of(record), tuple(record))
        if 0 < len(history) <= MOST_REPLAYED and _replay(bot, history):
            after, own_after = _try(bot, observe)
            if after.outcome in REFUSING:
                lines = (*history, *lines_of(own_after))
                return _seen_again(after, Confirmation.WITH_HISTORY, lines, own_after, busy)
    return Confirmed(first, Confirmation.UNSTABLE, lines_of(record), tuple(record))


def _seen_again(
    judgement: Judgement,
    confirmation: Confirmation,
    lines: tuple[bytes, ...],
    record: tuple[Exchange, ...],
    busy: Callable[[], bool],
) -> Confirmed:
    if judgement.outcome is Outcome.TIMEOUT and busy():
        hint = "other processes keep the machine busy: repeat the check on an idle machine"
        judgement = Judgement(Outcome.INCONCLUSIVE, judgement.expected, judgement.observed, hint)
    return Confirmed(judgement, confirmation, lines, record)


def _fresh_try(bot: Bot, observe: Callable[[], Judgement]) -> tuple[Judgement, tuple[Exchange, ...]]:
    bot.fresh()
    return _try(bot, observe)


def _try(bot: Bot, observe: Callable[[], Judgement]) -> tuple[Judgement, tuple[Exchange, ...]]:
    bot.take_record()
    judgement = observe()
    return judgement, bot.take_record()


def _replay(bot: Bot, history: Sequence[bytes]) -> bool:
    """Send the earlier commands to a new process; False if it does not survive them."""
    bot.fresh()
    try:
        for line in history:
            bot.ask(line)
    except (BotError, TimeUpError):
        return False
    return True


def lines_of(record: Sequence[Exchange]) -> tuple[bytes, ...]:
    """The lines that were sent in a record."""
    return tuple(exchange.sent for exchange in record if exchange.sent)
