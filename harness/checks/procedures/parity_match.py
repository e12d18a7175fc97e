"""A match of the bot against the reference bot with the same number of playouts, as long as time allows."""

from __future__ import annotations

import shlex
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

from harness.checks.bot.session import Session
from harness.checks.model import Judgement, Outcome, Phase, Requirements

if TYPE_CHECKING:
    from harness.match import HeadToHead

# harness.match is imported where it is needed: most checks play no match.

MARGIN = 0.05
"""A score within ½ ± this is parity. With a bot at ½ it takes about 900 games to show."""


@dataclass(frozen=True)
class ParityMatch:
    """A match against the reference bot with as many playouts, pairs of games with colours exchanged.

    reference   its command line; {playouts} is filled in
    workers     games at once; None: one per core
    """

    margin: float = MARGIN
    size: int = 9
    reference: str = shlex.join([sys.executable, "-m", "refbot.cli", "gtp"]) + " --playouts {playouts}"
    workers: int | None = None

    phase = Phase.MATCH
    search_plan = None
    requires = Requirements()

    def describe(self) -> list[str]:
        """The first line of the documentation."""
        return (type(self).__doc__ or "").splitlines()[:1]

    def observe(self, session: Session) -> HeadToHead:
        """Play until there is a verdict or the time is up."""
        from harness.match import HeadToHeadPlan, play_head_to_head

        assert session.playouts is not None, "a match is played only with a known number of playouts"
        return play_head_to_head(
            HeadToHeadPlan(
                bot=session.bot.launch,
                limits=session.bot.limits,
                reference=self.reference,
                playouts=session.playouts,
                deadline=session.deadline,
                margin=self.margin,
                alpha=session.alpha,
                size=self.size,
                seed=session.seed,
                workers=self.workers,
            )
        )

    def judge(self, observation: HeadToHead) -> Judgement:
        """Judge the score, unless a bot failed."""
        from harness.match import DIFFERENT, EQUAL, games_still_needed

        parity = observation.parity
        expected = f"a score within {50 - 100 * self.margin:g} … {50 + 100 * self.margin:g} %"
        if parity is None:
            why = f"the match could not be played: {observation.problem}"
            return Judgement(Outcome.ERROR, expected, why)
        observed = (
            f"{100 * parity.score_a:.1f} % of {parity.games} games, "
            f"{100 * parity.low:.1f} … {100 * parity.high:.1f} % with 95 % confidence"
        )
        numbers = {
            "games": float(parity.games),
            "score": parity.score_a,
            "low": parity.low,
            "high": parity.high,
            "games_needed": parity.games_needed,
        }
        bot, reference = observation.bot_failures, observation.reference_failures
        if reference.games:
            why = f"the reference bot failed ({reference.detail}): {observed}"
            return Judgement(Outcome.ERROR, expected, why, numbers=numbers)
        if bot.games:
            why = f"it failed in {bot.games} of {observation.games} games, once by {bot.detail}"
            return Judgement(Outcome.FAIL, "games played to their end", why, numbers=numbers)
        if parity.verdict == DIFFERENT:
            return Judgement(Outcome.FAIL, expected, observed, numbers=numbers, p_value=observation.alpha)
        if parity.verdict == EQUAL:
            return Judgement(Outcome.PASS, expected, observed, numbers=numbers, p_value=1.0)
        if observation.problem:
            why = f"the match ended early ({observation.problem}): {observed}"
            return Judgement(Outcome.ERROR, expected, why, numbers=numbers)
        hint = f"{games_still_needed(parity.games_needed)} would decide: a larger --budget, or conform match"
        return Judgement(Outcome.INCONCLUSIVE, expected, observed, hint, numbers, p_value=1.0)
