"""The procedure of a match against the reference bot with the same number of playouts.

Afterwards an audit repeats the bot's searches with the reference bot and compares their playouts.
"""

from __future__ import annotations

import shlex
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from harness.check.bot.session import Session
from harness.check.model import Judgement, Outcome, Phase
from harness.check.procedures.conversation import Conversation

if TYPE_CHECKING:
    from harness.arena.run.head_to_head import HeadToHead
    from harness.arena.store.store import Store
    from harness.arena.verdicts import PairParity, PlayoutStatistics, Suspect

# The functions import harness.arena, which takes time: most checks play no match.

REFBOT = (sys.executable, "-P", "-m", "refbot.cli", "gtp")
"""The words that start the reference bot. With -P it reads no module of the current folder."""

MARGIN = 0.05
"""A score within ½ ± MARGIN is parity. It takes about 900 games to prove for a bot that scores ½."""


@dataclass(frozen=True)
class ParityMatch(Conversation):
    """A match in pairs of games with colours exchanged.

    margin      a score within ½ ± margin is parity
    reference   command line of the reference bot; {playouts} stands for the number of playouts
    workers     games at the same time; None for one per core
    audit_share share of the remaining time that the audit gets; chosen: games decide more
    """

    margin: float = MARGIN
    size: int = 9
    reference: str = f"{shlex.join(REFBOT)} --playouts {{playouts}}"
    workers: int | None = None
    audit_share: float = 0.1

    phase = Phase.MATCH

    def observe(self, session: Session) -> HeadToHead:
        """Play until there is a verdict or the time is up; audit the games."""
        from harness.arena.run.head_to_head import HeadToHeadPlan, play_head_to_head

        assert session.playouts is not None, "a match is played only with a known number of playouts"
        audit_seconds = self.audit_share * max(0.0, session.deadline - time.monotonic())
        return play_head_to_head(
            HeadToHeadPlan(
                bot=session.bot.launch,
                limits=session.bot.limits,
                reference=self.reference,
                playouts=session.playouts,
                deadline=session.deadline - audit_seconds,
                margin=self.margin,
                alpha=session.alpha,
                size=self.size,
                seed=session.seed,
                workers=self.workers,
                audit=partial(_audit, seconds=audit_seconds),
            )
        )

    def judge(self, observation: HeadToHead) -> Judgement:
        """Judge the score and the audited playouts, unless one of the bots failed."""
        from harness.arena.verdicts import DIFFERENT, EQUAL, games_still_needed

        parity = observation.parity
        # Match and audit together keep `alpha`, so a difference that they found has this p-value.
        expected = f"a score within {50 - 100 * self.margin:g} … {50 + 100 * self.margin:g} %"
        if parity is None:
            why = f"the match could not be played: {observation.problem}"
            return Judgement(Outcome.ERROR, expected, why)
        observed = (
            f"{100 * parity.score_a:.1f} % of {parity.games} games, "
            f"{100 * parity.low:.1f} … {100 * parity.high:.1f} % with 95 % confidence"
        )
        numbers = _numbers(parity, observation.playouts)
        bot, reference = observation.bot_failures, observation.reference_failures
        if reference.games:
            why = f"the reference bot failed ({reference.detail}): {observed}"
            return Judgement(Outcome.ERROR, expected, why, numbers=numbers)
        if bot.games:
            why = f"it failed in {bot.games} of {observation.games} games, once by {bot.detail}"
            return Judgement(Outcome.FAIL, "games played to their end", why, numbers=numbers)
        if parity.verdict == DIFFERENT:
            return Judgement(Outcome.FAIL, expected, observed, numbers=numbers, p_value=observation.alpha)
        differing = [row for row in observation.playouts if row.differs]
        if differing:
            wanted = "the playouts of the reference bot in the positions of the games"
            seen, hint = _describe(differing), _suspect_hint(observation.suspects)
            return Judgement(Outcome.FAIL, wanted, seen, hint, numbers, p_value=observation.alpha)
        if parity.verdict == EQUAL:
            return Judgement(Outcome.PASS, expected, observed, numbers=numbers, p_value=1.0)
        if observation.problem:
            why = f"the match ended early ({observation.problem}): {observed}"
            return Judgement(Outcome.ERROR, expected, why, numbers=numbers)
        hint = f"{games_still_needed(parity.games_needed)} would decide: a larger --budget, or conform match"
        return Judgement(Outcome.INCONCLUSIVE, expected, observed, hint, numbers, p_value=1.0)


def _audit(store: Store, *, seconds: float) -> None:
    """Repeat searches of a match with the reference bot, for `seconds` of processor time.

    If the playouts differ, spend the same time again on the question which fault explains it.
    """
    from harness.arena.audit import Audit, Diagnoser
    from harness.arena.judge.playouts import differing_statistics, judge_playouts
    from harness.arena.run.runner import wanted_workers
    from harness.arena.run.stop import Stop

    config = store.config()
    assert config is not None, "the match set it"
    workers = wanted_workers(config)
    Audit(store, "auto", stop=Stop(), workers=workers, seconds=seconds).run()
    rows, _ = judge_playouts(store, config)
    Diagnoser(store, stop=Stop(), workers=workers, seconds=seconds).run(differing_statistics(rows))


def _suspect_hint(suspects: Sequence[Suspect]) -> str:
    """Name the fault whose playouts are most like those of the bot, as a hint; empty if none fits."""
    from harness.arena.verdicts import UNKNOWN_FAULT
    from refbot.deviations.faults import FAULTS

    if not suspects or suspects[0].fault == UNKNOWN_FAULT:
        return ""
    name = suspects[0].fault
    return f"the playouts look like the fault {name} ({FAULTS[name].misconception})"


def _numbers(parity: PairParity, rows: Sequence[PlayoutStatistics]) -> dict[str, float]:
    """Return the numbers of a match and of its audit over all moves, by name, for the reports."""
    from harness.arena.verdicts import ALL_PHASES

    numbers = {
        "games": float(parity.games),
        "score": parity.score_a,
        "low": parity.low,
        "high": parity.high,
        "games_needed": parity.games_needed,
    }
    for row in rows:
        if row.phase == ALL_PHASES:
            numbers |= {"audited_searches": float(row.searches), "length_deviation": row.deviation}
            if row.score_deviation is not None:
                numbers["score_deviation"] = row.score_deviation
    return numbers


def _describe(rows: Sequence[PlayoutStatistics]) -> str:
    """Describe the first row; `rows` are those of the phases that differ, that of all moves first."""
    from harness.arena.verdicts import DIFFERENT

    row = rows[0]
    found = []
    if row.verdict == DIFFERENT:
        bounds, spread = f"{row.low:+.2f} … {row.high:+.2f}", f"{row.spread:.2f} times the expected spread"
        found.append(f"lengths {row.deviation:+.2f} moves off ({bounds}; {spread})")
    if row.score_verdict == DIFFERENT and row.score_deviation is not None:
        bounds = f"{row.score_low:+.3f} … {row.score_high:+.3f}"
        spread = f"{row.score_spread:.2f} times the expected spread"
        found.append(f"ref-score {row.score_deviation:+.3f} off ({bounds}; {spread})")
    if row.choice_verdict == DIFFERENT:
        found.append(
            f"moves of another rank than the reference chooses ({row.choice_rank:.2f}; 0.5 is right)"
        )
    return f"{' and '.join(found)}, in {row.searches} searches ({row.phase} moves of the games)"
