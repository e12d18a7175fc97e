"""Holds the steps of a dialogue with a bot, and judges its answers.

An unexpected answer ends a dialogue. It fails the check of the dialogue, or is left to another check, which
reports it: `_reporter` decides.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from harness.check.bot.bot import Bot
from harness.check.bot.errors import BotInterruptedError
from harness.check.bot.refusals import form_hint, is_malformed_refusal
from harness.check.bot.wording import answer_text, sent_text
from harness.check.model import Ability, Judgement, Outcome
from harness.check.procedures.failures import failure_outcome
from harness.check.procedures.reliance import reliances
from harness.check.procedures.script import Step
from harness.gtp import Exchange, printable

STRAY_ID = "gtp.frame.id-fresh"
"""The check that reports an id in an answer to a command without an id."""


@dataclass(frozen=True)
class HeldStep:
    """A step that was sent, and its exchanges: one for each answer up to the first unexpected one."""

    step: Step
    exchanges: tuple[Exchange, ...]

    @property
    def unexpected(self) -> int | None:
        """The index of the answer that is not as expected, which is the last one; None if all are."""
        last = len(self.exchanges) - 1
        return None if self.step.is_as_expected(last, self.exchanges[last]) else last


def hold(bot: Bot, steps: Iterable[Step]) -> tuple[HeldStep, ...]:
    """Send the steps one after the other; stop at the first answer that is not as expected."""
    held: list[HeldStep] = []
    for step in steps:
        held.append(_send_step(bot, step))
        if held[-1].unexpected is not None:
            break
    return tuple(held)


def _send_step(bot: Bot, step: Step) -> HeldStep:
    """Send the step, then read its answers up to the first unexpected one: after it, no more may come."""
    exchanges: list[Exchange] = []
    try:
        exchanges.append(bot.ask_chased(step.send) if step.chased else bot.ask(step.send))
        while len(exchanges) < len(step.expect) and step.is_as_expected(len(exchanges) - 1, exchanges[-1]):
            exchanges.append(bot.receive())
    except BotInterruptedError as interruption:
        exchanges.append(interruption.exchange)
    return HeldStep(step, tuple(exchanges))


def judge_steps(held: Sequence[HeldStep], size: int = 9, *, about_rules: bool = False) -> Judgement:
    """Pass if every answer was as expected; else fail with the unexpected one, the last of the last step.

    A missing answer gives the outcome CRASH or TIMEOUT.

    held          at least one step
    size          of the board of the last step
    about_rules   see `Dialogue`
    """
    failed = held[-1]
    place = failed.unexpected
    if place is None:
        answers = f"{sum(len(one.exchanges) for one in held)} expected answers"
        return Judgement(Outcome.PASS, answers, answers)
    exchange, wanted = failed.exchanges[place], failed.step.expect[place]
    sent = sent_text(failed.step.send)
    if place:  # the answers to the earlier commands of the step came
        sent = f"answer {place + 1} of {len(failed.step.expect)} to {sent}"
    owner = reliances((one.step.line for one in held), size)[-1].owner
    reported_by = _reporter(failed.step, place, exchange, owner, about_rules=about_rules)
    form = form_hint(exchange, refusal_wanted=wanted.sign == "?")
    return Judgement(
        failure_outcome(exchange),
        f"{sent} → {wanted}",
        f"{sent} → {_seen_text(failed.step, exchange)}",
        form or ("" if reported_by else failed.step.hint),
        reported_by=reported_by,
        written_wrong=bool(form),
        unlike=failed.step.unlike,
    )


def _seen_text(step: Step, exchange: Exchange) -> str:
    """Return the answer to a step for a report. A chased step may have only the answer to the chaser."""
    if not (step.chased and exchange.ok and exchange.sent != step.send):
        return answer_text(exchange)
    after = sent_text(exchange.sent.removeprefix(step.send))
    noise = printable(exchange.noise).strip()
    came = f"“{noise}”, which is no whole answer" if exchange.noise else "no answer"
    return f"{came}; {after}, sent after it, was answered"


def _reporter(step: Step, place: int, exchange: Exchange, owner: Ability | None, *, about_rules: bool) -> str:
    """Return the id of the check that reports an unexpected answer; empty for the check of the dialogue.

    place   index of the answer
    owner   the ability that owns the line (see `Reliance`); its check reports what no other check does
    """
    # Only checks of ids (`gtp.frame.id-…`) have lines of the subject with an id. The answers that they find
    # wrong are often malformed or have a stray id, so this rule comes first.
    if step.subject and step.has_id and exchange.is_answered:
        return ""
    # Whatever the line is about, such an answer cannot be read. A malformed refusal can: it is left to the
    # check that expects it.
    if exchange.ending == "malformed" and not is_malformed_refusal(exchange):
        return Ability.WELL_FORMED_ANSWERS
    # The rest of the answer may be right.
    if step.expect[place].id is None and exchange.answer is not None and exchange.answer.id is not None:
        return STRAY_ID
    # A death or a silence says nothing about a rule of the game.
    if step.subject and (exchange.is_answered or not about_rules):
        return ""
    return str(owner or "")
