"""Groups of failures with one cause in what was sent and answered: missing commands, silences, extra answers.

`next_cause` makes one cause of each group. It looks for these causes before all others.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from harness.check.bot.transcript import last_command, sent_words
from harness.check.model import Ability, Confirmation, Outcome, Result
from harness.check.procedures.wire import wrote_extra_answer

FRAMING = "gtp.frame."
"""The beginning of the ids of checks about the form of answers."""


def mentions(result: Result, commands: Collection[str]) -> bool:
    """Return True if a failure names one of the commands, in its sent lines or in its judgement.

    For a check of framing (the form of answers), only the text `expected` counts: the refusal of a missing
    command has a right form too, so the missing command does not explain a wrong one.
    """
    judgement = result.judgement
    words = set(judgement.expected.split())
    if not result.check.id.startswith(FRAMING):
        words |= sent_words(result.transcript).union(judgement.observed.split())
    return not words.isdisjoint(commands)


def silent_failures(failing: Sequence[Result], mute: Collection[str]) -> list[Result]:
    """Return the failures of a bot that does not answer unknown commands.

    mute   commands that the bot never answered

    The first is the failure of the check REFUSES_UNKNOWN_COMMANDS, if it sent one of these commands. The
    others are timeouts whose last command is one of them. Empty unless there are both.
    """
    unknown = [r for r in failing if r.check.id == Ability.REFUSES_UNKNOWN_COMMANDS]
    silent = [r for r in failing if r.outcome is Outcome.TIMEOUT and last_command(r.transcript) in mute]
    lost = bool(unknown) and not sent_words(unknown[0].transcript).isdisjoint(mute)
    return [*unknown, *silent] if lost and silent else []


def out_of_step_failures(failing: Sequence[Result]) -> list[Result]:
    """Return the failures that show an extra answer, then those that it may have caused.

    Empty unless there are both. After an extra answer, each answer is taken for the answer to the next
    command. A failure that its own lines showed again in every new process has another cause, and is left
    out.
    """
    stray = [r for r in failing if wrote_extra_answer(r.judgement)]
    others = [
        r
        for r in failing
        if r not in stray
        and (r.confirmation is not Confirmation.CONFIRMED or r.sightings.seen < r.sightings.tried)
    ]
    return [*stray, *others] if stray and others else []
