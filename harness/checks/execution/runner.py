"""All checks on one bot: what is observed when, and what results.

First the dialogues, in their order; then the number of playouts; then the searches, where each goes to the
undecided check that is cheapest to decide; then what may leave the bot in an unknown state; last, if the time
allows it, a match.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace

from harness.checks.bot.bot import Bot
from harness.checks.bot.errors import (
    BotError,
    BotInterruptedError,
    CommandRefusedError,
    UnreadableAnswerError,
    UnusableBotError,
)
from harness.checks.bot.profile import Profile, profile_of
from harness.checks.bot.session import Session
from harness.checks.bot.wording import by_hand, dialogue_text, exchange_text
from harness.checks.execution.eligibility import READABILITY, Decision, RunState, eligibility
from harness.checks.execution.findings import ALPHA, Assignment, Findings
from harness.checks.execution.playout_count import PlayoutCount, find_playouts
from harness.checks.execution.search_planner import PlanSettings, SearchPlanner, plan_of
from harness.checks.model import REFUSING, Check, Judgement, Level, Outcome, Phase, Result
from harness.checks.procedures.dialogue import judge_interruption
from harness.checks.procedures.search import BotSearcher, Series
from harness.gtp import Exchange
from harness.stats import holm

MOST_SILENCES = 3
"""Number of checks in which the bot may be silent before the run gives up: each costs a time limit."""

MOST_DEATHS = 12
"""Number of checks in which the bot may die before the run gives up: each costs a start."""

MATCH_SHARE = 0.4
"""Fraction of the time that is kept for a match when there is one to play."""

OnResult = Callable[[Result], None]

_DECISIONS = {
    Decision.BLOCKED: Outcome.BLOCKED,
    Decision.SKIPPED: Outcome.SKIP,
    Decision.UNDECIDED: Outcome.INCONCLUSIVE,
}


def run_checks(assignment: Assignment, on_result: OnResult = lambda _: None) -> Findings:
    """Check one bot. Whatever the bot does becomes a result; `on_result` gets each as soon as it stands."""
    with Bot(assignment.launch, assignment.limits) as bot:
        return check_bot(bot, assignment, on_result)


def check_bot(bot: Bot, assignment: Assignment, on_result: OnResult = lambda _: None) -> Findings:
    """Check a bot whose process somebody else ends."""
    began = time.monotonic()
    command = assignment.launch.command
    try:
        profile = profile_of(bot)
    except UnusableBotError as why:
        return Findings(command, unusable=why.reason, hint=why.hint, seconds=time.monotonic() - began)
    if not profile.answers_readable and not any(check.id in READABILITY for check in assignment.checks):
        reason = "its answers cannot be read, and the checks that could say why are not selected"
        hint = f"select {' and '.join(sorted(READABILITY))} too"
        return Findings(command, unusable=reason, hint=hint, seconds=time.monotonic() - began)
    return _Run(assignment, bot, profile, on_result, began).findings()


class _Run:
    """One run over one bot: the results so far."""

    def __init__(
        self, assignment: Assignment, bot: Bot, profile: Profile, on_result: OnResult, began: float
    ) -> None:
        self.assignment = assignment
        self.bot = bot
        self.profile = profile
        self.on_result = on_result
        self.began = began
        self.results: dict[str, Result] = {}
        self.silences = self.deaths = 0
        self.cannot_start = ""
        self.count = PlayoutCount(None, "unknown")
        self.budget = holm({}, ALPHA)
        self.series: tuple[Series, ...] = ()

    def findings(self) -> Findings:
        """All results; after an interrupt, the results until then."""
        interrupted = False
        try:
            self._run_phases()
        except KeyboardInterrupt:
            interrupted = True
            for check in self.assignment.checks:
                if check.id not in self.results:
                    self._note(check, Judgement(Outcome.SKIP, observed="interrupted before it was done"))
        return Findings(
            self.assignment.launch.command,
            self.profile.name,
            self.profile.version,
            self.count,
            tuple(self.results[check.id] for check in self.assignment.checks),
            self.series,
            self.budget,
            seconds=time.monotonic() - self.began,
            searches=sum(len(one.searches) for one in self.series),
            interrupted=interrupted,
        )

    def _run_phases(self) -> None:
        by_phase: dict[Phase, list[Check]] = {phase: [] for phase in Phase}
        for check in self.assignment.checks:
            by_phase[check.procedure.phase].append(check)
        for check in by_phase[Phase.DIALOGUE]:
            self._examine(check)
        self.count = self._find_count()
        matches = [check for check in by_phase[Phase.MATCH] if self._may_play(check)]
        self._search(by_phase[Phase.SEARCH], matches)
        for check in by_phase[Phase.FINAL]:
            self._examine(check)
        for check in by_phase[Phase.MATCH]:
            self._play(check)

    def _note(
        self,
        check: Check,
        judgement: Judgement,
        *,
        reproduce: str = "",
        transcript: str = "",
        blocked_by: tuple[str, ...] = (),
    ) -> None:
        if not judgement.hint and judgement.outcome in REFUSING:
            judgement = replace(judgement, hint=check.hint)
        result = Result(check, judgement, reproduce, transcript, blocked_by)
        self.results[check.id] = result
        self.on_result(result)

    # --- what may run --------------------------------------------------------------------------------------

    @property
    def given_up(self) -> str:
        """Why nothing more is tried; empty while the run goes on."""
        if self.cannot_start:
            return f"the bot could not be started again: {self.cannot_start}"
        if self.silences >= MOST_SILENCES or self.deaths >= MOST_DEATHS:
            return f"the bot died in {self.deaths} checks before this one and was silent in {self.silences}"
        return ""

    def _state(self) -> RunState:
        results = self.results.values()
        missing = {r.check.id for r in results if r.refuses or r.outcome is Outcome.BLOCKED}
        deviates = any(r.refuses and r.check.level is Level.MUST for r in results)
        seconds = self.assignment.seconds
        return RunState(self.profile, self.count, seconds, missing, self.given_up, deviates)

    def _eligible(self, check: Check) -> bool:
        """Whether the check runs; if not, its result is noted with the reason."""
        answer = eligibility(check, self._state())
        if answer.decision is Decision.RUN:
            return True
        outcome = _DECISIONS[answer.decision]
        if self.cannot_start:
            outcome = Outcome.ERROR
        judgement = Judgement(outcome, observed=answer.reason, hint=answer.hint)
        self._note(check, judgement, blocked_by=answer.blocked_by)
        return False

    def _session(self) -> Session:
        assignment = self.assignment
        return Session(
            self.bot,
            self.profile,
            self.count.playouts,
            assignment.margin_factor,
            assignment.quick,
            assignment.seed,
            self.began + assignment.seconds,
        )

    # --- dialogues -----------------------------------------------------------------------------------------

    def _examine(self, check: Check) -> None:
        if not self._eligible(check):
            return
        if check.requires.isolated or check.procedure.phase is Phase.FINAL:
            self.bot.fresh()
        self.bot.take_record()
        judgement = self._observe_and_judge(check, self._session())
        record = self.bot.take_record()
        if judgement.outcome in REFUSING:
            self.silences += judgement.outcome is Outcome.TIMEOUT
            self.deaths += judgement.outcome is Outcome.CRASH
            self.bot.fresh()  # later answers of this process must not fall on the next check
        self._note(check, judgement, reproduce=self._by_hand(record), transcript=dialogue_text(record))

    def _observe_and_judge(self, check: Check, session: Session) -> Judgement:
        """Observe and judge; whatever the bot does in between becomes a judgement."""
        try:
            return check.procedure.judge(check.procedure.observe(session))
        except BotInterruptedError as interruption:
            return judge_interruption(interruption.exchange)
        except CommandRefusedError as refusal:
            return Judgement(Outcome.FAIL, "= to each command of the set-up", exchange_text(refusal.exchange))
        except UnreadableAnswerError as unreadable:
            return Judgement(Outcome.FAIL, unreadable.wanted, exchange_text(unreadable.exchange))
        except UnusableBotError as why:
            self.cannot_start = why.reason
            return Judgement(Outcome.ERROR, "a process that starts", why.reason, why.hint)

    # --- searches ------------------------------------------------------------------------------------------

    def _find_count(self) -> PlayoutCount:
        given = self.assignment.playouts
        if not self.profile.answers_readable or self.given_up:
            return PlayoutCount(given, "given" if given else "unknown", self.given_up)
        try:
            return find_playouts(self.bot, self.profile, given)
        except (BotInterruptedError, CommandRefusedError) as error:
            return PlayoutCount(None, "unknown", exchange_text(error.exchange))
        except UnusableBotError as why:
            self.cannot_start = why.reason
            return PlayoutCount(given, "given" if given else "unknown", self.given_up)

    def _search(self, checks: Sequence[Check], matches: Sequence[Check]) -> None:
        """Make and judge the searches; time and error budget are kept for the matches."""
        able = [check for check in checks if self._eligible(check)]
        if not able:
            return
        assignment = self.assignment
        deadline = self.began + assignment.seconds * (1.0 - MATCH_SHARE if matches else 1.0)
        searcher = BotSearcher(self.bot, self.profile.commands - self._state().unreadable_commands())
        settings = PlanSettings(
            self.count.playouts or 0, assignment.margin_factor, assignment.quick, assignment.seed
        )
        planner = SearchPlanner(searcher, able, settings, {check.id: 1.0 for check in matches})
        self.bot.take_record()
        try:
            planner.run(deadline, MOST_SILENCES - self.silences)
        except UnusableBotError as why:
            self.cannot_start = why.reason
        finally:  # after an interrupt too: what was searched is judged
            self.budget, self.series = planner.budget(), planner.series()
            for check in able:
                self._note_searches(check, planner)

    def _note_searches(self, check: Check, planner: SearchPlanner) -> None:
        probe = plan_of(check).probe
        judgement = planner.final(check, self.budget)
        if self.cannot_start and judgement.outcome is Outcome.INCONCLUSIVE:
            judgement = Judgement(Outcome.ERROR, judgement.expected, self.given_up)
        lines = [*probe.setup(), probe.question(), b"ref-nodes\n", b"ref-score\n"]
        self._note(
            check,
            judgement,
            reproduce=by_hand(lines, self.assignment.launch.command),
            transcript=dialogue_text(planner.places[probe.id].last_record),
        )

    # --- matches -------------------------------------------------------------------------------------------

    def _may_play(self, check: Check) -> bool:
        return eligibility(check, self._state()).decision is Decision.RUN

    def _play(self, check: Check) -> None:
        if not self._eligible(check):
            return
        p_values = {share.name: share.p_value for share in self.budget.shares} | {check.id: 1.0}
        alpha = ALPHA / len(p_values)  # Holm refuses at this level in any case
        try:
            judgement = check.procedure.judge(check.procedure.observe(replace(self._session(), alpha=alpha)))
        except BotError as error:
            judgement = Judgement(Outcome.ERROR, "a match against the reference bot", str(error))
        self.budget = holm(p_values | {check.id: judgement.p_value or 1.0}, ALPHA)
        self._note(check, judgement)

    def _by_hand(self, record: Sequence[Exchange]) -> str:
        lines = [exchange.sent for exchange in record if exchange.sent]
        return by_hand(lines, self.assignment.launch.command) if lines else ""
