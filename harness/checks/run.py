"""All the checks on one bot: what is observed when, and what is made of it in the end.

First the dialogues, in their order; then the number of playouts; then the probes, where a search is given
to whatever check is still undecided and cheapest to decide, until all are decided or the time is up; and,
where the budget has room for it, a match.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from harness.checks import figures
from harness.checks.bot import Bot, Facts, Interrupted, Refused, Unusable, meet
from harness.checks.converse import by_hand, dialogue_text, hold, interrupted, judge_dialogue, said, seen
from harness.checks.dialogue import Dialogue
from harness.checks.model import REFUSING, Check, Judgement, Level, Outcome, Result
from harness.checks.parity import LEAST_SECONDS, SHARE, Contest, Match
from harness.checks.playouts import PlayoutCount, find_playouts
from harness.checks.probe import Probing, Series
from harness.checks.searching import SYMMETRIES, Searching
from harness.checks.special import Special
from harness.gtp import Exchange, Launch, Limits
from harness.stats import Budget, holm

ALPHA = 0.001
"""Chance of refusing a bot that conforms, over a whole check."""

READABLE = ("gtp.frame.two-newlines", "gtp.frame.flush")
"""The checks that say why answers cannot be read; without them a bot would conform by saying nothing."""

MOST_SILENCES = 3
"""After so many checks in which the bot was silent, no more are tried: each costs a time limit."""

MOST_DEATHS = 12
"""The same for checks in which it died, which cost a start."""

OnResult = Callable[[Result], None]


@dataclass(frozen=True)
class Assignment:
    """What to do with one bot."""

    launch: Launch
    checks: Sequence[Check]
    playouts: int | None = None  # a search, as the user says
    seconds: float = 45.0  # after which no further search is begun
    precision: float = 1.0  # factor on the margins of equivalence
    limits: Limits = field(default_factory=Limits)
    seed: int = 1


@dataclass(frozen=True)
class Findings:
    """What came out for one bot."""

    command: str
    name: str = ""
    version: str = ""
    count: PlayoutCount = field(default_factory=lambda: PlayoutCount(None, "unknown"))
    results: tuple[Result, ...] = ()
    series: tuple[Series, ...] = ()  # the searches of every probe, as they were observed
    budget: Budget = field(default_factory=lambda: holm({}, ALPHA))
    unusable: str = ""  # why the bot could not be checked at all
    hint: str = ""
    seconds: float = 0.0
    searches: int = 0
    interrupted: bool = False  # by the user, before all was done


def run_checks(assignment: Assignment, on_result: OnResult = lambda _: None) -> Findings:
    """Check one bot. Whatever the bot does becomes a result; `on_result` sees each as it stands."""
    with Bot(assignment.launch, assignment.limits) as bot:
        return check_bot(bot, assignment, on_result)


def check_bot(bot: Bot, assignment: Assignment, on_result: OnResult = lambda _: None) -> Findings:
    """Check a bot that somebody else starts and ends."""
    began = time.monotonic()
    try:
        facts = meet(bot)
    except Unusable as why:
        seconds = time.monotonic() - began
        return Findings(assignment.launch.command, unusable=why.reason, hint=why.hint, seconds=seconds)
    if not facts.wire_works and not any(check.id in READABLE for check in assignment.checks):
        reason = "its answers cannot be read, and no check that could say why was asked for"
        hint = f"run {' and '.join(READABLE)} too"
        seconds = time.monotonic() - began
        return Findings(assignment.launch.command, unusable=reason, hint=hint, seconds=seconds)
    return _Run(assignment, bot, facts, on_result, began).findings()


class _Run:
    """One run over one bot: the results so far, in the order of the checks."""

    def __init__(
        self, assignment: Assignment, bot: Bot, facts: Facts, on_result: OnResult, began: float
    ) -> None:
        self.assignment = assignment
        self.bot = bot
        self.facts = facts
        self.on_result = on_result
        self.began = began
        self.results: dict[str, Result] = {}
        self.silences = self.deaths = 0
        self.count = PlayoutCount(None, "unknown")
        self.budget = holm({}, ALPHA)
        self.series: tuple[Series, ...] = ()

    def findings(self) -> Findings:
        """Everything that was found out; after an interrupt, what was found out until then."""
        interrupted = False
        try:
            self._observe()
        except KeyboardInterrupt:
            interrupted = True
            for check in self.assignment.checks:
                if check.id not in self.results:
                    self._note(check, Judgement(Outcome.SKIP, observed="interrupted before it was done"))
        return Findings(
            self.assignment.launch.command,
            self.facts.name,
            self.facts.version,
            self.count,
            tuple(self.results[check.id] for check in self.assignment.checks),
            self.series,
            self.budget,
            seconds=time.monotonic() - self.began,
            searches=sum(len(one.searches) for one in self.series),
            interrupted=interrupted,
        )

    def _observe(self) -> None:
        checks = self.assignment.checks
        searching = [check for check in checks if isinstance(check.procedure, Probing)]
        contests = [check for check in checks if isinstance(check.procedure, Contest)]
        talking = [check for check in checks if not isinstance(check.procedure, Probing | Contest)]
        last = [check for check in talking if getattr(check.procedure, "last", False)]
        for check in talking:
            if check not in last:
                self._talk(check)
        self.count = self._count()
        playing = [check for check in contests if not self._why_no_match(check)]
        self._search(searching, playing)
        for check in last:
            self._talk(check)
        for check in contests:
            self._play(check)

    def _note(self, check: Check, judgement: Judgement, reproduce: str = "", transcript: str = "") -> None:
        if not judgement.hint and judgement.outcome in REFUSING:
            judgement = replace(judgement, hint=check.hint)
        result = Result(check, judgement, reproduce, transcript)
        self.results[check.id] = result
        self.on_result(result)

    @property
    def given_up(self) -> bool:
        """Whether the bot died or was silent so often that nothing more is tried."""
        return self.silences >= MOST_SILENCES or self.deaths >= MOST_DEATHS

    # Dialogues

    def _talk(self, check: Check) -> None:
        reason = self._why_not(check)
        lacking = self._lacking(getattr(check.procedure, "must_have", ()))
        left_out = Judgement(Outcome.SKIP, observed=reason) if reason else lacking
        if left_out is not None:
            self._note(check, left_out)
            return
        self.bot.recorded()
        procedure = check.procedure
        assert not isinstance(procedure, Probing | Contest)
        if isinstance(procedure, Dialogue):
            sizes = self.facts.sizes if procedure.sizes else (self.facts.size,)
            turn = self.assignment.seed  # and one further on each board
            steps = [
                s for n, size in enumerate(sizes) for s in procedure.write(size, (turn + n) % SYMMETRIES)
            ]
            if procedure.last:
                self.bot.fresh()
            judgement = judge_dialogue(hold(self.bot, steps))
        else:
            judgement = self._special(procedure)
        record = self.bot.recorded()
        if judgement.outcome in REFUSING:
            self.silences += judgement.outcome is Outcome.TIMEOUT
            self.deaths += judgement.outcome is Outcome.CRASH
            self.bot.fresh()  # what is left of the answers must not fall on the next check
        self._note(check, judgement, self._reproduce(record), dialogue_text(record))

    def _special(self, procedure: Special) -> Judgement:
        try:
            return procedure.judge(procedure.observe(self.bot, self.facts))
        except Interrupted as interruption:
            return interrupted(interruption.exchange)
        except Refused as refusal:
            return Judgement(
                Outcome.FAIL, "= to each command of the set-up", _exchange_text(refusal.exchange)
            )

    def _why_not(self, check: Check) -> str:
        if not self.facts.wire_works and check.id not in READABLE:
            return "the answers cannot be read: repair gtp.frame first"
        if self.given_up:
            return f"the bot died in {self.deaths} checks before this one and was silent in {self.silences}"
        size = getattr(check.procedure, "needs_size", self.facts.size)
        if size != self.facts.size:
            return f"the bot does not play on {size}x{size}"
        needs = getattr(check.procedure, "needs", ())
        missing = [name for name in needs if not self.facts.has(name)]
        if missing:
            return f"the bot has no {missing[0]}, and need not have it"
        return self._why_unreadable(needs)

    # Searches

    def _count(self) -> PlayoutCount:
        if not self.facts.wire_works or self.given_up:
            return PlayoutCount(self.assignment.playouts, "given" if self.assignment.playouts else "unknown")
        try:
            return find_playouts(self.bot, self.facts, self.assignment.playouts)
        except Interrupted as interruption:
            return PlayoutCount(None, "unknown", seen(interruption.exchange))
        except Refused as refusal:
            return PlayoutCount(None, "unknown", _exchange_text(refusal.exchange))

    def _search(self, checks: Sequence[Check], later: Sequence[Check]) -> None:
        """Make and judge the searches; `later` are the matches for which time and error budget are kept."""
        able = []
        for check in checks:
            judgement = self._unable(check)
            if judgement is None:
                able.append(check)
            else:
                self._note(check, judgement)
        if not able:
            return
        deadline = self.began + self.assignment.seconds * (1.0 - SHARE if later else 1.0)
        waiting = {check.id: 1.0 for check in later}
        facts = replace(self.facts, commands=self.facts.commands - self._unreadable())
        searching = Searching(self.bot, facts, able, self.count.playouts or 0, self.assignment, waiting)
        try:
            searching.run(deadline, 0 if self.given_up else MOST_SILENCES - self.silences)
        finally:  # after an interrupt too: what was searched is judged
            self.budget = searching.budget()
            for check in able:
                judgement, lines, transcript = searching.final(check, self.budget)
                self._note(check, judgement, self._reproduce_lines(lines), transcript)
            series = (
                Series(place.probe, searching.playouts, tuple(place.searches))
                for place in searching.places.values()
            )
            self.series = tuple(one for one in series if one.searches)

    # Matches

    def _play(self, check: Check) -> None:
        reason = self._why_no_match(check) or self._why_not(check)
        if not reason and any(result.outcome in REFUSING for result in self._weighty_results()):
            reason = "the bot deviates already: a match would say nothing more"
        if reason:
            self._note(check, Judgement(Outcome.SKIP, observed=reason))
            return
        contest, count = check.procedure, self.count.playouts
        assert isinstance(contest, Contest)
        assert count is not None
        p_values = {share.name: share.p_value for share in self.budget.shares} | {check.id: 1.0}
        alpha = ALPHA / len(p_values)  # what Holm refuses in any case
        deadline = self.began + self.assignment.seconds
        launch, limits, seed = self.assignment.launch, self.assignment.limits, self.assignment.seed
        contested = contest.observe(Match(launch, limits, count, deadline, alpha, seed))
        judgement = contest.judge(contested, alpha)
        self.budget = holm(p_values | {check.id: judgement.p_value or 1.0}, ALPHA)
        self._note(check, judgement)

    def _why_no_match(self, check: Check) -> str:
        if self.assignment.seconds < LEAST_SECONDS:
            return (
                f"a match takes longer than this budget: --budget thorough, or {LEAST_SECONDS:.0f} and more"
            )
        if self.count.playouts is None:
            return f"the number of playouts is not known: {self.count.reason}"
        return ""

    def _weighty_results(self) -> list[Result]:
        return [result for result in self.results.values() if result.check.level is Level.MUST]

    def _unable(self, check: Check) -> Judgement | None:
        """Why the searches of a check cannot be made or judged; None if they can."""
        assert isinstance(check.procedure, Probing)
        if not self.facts.wire_works:
            return Judgement(Outcome.SKIP, observed="the answers cannot be read: repair gtp.frame first")
        unreadable = self._why_unreadable(check.procedure.needs)
        if unreadable:
            return Judgement(Outcome.SKIP, observed=unreadable)
        optional = [name for name in check.procedure.only_with if not self.facts.has(name)]
        if optional:
            return Judgement(Outcome.SKIP, observed=f"the bot has no {optional[0]}, and need not have it")
        lacking = self._lacking(check.procedure.needs)
        if lacking is not None:
            return lacking
        if self.count.playouts is None and check.procedure.needs_count:
            # A bot without ref-nodes has failed for that already; otherwise too much would be left open.
            outcome = Outcome.INCONCLUSIVE if self.facts.has("ref-nodes") else Outcome.SKIP
            return Judgement(
                outcome,
                observed=f"the number of playouts is not known: {self.count.reason}",
                hint="say it with --playouts N",
            )
        return None

    def _lacking(self, needs: Sequence[str]) -> Judgement | None:
        """The failure of a bot without commands that the specification asks for; None if it has them."""
        missing = [name for name in needs if not self.facts.has(name)]
        if not missing:
            return None
        return Judgement(
            Outcome.FAIL,
            f"an answer to {' and '.join(needs)}",
            f"the bot has no {' and no '.join(missing)}",
            "add the private commands of the specification, docs/spec.md#ref-nodes",
        )

    def _unreadable(self) -> set[str]:
        """The private commands whose answers were found to be no numbers."""
        failed = {name for name, result in self.results.items() if result.outcome is Outcome.FAIL}
        answered = {name: check for name, check in figures.READABLE.items() if self.facts.has(name)}
        return {command for command, check in answered.items() if check.id in failed}

    def _why_unreadable(self, needs: Sequence[str]) -> str:
        for command in sorted(self._unreadable().intersection(needs)):
            return f"{command} cannot be read: see {figures.READABLE[command].id}"
        return ""

    def _reproduce(self, record: Sequence[Exchange]) -> str:
        return self._reproduce_lines([exchange.sent for exchange in record if exchange.sent])

    def _reproduce_lines(self, lines: Sequence[bytes]) -> str:
        return by_hand(lines, self.assignment.launch.command) if lines else ""


def _exchange_text(exchange: Exchange) -> str:
    return f"{said(exchange.sent)} → {seen(exchange)}"


def verdict(findings: Findings, *, strict: bool = False) -> str:
    """conforms, deviates, inconclusive or unusable."""
    if findings.unusable:
        return "unusable"
    weighty = [
        result
        for result in findings.results
        if result.check.level is Level.MUST or (strict and result.check.level is Level.SHOULD)
    ]
    closed = [result for result in weighty if not (_stays_open(result) and not strict)]
    if any(result.outcome is not Outcome.SKIP for result in closed):
        weighty = closed  # what is left open says nothing beside what is decided
    outcomes = {result.outcome for result in weighty}
    if outcomes & REFUSING:
        return "deviates"
    if outcomes and outcomes <= {Outcome.ERROR}:
        return "unusable"
    if findings.interrupted or outcomes == {Outcome.SKIP}:
        return "inconclusive"  # nothing was found out
    return "inconclusive" if outcomes & {Outcome.INCONCLUSIVE, Outcome.ERROR} else "conforms"


def _stays_open(result: Result) -> bool:
    return result.check.may_stay_open and result.outcome is Outcome.INCONCLUSIVE
