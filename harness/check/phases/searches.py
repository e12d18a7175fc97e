"""The phase of searches: the planner makes them, every check judges those at its probe (a position)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from harness.check.bot.errors import UnusableBotError
from harness.check.bot.transcript import dialogue_text
from harness.check.model import REFUSING, Check, Confirmation, Judgement, Outcome, Result
from harness.check.phases.confirmation import SIGHTINGS_WANTED, Attempt
from harness.check.phases.context import Context
from harness.check.phases.events import Event, FailureSeen, FindingsSoFar
from harness.check.phases.examination import note_second_try, try_again
from harness.check.phases.explorations import explore_beside, explore_later
from harness.check.phases.judged_searches import plan_of
from harness.check.phases.search_planner import SearchPlanner
from harness.check.procedures.search import BotSearcher

MATCH_SHARE = 0.4
"""Fraction of the time of a run that is kept for a match; chosen: searches find most faults, and get more."""

MOST_CONFIRMING_SECONDS = 5.0
"""Seconds for repeating failed searches; chosen: by then one failure of each cause is usually confirmed."""

SINGLE_TRIES = 3
"""The `tries` of `confirm` for one failed search alone: up to five new processes beside that of the run.
Chosen: a search that fails half of the times fails in one of five 31 times in 32."""

BETWEEN_REPORTS = 1.0
"""Least seconds between two reports of progress; chosen: each judges all checks with new searches."""

BETWEEN_FINDINGS = 10.0
"""Least seconds between two lists of findings; chosen: the diagnosis of a list takes up to a second."""

FINAL_SHARE = 0.2
"""Largest fraction of the time of a run that is kept for the final checks; chosen: a bot that starts slowly
still has most of the time for searches."""

INSTANCES_DIFFER = "ref.fresh.processes"
"""The check that shows whether two processes of the bot repeat each other."""


@dataclass(frozen=True)
class Searches:
    """The phase of searches.

    explorations   checks of a later phase; error budget is kept for them
    matches        checks of a later phase; error budget and time are kept for them
    finals         checks of a later phase; time is kept for them
    """

    checks: Sequence[Check]
    explorations: Sequence[Check]
    matches: Sequence[Check]
    finals: Sequence[Check] = ()

    name = "searches"

    def run(self, context: Context) -> Iterator[Event]:
        """Search until every check is decided or the time is up; then note all results."""
        matches = [check for check in self.matches if context.may_run(check)]
        explorations = [check for check in self.explorations if context.may_run(check)]
        if explorations:
            yield from explore_beside(context)
        if context.background is not None and not context.background.sent:  # it is of no use any more
            explore_later(context)
        able = []
        for check in self.checks:
            if context.may_run(check):
                able.append(check)
            else:
                yield from context.note_obstacle(check)
        if able:
            yield from self._search(context, able, [*matches, *explorations], match=bool(matches))

    def _search(
        self, context: Context, able: Sequence[Check], later: Sequence[Check], *, match: bool
    ) -> Iterator[Event]:
        """Search for the checks that are `able` to run; keep error budget for those of `later` phases.

        match   a match is among the later checks: keep time for it
        """
        effort, deadline = context.settings.effort, context.deadline
        if match:
            deadline = context.began + effort.seconds * (1.0 - MATCH_SHARE)
        deadline -= _seconds_of_finals(context, self.finals)
        commands = context.introduction.commands - context.state().unreadable_commands()
        _start_instances(context)
        planner = SearchPlanner(
            [BotSearcher(bot, commands) for bot in (context.bot, *context.other_instances)],
            able,
            context.count.playouts or 0,
            effort,
            context.settings.seed,
            {check.id: 1.0 for check in later},
        )
        interrupted: BaseException | None = None
        try:
            yield from _follow_planner(context, planner, deadline)
        except UnusableBotError as why:
            context.trouble.cannot_start = why.reason
        except KeyboardInterrupt as interrupt:  # first judge the searches made so far
            interrupted = interrupt
        _share_searches(context, planner)
        _share_seconds(context, able)
        yield from _note_all(context, able, planner)
        if interrupted is not None:
            raise interrupted


def _seconds_of_finals(context: Context, finals: Sequence[Check]) -> float:
    """Return the seconds to keep for the final checks, at most FINAL_SHARE of the time of the run.

    Each is expected to take as long as the checks so far did on average.
    """
    so_far = context.seconds.values()
    wanted = sum(so_far) / max(1, len(so_far)) * sum(map(context.may_run, finals))
    return min(wanted, FINAL_SHARE * context.settings.effort.seconds)


def _share_searches(context: Context, planner: SearchPlanner) -> None:
    """Store in the context the searches so far, and the error budget as they split it."""
    context.budget, context.series = planner.budget(), planner.series()


def _share_seconds(context: Context, checks: Sequence[Check]) -> None:
    """Split the time of the searches at each probe evenly between its checks.

    The times are divided by the number of instances, which search side by side.
    """
    spent = {one.probe.id: sum(search.seconds for search in one.searches) for one in context.series}
    sharing = Counter(plan_of(check).probe.id for check in checks)
    for check in checks:
        probe = plan_of(check).probe.id
        context.seconds[check.id] += spent.get(probe, 0.0) / sharing[probe] / context.instances


def _start_instances(context: Context) -> None:
    """Start the other instances of the bot, which the explorations use too."""
    context.instances = _instance_count(context)
    others = map(context.bot.another_instance, range(1, context.instances))
    context.other_instances = tuple(map(context.stack.enter_context, others))
    context.bot.end_kept_instance()


def _instance_count(context: Context) -> int:
    """Return the number of processes of the bot that search.

    It is 1 if the bot allows one process at a time, or if its processes may repeat each other: the check of
    that has a result other than a pass.
    """
    repeating = context.results.by_check.get(INSTANCES_DIFFER)
    if repeating is not None and repeating.outcome is not Outcome.PASS:
        return 1
    instances = context.settings.instances or context.machine.instances(context.bot, context.load)
    return instances if instances == 1 or context.bot.allows_two_instances() else 1


def _follow_planner(context: Context, planner: SearchPlanner, deadline: float) -> Iterator[Event]:
    """Make the searches; yield the events of `_Reporter` after each round."""
    refined, most_failures = context.settings.effort.refined_margin, context.trouble.silences_left
    reporter = _Reporter(context, planner, deadline)
    for _ in planner.rounds(deadline, most_failures):
        yield from reporter.report()
    if refined is not None and not planner.failing():
        planner.refine(refined)
        for _ in planner.more_rounds(deadline, most_failures):
            yield from reporter.report()


class _Reporter:
    """Reports on searches while they are made: progress, each failure once, findings with new failures."""

    def __init__(self, context: Context, planner: SearchPlanner, deadline: float) -> None:
        self._context = context
        self._planner = planner
        self._deadline = deadline
        self._seen: dict[str, Result] = {}  # the failures so far, by the id of the check
        self._diagnosed = 0  # number of failures in the last findings
        self._next_report = self._next_findings = -math.inf

    def report(self) -> Iterator[Event]:
        """Yield the events since the last call; none until the time for the next report has come."""
        now = self._context.machine.now()
        if now < self._next_report:
            return
        self._next_report = now + BETWEEN_REPORTS
        yield replace(self._planner.progress(), seconds_allowed=max(0.0, self._deadline - now))
        for check, judgement in (*self._planner.failing(), *self._planner.refused()):
            if check.id not in self._seen:
                self._seen[check.id] = Result(check, judgement)
                yield FailureSeen(self._seen[check.id])
        if len(self._seen) > self._diagnosed and now >= self._next_findings:
            self._diagnosed, self._next_findings = len(self._seen), now + BETWEEN_FINDINGS
            _share_searches(self._context, self._planner)
            yield FindingsSoFar(self._context.findings(seen=self._seen))


def _note_all(context: Context, checks: Sequence[Check], planner: SearchPlanner) -> Iterator[Event]:
    """Note the results of all checks.

    While time allows, repeat failures that need no statistics until one of each clause and outcome is
    confirmed: the others probably have the same cause.
    """
    until = min(context.machine.now() + MOST_CONFIRMING_SECONDS, context.last_moment)
    repeated: set[tuple[str, Outcome]] = set()
    for check in checks:
        judgement = planner.final_judgement(check, context.budget)
        exact = judgement.outcome in REFUSING and judgement.p_value is None
        new = (check.clause, judgement.outcome) not in repeated
        if exact and new and not context.trouble.cannot_start and context.machine.now() < until:
            with context.measure(check.id):
                yield from _confirm(context, check, judgement, planner)
            noted = context.results.by_check.get(check.id)
            if noted is not None and noted.confirmation is Confirmation.CONFIRMED:
                repeated.add((check.clause, judgement.outcome))
        else:
            yield from _note(context, check, judgement, planner, exact=exact)


def _confirm(context: Context, check: Check, judgement: Judgement, planner: SearchPlanner) -> Iterator[Event]:
    """Repeat a failed search alone; if that does not confirm it, repeat all `least` searches of the check."""
    check = _with_failing_turn(check, planner)  # both repetitions begin with the search that failed
    plan = plan_of(check)
    first = Attempt(judgement, planner.states[plan.probe.id].last_record)
    one_search = replace(plan, least=1, least_quick=None, needed=None)
    seen = try_again(context, check, first, one_search, tries=SINGLE_TRIES)
    same = seen.judgement.outcome is judgement.outcome
    if not (same and seen.confirmation is Confirmation.CONFIRMED):
        seen = _repeat_all_searches(context, check, planner, first, alone=seen)
    yield from note_second_try(context, check, judgement, seen)


def _with_failing_turn(check: Check, planner: SearchPlanner) -> Check:
    """Return a failed check whose lines and board are those of its first search that failed."""
    return replace(check, procedure=replace(plan_of(check), first_turn=planner.failing_turn(check)))


def _repeat_all_searches(
    context: Context, check: Check, planner: SearchPlanner, first: Attempt, *, alone: Attempt
) -> Attempt:
    """Repeat all `least` searches of a check, first in a new process, then after the lines of the run.

    first   the attempt in the run
    alone   the attempt to see the failure by a single search, which did not confirm it
    """
    seen = try_again(context, check, replace(first, history=planner.lines_before(check)), plan_of(check))
    sightings = planner.sightings(check)
    if seen.confirmation is Confirmation.UNSTABLE and sightings.seen >= SIGHTINGS_WANTED:
        # Each search in the run sent all lines of its position: two failures are two sightings of them.
        return replace(first, confirmation=Confirmation.CONFIRMED, sightings=sightings)
    if alone.confirmation is Confirmation.UNSTABLE and seen.confirmation is Confirmation.CONFIRMED:
        # A later search of the check fails, and not a single one: the lines of the earlier ones are needed.
        return replace(seen, confirmation=Confirmation.WITH_HISTORY)
    return seen


def _note(
    context: Context, check: Check, judgement: Judgement, planner: SearchPlanner, *, exact: bool
) -> Iterator[Event]:
    """Note a result without repeating it; `exact`: it is a failure that needs no statistics."""
    check = _with_failing_turn(check, planner) if exact else check
    plan = plan_of(check)
    if context.trouble.cannot_start and judgement.outcome is Outcome.INCONCLUSIVE:
        judgement = Judgement(Outcome.ERROR, judgement.expected, context.trouble.given_up)
    yield from context.note(
        check,
        judgement,
        [*plan.shown.setup(), plan.shown.question(), b"ref-nodes\n", b"ref-score\n"],
        dialogue_text(planner.states[plan.probe.id].last_record),
        Confirmation.NOT_TRIED if exact else Confirmation.NOT_NEEDED,
    )
