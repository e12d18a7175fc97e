"""The context that the phases of one run share: bot, introduction, results, error budget, clock."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from typing import Any

from harness.check.bot.bot import Bot
from harness.check.bot.errors import ExchangeError, TimeUpError, UnusableBotError
from harness.check.bot.introduction import Introduction
from harness.check.bot.load import LoadMeter
from harness.check.bot.session import Known, Session
from harness.check.bot.wording import exchange_text
from harness.check.model import (
    NO_SIGHTINGS,
    OUT_OF_TIME,
    Check,
    Confirmation,
    Judgement,
    Outcome,
    Phase,
    Result,
    Sightings,
)
from harness.check.phases.background_explorer import BackgroundExplorer
from harness.check.phases.eligibility import RunState, find_obstacle
from harness.check.phases.events import Event, PlayoutsFound
from harness.check.phases.findings import ALPHA, Findings
from harness.check.phases.machine import Machine
from harness.check.phases.playout_count import PlayoutCount, find_playouts, with_doubt
from harness.check.phases.results import Results
from harness.check.phases.settings import RunSettings
from harness.check.play_rules import REFERENCE_RULES, PlayRules
from harness.check.procedures.reliance import reporter
from harness.check.procedures.search import Series
from harness.check.profile import Profile
from harness.gtp import REQUIRED_COMMANDS, printable
from harness.stats import Budget, holm

MOST_SILENCES = 3
"""Number of checks with a silent bot after which the run gives up; chosen: each costs a time limit."""

MOST_DEATHS = 12
"""Number of checks with a death of the bot after which the run gives up; chosen: each costs a start."""


@dataclass
class Trouble:
    """Silences and deaths of the bot so far, a check counted once.

    cannot_start   why the bot could not be started again; empty while it can
    """

    silences: int = 0
    deaths: int = 0
    cannot_start: str = ""

    def count(self, outcome: Outcome) -> None:
        """Count the outcome of a check, if the bot died or was silent."""
        self.silences += outcome is Outcome.TIMEOUT
        self.deaths += outcome is Outcome.CRASH

    @property
    def silences_left(self) -> int:
        """Number of further silences after which the run gives up."""
        return MOST_SILENCES - self.silences

    @property
    def given_up(self) -> str:
        """The reason why the run gave up the bot, as a clause; empty while the run continues."""
        if self.cannot_start:
            return f"the bot could not be started again: {self.cannot_start}"
        if self.silences >= MOST_SILENCES or self.deaths >= MOST_DEATHS:
            return f"the bot died in {self.deaths} checks before this one and was silent in {self.silences}"
        return ""


class Context:
    """The data that the phases of one run share.

    began            start of the run, by the clock of the machine
    profile          what the bot is checked against
    rules            the rules that it plays by
    count            the number of playouts per search, as far as it is known
    budget           how the chance of refusing a right bot is split over the statistical checks
    series           the searches made, one series for each probe (a position to search)
    instances        number of processes of the bot that searched side by side
    other_instances  all of these processes but the first, while they run; `stack` ends them
    seconds          duration of each check by id; the time of a shared search is split evenly
    load             load of the machine since the start of the run
    background       the process that explores beside the rest of the run; None if there is none
    busy             during some silence of the bot, other processes kept the machine busy
    """

    def __init__(
        self,
        settings: RunSettings,
        bot: Bot,
        introduction: Introduction,
        machine: Machine,
        began: float,
        profile: Profile = Profile.REFERENCE,
        rules: PlayRules = REFERENCE_RULES,
    ) -> None:
        self.settings = settings
        self.bot = bot
        self.introduction = introduction
        self.machine = machine
        self.began = began
        self.profile = profile
        self.rules = rules
        self.background: BackgroundExplorer | None = None
        self.results = Results(settings.checks, rules)
        self.trouble = Trouble()
        self.count = PlayoutCount(None, "unknown")
        self.budget: Budget = holm({}, ALPHA)
        self.series: tuple[Series, ...] = ()
        self.instances = 1
        self.other_instances: tuple[Bot, ...] = ()
        self.stack = ExitStack()
        self.seconds: defaultdict[str, float] = defaultdict(float)
        self.load = LoadMeter()
        self.busy = False
        shared = {check.shares for check in settings.checks}
        # By check whose observations another check shares: its procedure, before any reduction.
        self._whole_procedures = {c.id: c.procedure for c in settings.checks if c.id in shared}
        self._observed: dict[str, Any] = {}  # by such a check: its last observation, until it is shared

    def start_explorer(self) -> None:
        """Start the process that explores beside the rest of the run, where it can help; `stack` ends it."""
        explorations = [c for c in self.settings.checks if c.procedure.phase is Phase.EXPLORATION]
        if explorations and self.settings.instances is None and self.machine.cores() > 1:
            self.background = self.stack.enter_context(self.machine.explorer(explorations))

    # --- time ----------------------------------------------------------------------------------------------

    @property
    def deadline(self) -> float:
        """The moment, by the clock of the machine, after which no check or search begins."""
        return self.began + self.settings.searching_seconds

    @property
    def last_moment(self) -> float:
        """The moment, by the clock of the machine, after which no command is sent."""
        return self.began + self.settings.effort.seconds

    @property
    def time_is_up(self) -> bool:
        """The deadline has passed."""
        return self.machine.now() > self.deadline

    def is_busy(self) -> bool:
        """Return whether other processes on the machine may explain the last silence; if so, set `busy`."""
        excused = self.bot.load_excuses_silence()
        self.busy = self.busy or excused
        return excused

    @contextmanager
    def measure(self, check: str) -> Iterator[None]:
        """Add the duration of a `with` block to the seconds of a check."""
        began = time.monotonic()
        try:
            yield
        finally:
            self.seconds[check] += time.monotonic() - began

    # --- what may run --------------------------------------------------------------------------------------

    def state(self) -> RunState:
        """Return the data by which `find_obstacle` decides."""
        return RunState(
            self.introduction,
            self.count,
            self.settings.effort.match,
            self.results.missing,
            self.trouble.given_up,
            self.results.deviates,
            self.rules,
        )

    def may_run(self, check: Check) -> bool:
        """Return whether a check can run now."""
        return find_obstacle(check, self.state()) is None

    def note_obstacle(self, check: Check) -> Iterator[Event]:
        """Note that a check cannot run, and why; yield the events. Call it only if not `may_run(check)`."""
        obstacle = find_obstacle(check, self.state())
        assert obstacle is not None, "only a check that may not run has an obstacle"
        # A run that gave up the bot skips the check; if the bot cannot be started, this is an error.
        outcome = Outcome.ERROR if self.trouble.cannot_start else obstacle.outcome
        judgement = Judgement(outcome, observed=obstacle.reason, hint=obstacle.hint)
        yield from self.results.note(Result(check, judgement, blocked_by=obstacle.blocked_by))

    def known(self) -> Known:
        """Return the run's present knowledge, for procedures."""
        return Known(
            introduction=self.introduction,
            playouts=self.count.playouts,
            effort=self.settings.effort,
            seed=self.settings.seed,
            deadline=self.deadline,
            missing=self.results.missing,
            failed_clauses=self.results.failed_clauses,
            rules=self.rules,
        )

    def session(self, alpha: float = ALPHA) -> Session:
        """Return a session for a procedure that may spend `alpha` of the error budget."""
        return Session(bot=self.bot, alpha=alpha, other_instances=self.other_instances, **vars(self.known()))

    def observe(self, check: Check, session: Session) -> Any:
        """Observe for a check, or take the observation of the check that it `shares`.

        A shared observation is taken once: a second attempt observes anew. The observation of a reduced
        procedure is not shared, since it has another form. Raises the errors of `Procedure.observe`.
        """
        if check.shares in self._observed:
            seen = self._observed.pop(check.shares)
        else:
            seen = check.procedure.observe(session)
        if self._whole_procedures.get(check.id) is check.procedure:
            self._observed[check.id] = seen
        return seen

    def find_count(self) -> Iterator[Event]:
        """Find the number of playouts per search, unless it is known; yield it."""
        if self.count.playouts is None:
            self.count = self._found_count()
            yield PlayoutsFound(self.count)

    def _found_count(self) -> PlayoutCount:
        """Find the number of playouts.

        The number is None, with a reason, after a failure of the bot; and None if no answer can be read.
        """
        given = self.settings.playouts
        if given is None and (not self.introduction.answers_readable or self.trouble.given_up):
            return PlayoutCount(None, "unknown", self.trouble.given_up)
        try:
            return find_playouts(self.bot, self.introduction, given)
        except ExchangeError as error:
            seen = error.exchange
            return PlayoutCount(None, "unknown", exchange_text(seen), reporter(seen.sent))
        except TimeUpError:
            return PlayoutCount(None, "unknown", OUT_OF_TIME.observed)
        except UnusableBotError as why:
            self.trouble.cannot_start = why.reason
            return PlayoutCount(None, "unknown", self.trouble.given_up)

    def end_instances(self) -> None:
        """End the other instances of the bot, and the background process."""
        self.other_instances = ()
        self.stack.close()

    # --- results -------------------------------------------------------------------------------------------

    def note(
        self,
        check: Check,
        judgement: Judgement,
        lines: Sequence[bytes] = (),
        transcript: str = "",
        confirmation: Confirmation = Confirmation.NOT_NEEDED,
        sightings: Sightings = NO_SIGHTINGS,
    ) -> Iterator[Event]:
        """Note the result of a check; yield the events. A new process that gets `lines` shows it again."""
        result = Result(
            check,
            judgement,
            tuple(lines),
            self.settings.launch.shell_line,
            transcript,
            confirmation=confirmation,
            sightings=sightings,
        )
        yield from self.results.note(result)

    def budget_with(self, check: Check) -> tuple[dict[str, float], float]:
        """Return all p-values so far, with 1 for this check, and its share of the error budget.

        Holm's procedure refuses a check below this share, whatever the other p-values are.
        """
        p_values = {share.name: share.p_value for share in self.budget.shares} | {check.id: 1.0}
        return p_values, ALPHA / len(p_values)

    def spend(self, p_values: dict[str, float], check: Check, p_value: float | None) -> None:
        """Split the error budget anew with the p-value of a check; None counts as 1."""
        self.budget = holm({**p_values, check.id: 1.0 if p_value is None else p_value}, ALPHA)

    def findings(self, *, interrupted: bool = False, seen: Mapping[str, Result] | None = None) -> Findings:
        """Return what the run has found so far. `seen`: failures of checks that have not ended, by id."""
        bot, introduction = self.bot, self.introduction
        results = {**(seen or {}), **self.results.by_check}
        claimed = {*introduction.commands, *bot.obeyed}
        return Findings(
            self.settings.launch.command,
            introduction.name,
            introduction.version,
            with_doubt(self.count, self.series),
            tuple(
                replace(results[check.id], seconds=self.seconds[check.id])
                for check in self.settings.checks
                if check.id in results
            ),
            self.series,
            self.budget,
            seconds=self.machine.now() - self.began,
            searches=sum(len(one.searches) for one in self.series),
            long_search=bot.times.long_search,
            usual_search=bot.times.usual_search,
            instances=self.instances,
            busy=self.busy,
            interrupted=interrupted,
            commands=introduction.commands,
            profile=self.profile,
            profile_named=self.settings.profile is not None,
            rules=self.rules,
            lacking=frozenset(
                set(REQUIRED_COMMANDS) & (bot.refused | set(map(printable, bot.chaser.mute))) - claimed
            ),
            mute=frozenset(map(printable, bot.chaser.mute)),
        )
