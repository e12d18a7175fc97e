"""All checks on one bot: what is observed when, and what results.

First the dialogues, in their order; then the number of playouts; then the searches, where each goes to the
undecided check that is cheapest to decide; then what may leave the bot in an unknown state; then the
explorations, which take what time is left; last, if the time allows it, a match.
"""

from __future__ import annotations

import math
import shlex
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack, nullcontext
from dataclasses import replace
from threading import Thread
from typing import Any

from harness.check.bot.bot import Bot
from harness.check.bot.errors import (
    BotError,
    BotInterruptedError,
    CommandRefusedError,
    TimeUpError,
    UnreadableAnswerError,
    UnusableBotError,
)
from harness.check.bot.load import LoadMeter, usable_cores
from harness.check.bot.profile import SIZES, Profile, in_step, profile_of
from harness.check.bot.session import Session
from harness.check.bot.wording import by_hand, dialogue_text, exchange_text
from harness.check.model import (
    OUT_OF_TIME,
    REFUSING,
    Check,
    Confirmation,
    Judgement,
    Level,
    Outcome,
    Phase,
    Procedure,
    Result,
)
from harness.check.phases.ahead import Ahead, Errand
from harness.check.phases.attribution import Attribution
from harness.check.phases.confirmation import Confirmed, confirm, lines_of
from harness.check.phases.durations import Durations
from harness.check.phases.eligibility import READABILITY, Decision, RunState, eligibility
from harness.check.phases.findings import ALPHA, Assignment, Findings
from harness.check.phases.instance_count import default_instances
from harness.check.phases.playout_count import PlayoutCount, doubted, find_playouts
from harness.check.phases.progress import Progress
from harness.check.phases.search_planner import PlanSettings, SearchPlanner, plan_of
from harness.check.procedures.dialogue import (
    NAMELESS,
    judge_interruption,
    judge_refusal,
    judge_unreadable,
)
from harness.check.procedures.reliance import reporter
from harness.check.procedures.search import SYMMETRIES, BotSearcher, Series
from harness.gtp import REQUIRED_COMMANDS, Exchange, command_name, printable
from harness.stats import holm

MOST_SILENCES = 3
"""Number of checks in which the bot may be silent before the run gives up: each costs a time limit."""

MOST_DEATHS = 12
"""Number of checks in which the bot may die before the run gives up: each costs a start."""

MATCH_SHARE = 0.4
"""Fraction of the time that is kept for a match when there is one to play."""

MOST_CONFIRMING_SECONDS = 5.0
"""Time after which failures of searches are no longer repeated: by then the cause is confirmed."""

FAST = 0.05
"""Seconds of a search up to which the explorations are held beside the rest of the run."""

RESERVED_SECONDS, RESERVED_SHARE = 5.0, 0.1
"""Seconds, and share of the time of a run, at its end: for the second look at what failed just before."""

LEAST_EXPLORING, EXPLORING_SHARE = 2.0, 0.1
"""Seconds, and share of the time so far, that an exploration may take where a check has failed already."""

BETWEEN_REPORTS = 1.0
"""Seconds between two looks at how far the searches are: each judges every check that has new searches."""

OnResult = Callable[[Result], None]
OnProgress = Callable[[Progress], None]


def _ignore(_: object) -> None:
    """Report nothing."""


INTERRUPTED = "interrupted before it was done"

MUTE = {
    b"protocol_version": NAMELESS,
    b"name": "gtp.admin.name",
    b"version": "gtp.admin.name",
    b"list_commands": "gtp.admin.list-words",
}
"""The checks that report a command which is never answered."""

ANSWER_ALL = "answer every command, with ? where it is not known: the command after it was answered"

_DECISIONS = {
    Decision.BLOCKED: Outcome.BLOCKED,
    Decision.SKIPPED: Outcome.SKIP,
    Decision.UNDECIDED: Outcome.INCONCLUSIVE,
}


def run_checks(
    assignment: Assignment, on_result: OnResult = _ignore, on_progress: OnProgress = _ignore
) -> Findings:
    """Check one bot. Whatever the bot does becomes a result; `on_result` gets each as soon as it stands.

    A check that fails beyond doubt is passed to `on_result` when that is first seen, be it by another check,
    and again when it stands.
    """
    with Bot(assignment.launch, assignment.limits) as bot:
        return check_bot(bot, assignment, on_result, on_progress)


def check_bot(
    bot: Bot, assignment: Assignment, on_result: OnResult = _ignore, on_progress: OnProgress = _ignore
) -> Findings:
    """Check a bot whose process somebody else ends."""
    began = time.monotonic()
    command = assignment.launch.command
    explorations = [check for check in assignment.checks if check.procedure.phase is Phase.EXPLORATION]
    beside = explorations and assignment.instances is None and usable_cores() > 1
    ahead_of_run = Ahead(explorations) if beside else nullcontext()
    with bot.until(began + assignment.effort.seconds), ahead_of_run as ahead:
        try:
            profile = profile_of(bot)
            _require_checkable(profile, assignment)
        except UnusableBotError as why:
            return Findings(command, unusable=why.reason, hint=why.hint, seconds=time.monotonic() - began)
        except TimeUpError:
            results = tuple(Result(check, OUT_OF_TIME) for check in assignment.checks)
            return Findings(command, results=results, seconds=time.monotonic() - began)
        renews = any(_takes_new_processes(check) for check in assignment.checks)
        bot.prepares = renews and assignment.instances != 1 and usable_cores() > 1
        bot.prepare()
        return _Run(assignment, bot, profile, on_result, on_progress, began, ahead).findings()


def _require_checkable(profile: Profile, assignment: Assignment) -> None:
    """Raise UnusableBotError if the checks can say nothing about the bot.

    That is so if no answer can be read, or if it refuses the larger board of their playouts, as it may.
    """
    checks = assignment.checks
    if not profile.answers_readable and not any(check.id in READABILITY for check in checks):
        reason = "its answers cannot be read, and the checks that could say why are not selected"
        words = ["conform", "check", assignment.launch.command]
        words += [word for item in assignment.launch.env.items() for word in ("--env", "=".join(item))]
        words += [word for check in sorted(READABILITY) for word in ("--only", check)]
        raise UnusableBotError(reason, f"they say why: {shlex.join(words)}")
    searches = (check for check in checks if check.procedure.phase is Phase.SEARCH)
    wanted = {plan_of(check).probe.size for check in searches if not check.needs.optional_size}
    for size in wanted.intersection(SIZES[1:]).difference(profile.sizes):
        hint = "leave --size out to check its playouts on 9x9"
        raise UnusableBotError(f"it does not play on {size}x{size}", hint)


def _judged_alone(check: Check) -> bool:
    """Whether a check is judged in a process of its own.

    It is tried in the process that is there, since a start may cost seconds: a pass stands.
    """
    return check.needs.isolated or check.procedure.phase is Phase.FINAL


def _takes_new_processes(check: Check) -> bool:
    """Whether a check takes new processes of the bot, one after the other, though nothing fails."""
    return check.procedure.phase in (Phase.EXPLORATION, Phase.FINAL)


def _read_searches(checks: Sequence[Check]) -> None:
    """Read once what searches need, which is then remembered: dialogues leave this process time for that."""
    for check in checks:
        probe = plan_of(check).probe
        for turn in range(SYMMETRIES if probe.turns else 1):
            probe.turned(turn).setup()
        check.needs  # noqa: B018 (a cached property)


class _Run:
    """One run over one bot: the results so far."""

    def __init__(
        self,
        assignment: Assignment,
        bot: Bot,
        profile: Profile,
        on_result: OnResult,
        on_progress: OnProgress,
        began: float,
        ahead: Ahead | None,
    ) -> None:
        self.assignment = assignment
        self.bot = bot
        self.profile = profile
        self.on_result = on_result
        self.on_progress = on_progress
        self.began = began
        seconds = assignment.effort.seconds
        self.last_moment = began + seconds
        self.deadline = self.last_moment - min(RESERVED_SECONDS, RESERVED_SHARE * seconds)
        self.ahead = ahead
        self.results: dict[str, Result] = {}
        self.attribution = Attribution(assignment.checks)
        self.silences = self.deaths = 0
        self.cannot_start = ""
        self.count = PlayoutCount(None, "unknown")
        self.budget = holm({}, ALPHA)
        self.series: tuple[Series, ...] = ()
        self.instances = 1
        self.twins: tuple[Bot, ...] = ()  # while several instances are used
        self.busy = False
        self.load = LoadMeter()
        self.durations = Durations()
        self.shared: dict[str, Any] = {}  # observations that other checks judge too, by check

    def findings(self) -> Findings:
        """All results; after an interrupt, the results until then."""
        interrupted = False
        try:
            self._run_phases()
        except KeyboardInterrupt:
            interrupted = True
            for check in self.assignment.checks:
                if check.id not in self.results:
                    self._note(check, Judgement(Outcome.INCONCLUSIVE, observed=INTERRUPTED))
        return Findings(
            self.assignment.launch.command,
            self.profile.name,
            self.profile.version,
            doubted(self.count, self.series),
            tuple(
                replace(self.results[check.id], seconds=self.durations.of(check.id))
                for check in self.assignment.checks
            ),
            self.series,
            self.budget,
            seconds=time.monotonic() - self.began,
            searches=sum(len(one.searches) for one in self.series),
            long_search=self.bot.long_search,
            usual_search=self.bot.usual_search,
            instances=self.instances,
            busy=self.busy,
            interrupted=interrupted,
            commands=self.profile.commands,
            lacking=self._lacking(),
        )

    def _lacking(self) -> frozenset[str]:
        """The required commands that the bot does not have, by what it says and by what it does."""
        claimed = {*self.profile.commands, *self.bot.obeyed}
        lacking = self.bot.refused | set(map(printable, self.bot.mute))
        return frozenset(set(REQUIRED_COMMANDS) & lacking - claimed)

    def _run_phases(self) -> None:
        by_phase: dict[Phase, list[Check]] = {phase: [] for phase in Phase}
        for check in self.assignment.checks:
            by_phase[check.procedure.phase].append(check)
        if by_phase[Phase.DIALOGUE]:
            Thread(target=_read_searches, args=(by_phase[Phase.SEARCH],), daemon=True).start()
        for check in by_phase[Phase.DIALOGUE]:
            self._examine(check)
            if not self._state().missing:
                self._explore_ahead()
        self._find_count()
        matches = [check for check in by_phase[Phase.MATCH] if self._may_play(check)]
        explorations = [check for check in by_phase[Phase.EXPLORATION] if self._may_play(check)]
        if explorations:
            self._explore_ahead()
        if self.ahead is not None and not self.ahead.sent:
            self._explore_later()
        with ExitStack() as stack:
            self._search(by_phase[Phase.SEARCH], matches, explorations, stack)
            for check in by_phase[Phase.FINAL]:
                self._examine(check)
            for check in by_phase[Phase.EXPLORATION]:
                self._explore(check)
        self.twins = ()
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
        confirmation: Confirmation = Confirmation.NOT_NEEDED,
    ) -> None:
        result = Result(check, judgement, reproduce, transcript, blocked_by, confirmation)
        for one in self.attribution.settle(result):
            self.results[one.check.id] = one
            self.on_result(one)
        foreseen = self.attribution.foreseen(result)
        if foreseen is not None:
            self.on_result(foreseen)

    def _report_progress(
        self,
        doing: str,
        searches: int = 0,
        left: float | None = None,
        more: int = 0,
        *,
        suspicion: bool = False,
    ) -> None:
        """`more`: checks that the planner has decided and that have no result yet."""
        results = self.results.values()
        failures = sum(result.refuses and result.check.level is Level.MUST for result in results)
        total = len(self.assignment.checks)
        decided = min(total, len(self.results) + more)
        self.on_progress(Progress(doing, searches, decided, total, failures, left, suspicion))

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
        unknown = (Outcome.BLOCKED, Outcome.INCONCLUSIVE)
        # What went wrong once and not again does not say that the bot cannot do it.
        once = Confirmation.UNSTABLE
        missing = {
            r.check.id for r in results if r.outcome in unknown or (r.refuses and r.confirmation is not once)
        }
        deviates = any(r.refuses and r.check.level is Level.MUST for r in results)
        plays_match = self.assignment.effort.match
        return RunState(self.profile, self.count, plays_match, missing, self.given_up, deviates)

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
            assignment.effort.margin_factor,
            assignment.effort.quick,
            assignment.seed,
            self.deadline,
            failed=frozenset(self._state().missing),
            failed_clauses=frozenset(r.clause for r in self.results.values() if r.refuses),
            explored=assignment.effort.explored,
            twins=self.twins,
        )

    # --- dialogues -----------------------------------------------------------------------------------------

    def _examine(self, check: Check, alpha: float = ALPHA) -> None:
        """Observe, judge and confirm a check; `alpha` is what it may spend of the error budget."""
        if not self._eligible(check):
            return
        if time.monotonic() > self.deadline:
            self._note(check, OUT_OF_TIME)
            return
        self._report_progress(check.id)
        with self.durations.measured(check.id):
            history, judgement, record = self._seen(check, alpha)
            if judgement.outcome in REFUSING and check.level is Level.MUST:
                self._report_progress(f"{check.id} failed and is repeated in a new process", suspicion=True)
            if judgement.outcome in REFUSING and history and _judged_alone(check):
                self.bot.fresh()
                history, judgement, record = self._seen(check, alpha)
            elif check.procedure.phase is Phase.FINAL and not self._is_in_step():
                self.bot.fresh()
            if judgement.outcome not in REFUSING:
                lines = lines_of(record)
                self._note(check, judgement, reproduce=self._by_hand(lines), transcript=dialogue_text(record))
            elif judgement.reduced is not None:
                seen = self._try_again(check, judgement, record, (), judgement.reduced)
                self._note_second_try(check, judgement, seen)
            else:
                seen = self._try_again(check, judgement, record, history, check.procedure)
                self._note_second_try(check, judgement, seen)

    def _is_in_step(self) -> bool:
        """Whether the process, if there is one, can be used for another check."""
        return not self.bot.history or in_step(self.bot, self.profile)

    def _seen(self, check: Check, alpha: float) -> tuple[tuple[bytes, ...], Judgement, tuple[Exchange, ...]]:
        """What the process was sent before, the judgement of a check, and its exchanges.

        A dialogue ends with the time of the run; an exploration has a little more for what it found, and is
        short where a check has failed already.
        """
        history, session = self.bot.history, replace(self._session(), alpha=alpha)
        self.bot.take_record()
        explores = check.procedure.phase is Phase.EXPLORATION
        if explores and self._state().deviates:
            now = time.monotonic()
            spent = max(LEAST_EXPLORING, EXPLORING_SHARE * (now - self.began))
            session = replace(session, deadline=min(session.deadline, now + spent))
        with self.bot.until(self.last_moment if explores else session.deadline):
            judgement = self._observe_and_judge(check, session)
        return history, judgement, self.bot.take_record()

    def _try_again(
        self,
        check: Check,
        judgement: Judgement,
        record: Sequence[Exchange],
        history: Sequence[bytes],
        procedure: Procedure,
    ) -> Confirmed:
        """What a failure becomes when it is looked for in a new process."""
        return confirm(
            self.bot,
            judgement,
            record,
            history,
            lambda: self._observe_and_judge(replace(check, procedure=procedure), self._session()),
            self._is_busy,
        )

    def _note_second_try(self, check: Check, judgement: Judgement, seen: Confirmed) -> None:
        """Note a failure after the second try; leave a new process behind."""
        self.silences += seen.judgement.outcome is Outcome.TIMEOUT and not self._is_mute(seen.record)
        self.deaths += seen.judgement.outcome is Outcome.CRASH
        self.bot.fresh()  # later answers of this process must not fall on the next check
        self._note(
            check,
            replace(seen.judgement, coverage=judgement.coverage),
            reproduce=self._by_hand(seen.lines),
            transcript=dialogue_text(seen.record),
            confirmation=seen.confirmation,
        )

    def _is_mute(self, record: Sequence[Exchange]) -> bool:
        """Whether a record ends with a command that the bot is known to leave without an answer."""
        return bool(record) and command_name(record[-1].sent) in self.bot.mute

    def _is_busy(self) -> bool:
        """Whether other processes, which keep the machine busy, may be the reason of the last silence."""
        excused = self.bot.load_excuses_silence()
        self.busy = self.busy or excused
        return excused

    def _observe(self, check: Check, session: Session) -> Any:
        """Observe, or take what another check has observed: once, so that a failure is seen again."""
        if check.shares in self.shared:
            seen = self.shared.pop(check.shares)
        else:
            seen = check.procedure.observe(session)
        if any(other.shares == check.id for other in self.assignment.checks):
            self.shared[check.id] = seen
        return seen

    def _observe_and_judge(self, check: Check, session: Session) -> Judgement:
        """Observe and judge; whatever the bot does in between becomes a judgement."""
        try:
            return check.procedure.judge(self._observe(check, session))
        except BotInterruptedError as interruption:
            judgement = judge_interruption(interruption.exchange)
            if self._is_mute([interruption.exchange]):
                about = judgement.reported_by or MUTE.get(command_name(interruption.exchange.sent), "")
                judgement = replace(judgement, hint=ANSWER_ALL, reported_by=about)
            return judgement
        except CommandRefusedError as refusal:
            return judge_refusal(refusal.exchange, refusal.before)
        except UnreadableAnswerError as unreadable:
            return judge_unreadable(unreadable.exchange, unreadable.wanted)
        except TimeUpError:
            return OUT_OF_TIME
        except UnusableBotError as why:
            self.cannot_start = why.reason
            return Judgement(Outcome.ERROR, "a process that starts", why.reason, why.hint)

    # --- searches ------------------------------------------------------------------------------------------

    def _find_count(self) -> None:
        if self.count.playouts is None:
            self.count = self._asked_count()

    def _asked_count(self) -> PlayoutCount:
        given = self.assignment.playouts
        if given is None and (not self.profile.answers_readable or self.given_up):
            return PlayoutCount(None, "unknown", self.given_up)
        try:
            return find_playouts(self.bot, self.profile, given)
        except (BotInterruptedError, CommandRefusedError) as error:
            seen = error.exchange
            return PlayoutCount(None, "unknown", exchange_text(seen), reporter(seen.sent))
        except TimeUpError:
            return PlayoutCount(None, "unknown", OUT_OF_TIME.observed)
        except UnusableBotError as why:
            self.cannot_start = why.reason
            return PlayoutCount(None, "unknown", self.given_up)

    def _search(
        self,
        checks: Sequence[Check],
        matches: Sequence[Check],
        explorations: Sequence[Check],
        stack: ExitStack,
    ) -> None:
        """Make and judge the searches; error budget is kept for the rest, and time for the matches.

        `stack` ends the other instances, which the explorations use too.
        """
        able = [check for check in checks if self._eligible(check)]
        if not able:
            return
        assignment = self.assignment
        deadline = self.deadline
        if matches:
            deadline = self.began + assignment.effort.seconds * (1.0 - MATCH_SHARE)
        commands = self.profile.commands - self._state().unreadable_commands()
        settings = PlanSettings(
            self.count.playouts or 0,
            assignment.effort.margin_factor,
            assignment.effort.quick,
            assignment.seed,
        )
        self.instances = self._instance_count()
        numbers = range(1, self.instances)
        self.twins = tuple(stack.enter_context(self.bot.twin(number)) for number in numbers)
        self.bot.release()
        searchers = [BotSearcher(bot, commands) for bot in (self.bot, *self.twins)]
        reserved = {check.id: 1.0 for check in (*matches, *explorations)}
        planner = SearchPlanner(searchers, able, settings, reserved)
        try:
            self._run_planner(planner, deadline)
        except UnusableBotError as why:
            self.cannot_start = why.reason
        finally:  # after an interrupt too: what was searched is judged
            self.budget, self.series = planner.budget(), planner.series()
            self.durations.share_searches(able, self.series, self.instances)
            self._note_all_searches(able, planner)

    def _run_planner(self, planner: SearchPlanner, deadline: float) -> None:
        reported: set[str] = set()
        last = -math.inf

        def report() -> None:
            nonlocal last
            if time.monotonic() < last + BETWEEN_REPORTS:
                return
            last = time.monotonic()
            progress = planner.progress()
            self._report_progress("searching", progress.searches, progress.seconds_left, progress.decided)
            for check, judgement in planner.failing():
                if check.id not in reported:
                    reported.add(check.id)
                    self.on_result(Result(check, judgement))

        most_failures = MOST_SILENCES - self.silences
        planner.run(deadline, most_failures, report)
        if self.assignment.effort.refined_margin is not None and not planner.failing():
            planner.refine(self.assignment.effort.refined_margin)
            planner.run_on(deadline, most_failures, report)

    def _instance_count(self) -> int:
        """How many processes of the bot search.

        One where they repeat each other, since their searches would not count twice, and one where the bot
        allows one process at a time.
        """
        repeating = self.results.get("ref.fresh.processes")
        if repeating is not None and repeating.outcome is not Outcome.PASS:
            return 1
        instances = self.assignment.instances or default_instances(self.bot, self.load)
        return instances if instances == 1 or self.bot.runs_beside_itself() else 1

    def _note_all_searches(self, checks: Sequence[Check], planner: SearchPlanner) -> None:
        """Note the results of all searches.

        While time allows, a failure that needs no statistics is repeated, one of each clause and outcome: the
        others have the same cause.
        """
        until = min(time.monotonic() + MOST_CONFIRMING_SECONDS, self.last_moment)
        repeated: set[tuple[str, Outcome]] = set()
        for check in checks:
            judgement = planner.final(check, self.budget)
            exact = judgement.outcome in REFUSING and judgement.p_value is None
            new = (check.clause, judgement.outcome) not in repeated
            if exact and new and not self.cannot_start and time.monotonic() < until:
                with self.durations.measured(check.id):
                    self._confirm_search(check, judgement, planner)
                noted = self.results.get(check.id)
                if noted is not None and noted.confirmation is Confirmation.CONFIRMED:
                    repeated.add((check.clause, judgement.outcome))
            else:
                self._note_searches(check, judgement, planner, exact=exact)

    def _confirm_search(self, check: Check, judgement: Judgement, planner: SearchPlanner) -> None:
        """Repeat a search that failed: alone if that suffices, else as often as the check searches."""
        plan = plan_of(check)
        record = planner.places[plan.probe.id].last_record
        seen = self._try_again(check, judgement, record, (), plan.with_least(1))
        same = seen.judgement.outcome is judgement.outcome
        if plan.least > 1 and not (same and seen.confirmation is Confirmation.CONFIRMED):
            seen = self._try_again(check, judgement, record, (), check.procedure)
        self._note_second_try(check, judgement, seen)

    def _note_searches(
        self, check: Check, judgement: Judgement, planner: SearchPlanner, *, exact: bool
    ) -> None:
        probe = plan_of(check).probe
        if self.cannot_start and judgement.outcome is Outcome.INCONCLUSIVE:
            judgement = Judgement(Outcome.ERROR, judgement.expected, self.given_up)
        lines = [*probe.setup(), probe.question(), b"ref-nodes\n", b"ref-score\n"]
        self._note(
            check,
            judgement,
            reproduce=self._by_hand(lines),
            transcript=dialogue_text(planner.places[probe.id].last_record),
            confirmation=Confirmation.NOT_TRIED if exact else Confirmation.NOT_NEEDED,
        )

    # --- explorations --------------------------------------------------------------------------------------

    def _explore_ahead(self) -> None:
        """Explore beside the rest of the run, where the bot is so fast that the harness takes the time.

        Called until it does: from the first searches on, unless something is wrong by then.
        """
        if self.ahead is None or self.ahead.sent or not 0.0 < self.bot.usual_search <= FAST:
            return
        self._find_count()
        if self.count.playouts is None or not self.bot.runs_beside_itself():
            self._explore_later()
            return
        session = self._session()
        errand = Errand(
            self.bot.launch,
            self.bot.limits,
            self.bot.queues,
            self.profile,
            session.playouts,
            session.seed,
            session.deadline,
            session.explored,
            session.failed,
            session.failed_clauses,
        )
        self.ahead.send(errand)

    def _explore_later(self) -> None:
        """Explore nothing beside the rest of the run: the process for it is not needed."""
        if self.ahead is not None:
            self.ahead.end()
            self.ahead = None

    def _explore(self, check: Check) -> None:
        p_values, alpha = self._budget_with(check)
        passed = None
        if self.ahead is not None and self._may_play(check):
            with self.durations.measured(check.id):
                passed = self.ahead.passed(check.id)
        if passed is None:
            self._examine(check, alpha)
        else:
            self._note(check, passed)
        p_value = self.results[check.id].judgement.p_value
        if p_value is not None:
            self.budget = holm({**p_values, check.id: p_value}, ALPHA)

    def _budget_with(self, check: Check) -> tuple[dict[str, float], float]:
        """The p-values so far, 1 for this check, and the level at which Holm refuses it in any case."""
        p_values = {share.name: share.p_value for share in self.budget.shares} | {check.id: 1.0}
        return p_values, ALPHA / len(p_values)

    # --- matches -------------------------------------------------------------------------------------------

    def _may_play(self, check: Check) -> bool:
        return eligibility(check, self._state()).decision is Decision.RUN

    def _play(self, check: Check) -> None:
        if not self._eligible(check):
            return
        p_values, alpha = self._budget_with(check)
        try:
            with self.durations.measured(check.id):
                observation = check.procedure.observe(replace(self._session(), alpha=alpha))
            judgement = check.procedure.judge(observation)
        except TimeUpError:
            judgement = OUT_OF_TIME
        except BotError as error:
            judgement = Judgement(Outcome.ERROR, "a match against the reference bot", str(error))
        self.budget = holm(p_values | {check.id: judgement.p_value or 1.0}, ALPHA)
        self._note(check, judgement)

    def _by_hand(self, lines: Sequence[bytes]) -> str:
        return by_hand(lines, self.assignment.launch.shell_line) if lines else ""
