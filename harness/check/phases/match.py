"""The phase of the match against the reference bot, in a thorough run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from harness.check.bot.errors import BotError, TimeUpError
from harness.check.model import OUT_OF_TIME, Check, Judgement, Outcome
from harness.check.phases.context import Context
from harness.check.phases.events import CheckStarted, Event


@dataclass(frozen=True)
class Match:
    """The phase of the match: each check plays its match."""

    checks: Sequence[Check]

    name = "match"

    def run(self, context: Context) -> Iterator[Event]:
        """Play one match after the other; first end the other instances, for free cores."""
        context.end_instances()
        for check in self.checks:
            if not context.may_run(check):
                yield from context.note_obstacle(check)
                continue
            yield CheckStarted(check)
            p_values, alpha = context.budget_with(check)
            try:
                with context.measure(check.id):
                    observation = check.procedure.observe(context.session(alpha))
                judgement = check.procedure.judge(observation)
            except TimeUpError:
                judgement = OUT_OF_TIME
            except BotError as error:
                judgement = Judgement(Outcome.ERROR, "a match against the reference bot", str(error))
            context.spend(p_values, check, judgement.p_value)
            yield from context.note(check, judgement)
