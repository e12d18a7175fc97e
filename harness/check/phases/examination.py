"""Runs one check on the bot: observe, judge, and confirm a failure in new processes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from harness.check.bot.errors import (
    BotInterruptedError,
    ExchangeError,
    TimeUpError,
    UnusableBotError,
)
from harness.check.bot.introduction import is_in_step
from harness.check.bot.refusals import text_hint
from harness.check.bot.session import Session
from harness.check.bot.transcript import dialogue_text
from harness.check.model import (
    OUT_OF_TIME,
    Check,
    Confirmation,
    Judgement,
    Level,
    Outcome,
    Phase,
    Procedure,
)
from harness.check.phases.confirmation import TRIES, Attempt, confirm
from harness.check.phases.context import Context
from harness.check.phases.events import CheckRepeated, CheckStarted, Event
from harness.check.phases.findings import ALPHA
from harness.check.procedures.dialogue import NAMELESS
from harness.check.procedures.failures import judge_error
from harness.gtp import Exchange, command_name

MUTE_CHECKS = {
    b"protocol_version": NAMELESS,
    b"name": "gtp.admin.name",
    b"version": "gtp.admin.name",
    b"list_commands": "gtp.admin.list-words",
}
"""By command: the check that reports a bot which never answers it."""

ANSWER_ALL = "answer every command, with ? where it is not known: the command after it was answered"


def examine(context: Context, check: Check, alpha: float = ALPHA) -> Iterator[Event]:
    """Run a check, if it may run: observe, judge, confirm. It may spend `alpha` of the error budget."""
    if not context.may_run(check):
        yield from context.note_obstacle(check)
        return
    if context.time_is_up:
        yield from context.note(check, OUT_OF_TIME)
        return
    yield CheckStarted(check)
    with context.measure(check.id):
        seen = _attempt(context, check, alpha)
        if seen.refuses and check.level is Level.MUST:
            yield CheckRepeated(check)
        if seen.refuses and seen.history and _is_judged_alone(check):
            context.bot.fresh()
            seen = _attempt(context, check, alpha)
        if seen.refuses:
            yield from _confirm(context, check, seen)
            return
        if check.procedure.phase is Phase.FINAL and not _is_in_step(context):
            context.bot.fresh()
        yield from context.note(check, seen.judgement, seen.lines, dialogue_text(seen.record))


def _confirm(context: Context, check: Check, first: Attempt) -> Iterator[Event]:
    """Repeat a failure, by a shorter procedure if its judgement has one, and note the result."""
    reduced = first.judgement.reduced
    if reduced is not None:  # it needs no earlier lines
        again = try_again(context, check, replace(first, history=()), reduced)
    else:
        again = try_again(context, check, first, check.procedure)
    yield from note_second_try(context, check, first.judgement, again)


def try_again(
    context: Context, check: Check, first: Attempt, procedure: Procedure, tries: int = TRIES
) -> Attempt:
    """Repeat a failed attempt in new processes, by a procedure that may be shorter than that of the check.

    tries   most processes without the failure, as `confirm` takes it
    """
    again = replace(check, procedure=procedure)
    return confirm(
        context.bot,
        first,
        lambda: _observe_and_judge(context, again, context.session()),
        context.is_busy,
        context.machine.now,
        tries,
    )


def note_second_try(context: Context, check: Check, judgement: Judgement, seen: Attempt) -> Iterator[Event]:
    """Note a failure after it was repeated; later checks get a new process.

    judgement   of the first attempt
    seen        the attempt that `try_again` returned; the transcript of an unstable one shows both attempts
    """
    is_unstable = seen.confirmation is Confirmation.UNSTABLE
    outcome = judgement.outcome if is_unstable else seen.judgement.outcome
    if not (outcome is Outcome.TIMEOUT and _is_mute(context, seen.record)):
        context.trouble.count(outcome)  # a command that is never answered has a check of its own
    context.bot.fresh()  # the next check must not receive late answers of this process
    noted = replace(seen.judgement, coverage=judgement.coverage)
    transcript = dialogue_text(seen.record)
    if is_unstable:
        transcript = f"# with the failure\n{transcript}\n# without it\n{dialogue_text(seen.other)}"
    yield from context.note(check, noted, seen.lines, transcript, seen.confirmation, seen.sightings)


def _is_judged_alone(check: Check) -> bool:
    """Return whether a failure counts only if the check was alone in its process.

    The first attempt uses the present process, since a start may take seconds; a pass in it stands.
    """
    return check.needs.isolated or check.procedure.phase is Phase.FINAL


def _is_mute(context: Context, record: Sequence[Exchange]) -> bool:
    """Return whether a record ends with a command that the bot never answers."""
    return bool(record) and context.bot.chaser.is_mute(record[-1].sent)


def _is_in_step(context: Context) -> bool:
    """Return whether the next check can use the present process: none runs, or it answers in step."""
    return not context.bot.history or is_in_step(context.bot, context.introduction)


def _attempt(context: Context, check: Check, alpha: float) -> Attempt:
    """Observe and judge a check in the present process.

    An exploration may run until the last moment of the run, to confirm what it found; it is short if the bot
    deviates already. Any other procedure ends at the deadline.
    """
    history, session = context.bot.history, context.session(alpha)
    context.bot.take_record()
    explores = check.procedure.phase is Phase.EXPLORATION
    if explores and context.results.deviates:
        session = replace(session, deadline=_short_deadline(context))
    with context.bot.times.until(context.last_moment if explores else session.deadline):
        judgement = _observe_and_judge(context, check, session)
    return Attempt(judgement, context.bot.take_record(), history)


def _short_deadline(context: Context) -> float:
    """Return the deadline of an exploration of a bot that deviates already."""
    pace, now = context.settings.pace, context.machine.now()
    spent = max(pace.least_exploring, pace.exploring_share * (now - context.began))
    return min(context.deadline, now + spent)


def _observe_and_judge(context: Context, check: Check, session: Session) -> Judgement:
    """Observe and judge; an error of the bot becomes a judgement."""
    try:
        judgement = check.procedure.judge(context.observe(check, session))
        # The forms of private numbers have checks of their own.
        return _with_form_hint(judgement, context.bot.record) if check.clause.startswith("gtp") else judgement
    except ExchangeError as error:
        judgement = judge_error(error)
        if isinstance(error, BotInterruptedError) and _is_mute(context, [error.exchange]):
            reported_by = judgement.reported_by or MUTE_CHECKS.get(command_name(error.exchange.sent), "")
            judgement = replace(judgement, hint=ANSWER_ALL, reported_by=reported_by)
        return judgement
    except TimeUpError:
        return OUT_OF_TIME
    except UnusableBotError as why:
        context.trouble.cannot_start = why.reason
        return Judgement(Outcome.ERROR, "a process that starts", why.reason, why.hint)


def _with_form_hint(judgement: Judgement, exchanges: Iterable[Exchange]) -> Judgement:
    """Add a hint to a failure if its answer is only written wrongly; return other judgements unchanged."""
    if judgement.outcome is not Outcome.FAIL or judgement.written_wrong:
        return judgement
    shown = (one for one in exchanges if one.ok and one.text.strip() and one.text in judgement.observed)
    hint = next(filter(None, map(text_hint, shown)), "")
    return replace(judgement, hint=hint, written_wrong=True) if hint else judgement
