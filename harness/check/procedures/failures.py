"""The failure of a check at one command: its outcome, and the check that reports it."""

from __future__ import annotations

from harness.check.bot.errors import BotInterruptedError, ExchangeError
from harness.check.bot.refusals import is_malformed_refusal
from harness.check.bot.wording import answer_text, sent_text
from harness.check.model import Ability, Judgement, Outcome
from harness.check.procedures.reliance import reporter
from harness.gtp import Exchange

SLOW_HINT = (
    "give it fewer playouts, or a longer limit with --timeout SECONDS (--startup SECONDS at its start)"
)


def failure_outcome(exchange: Exchange) -> Outcome:
    """Return the outcome of a check for an unexpected answer, a death or a silence."""
    if exchange.ending == "eof":
        return Outcome.CRASH
    return Outcome.TIMEOUT if exchange.ending in ("timeout", "oversize") else Outcome.FAIL


def judge_error(error: ExchangeError) -> Judgement:
    """Judge a check whose observation failed at one command: the check of that command reports it."""
    exchange, sent = error.exchange, sent_text(error.exchange.sent)
    expected, observed = f"{sent} → {error.wanted}", f"{sent} → {answer_text(exchange)}"
    reported_by = reporter(exchange.sent, before=error.before)
    if isinstance(error, BotInterruptedError):
        hint = f"if the bot is only slow: {SLOW_HINT}" if exchange.ending == "timeout" else ""
        return Judgement(failure_outcome(exchange), expected, observed, hint, reported_by=reported_by)
    if exchange.ending == "malformed" and not is_malformed_refusal(exchange):
        reported_by = str(Ability.WELL_FORMED_ANSWERS)
    return Judgement(Outcome.FAIL, expected, observed, reported_by=reported_by)
