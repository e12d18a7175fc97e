"""Failures that belong together by what was sent and answered: missing commands, silences, extra answers."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from harness.check.bot.transcript import last_command, sent_words
from harness.check.model import Ability, Confirmation, Outcome, Result
from harness.check.procedures.wire import wrote_extra_answer

FRAMING = "gtp.frame."
"""The beginning of the ids of checks about the form of answers."""


def mentions(result: Result, commands: Collection[str]) -> bool:
    """Return whether a failure names one of the commands, in the lines that were sent or in the report.

    For a check of framing (the form of answers), only the report's `expected` counts: the refusal of a
    missing command is well framed too, so the missing command does not explain a wrong form.
    """
    judgement = result.judgement
    words = set(judgement.expected.split())
    if not result.check.id.startswith(FRAMING):
        words |= sent_words(result.transcript).union(judgement.observed.split())
    return not words.isdisjoint(commands)


def silences(failing: Sequence[Result], mute: Collection[str]) -> list[Result]:
    """Return the failure of REFUSES_UNKNOWN_COMMANDS, then all timeouts after a command of `mute`.

    Empty unless that check sent such a command, too, and there is such a timeout.

    mute   commands that the bot never answered
    """
    unknown = [r for r in failing if r.check.id == Ability.REFUSES_UNKNOWN_COMMANDS]
    silent = [r for r in failing if r.outcome is Outcome.TIMEOUT and last_command(r.transcript) in mute]
    lost = bool(unknown) and not sent_words(unknown[0].transcript).isdisjoint(mute)
    return [*unknown, *silent] if lost and silent else []


def out_of_step(failing: Sequence[Result]) -> list[Result]:
    """Return the failures that show an extra answer, then those it may have caused; empty without either.

    After an extra answer, each answer is taken for the answer to the next command. A failure that came back
    in every new process, by its own lines, has another cause.
    """
    stray = [r for r in failing if wrote_extra_answer(r.judgement)]
    others = [
        r
        for r in failing
        if r not in stray
        and (r.confirmation is not Confirmation.CONFIRMED or r.sightings.seen < r.sightings.tried)
    ]
    return [*stray, *others] if stray and others else []
