"""The context that the phases of one run share: bot, profile, results, error budget."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack

from harness.check.bot.bot import Bot
from harness.check.bot.load import LoadMeter
from harness.check.bot.profile import Profile
from harness.check.bot.session import Known, Session
from harness.check.bot.wording import by_hand
from harness.check.model import Check, Confirmation, Judgement, Outcome, Result
from harness.check.phases.background_explorer import BackgroundExplorer
from harness.check.phases.durations import Durations
from harness.check.phases.eligibility import Decision, RunState, eligibility
from harness.check.phases.events import Event
from harness.check.phases.findings import ALPHA
from harness.check.phases.machine import Machine
from harness.check.phases.observations import Observations
from harness.check.phases.playout_count import PlayoutCount
from harness.check.phases.results import Results
from harness.check.phases.settings import RunSettings
from harness.check.phases.trouble import Trouble
from harness.check.procedures.search import Series
from harness.stats import Budget, holm

_OUTCOMES = {
    Decision.BLOCKED: Outcome.BLOCKED,
    Decision.SKIPPED: Outcome.SKIP,
    Decision.UNDECIDED: Outcome.INCONCLUSIVE,
}


class Context:
    """The data that the phases of one run share.

    count       the number of playouts per search, as far as it is known
    budget      how the chance of refusing a right bot is split over the statistical checks
    series      the searches made, by probe
    instances   number of processes that searched side by side
    twins       the other instances, while there are several; `stack` ends them
    background  the process that explores beside the rest of the run; None if there is none
    busy        other processes kept the machine busy when the bot was silent
    """

    def __init__(
        self,
        settings: RunSettings,
        bot: Bot,
        profile: Profile,
        machine: Machine,
        began: float,
        background: BackgroundExplorer | None = None,
    ) -> None:
        self.settings = settings
        self.bot = bot
        self.profile = profile
        self.machine = machine
        self.began = began
        self.background = background
        self.results = Results(settings.checks)
        self.observations = Observations(settings.checks)
        self.trouble = Trouble()
        self.count = PlayoutCount(None, "unknown")
        self.budget: Budget = holm({}, ALPHA)
        self.series: tuple[Series, ...] = ()
        self.instances = 1
        self.twins: tuple[Bot, ...] = ()
        self.stack = ExitStack()
        self.durations = Durations()
        self.load = LoadMeter()
        self.busy = False

    # --- time ----------------------------------------------------------------------------------------------

    @property
    def deadline(self) -> float:
        """The moment, by the clock of the machine, after which nothing new is begun."""
        return self.began + self.settings.searching_seconds

    @property
    def last_moment(self) -> float:
        """The end of the time of the run: no command is sent after it."""
        return self.began + self.settings.effort.seconds

    @property
    def time_is_up(self) -> bool:
        """The deadline has passed."""
        return self.machine.now() > self.deadline

    def is_busy(self) -> bool:
        """Return whether other processes, which keep the machine busy, may explain the last silence."""
        excused = self.bot.load_excuses_silence()
        self.busy = self.busy or excused
        return excused

    # --- what may run --------------------------------------------------------------------------------------

    def state(self) -> RunState:
        """The run's present knowledge of the bot."""
        return RunState(
            self.profile,
            self.count,
            self.settings.effort.match,
            self.results.missing,
            self.trouble.given_up,
            self.results.deviates,
        )

    def may_run(self, check: Check) -> bool:
        """Return whether a check would run now; nothing is noted."""
        return eligibility(check, self.state()).decision is Decision.RUN

    def refuse(self, check: Check) -> Iterator[Event]:
        """Note why a check cannot run, if it cannot: `if not may_run(check)`."""
        answer = eligibility(check, self.state())
        outcome = Outcome.ERROR if self.trouble.cannot_start else _OUTCOMES[answer.decision]
        judgement = Judgement(outcome, observed=answer.reason, hint=answer.hint)
        yield from self.results.note(Result(check, judgement, blocked_by=answer.blocked_by))

    def known(self) -> Known:
        """The knowledge that procedures may use at present."""
        return Known(
            self.profile,
            self.count.playouts,
            self.settings.effort,
            self.settings.seed,
            self.deadline,
            self.results.missing,
            self.results.failed_clauses,
        )

    def session(self, alpha: float = ALPHA) -> Session:
        """The bot for a procedure that may spend `alpha` of the error budget."""
        return Session(self.bot, self.known(), alpha, twins=self.twins)

    def end_instances(self) -> None:
        """End the other instances of the bot."""
        self.twins = ()
        self.stack.close()

    # --- results -------------------------------------------------------------------------------------------

    def note(
        self,
        check: Check,
        judgement: Judgement,
        lines: Sequence[bytes] = (),
        transcript: str = "",
        confirmation: Confirmation = Confirmation.NOT_NEEDED,
    ) -> Iterator[Event]:
        """Note the result of a check; `lines` show it by hand."""
        shown = by_hand(lines, self.settings.launch.shell_line) if lines else ""
        yield from self.results.note(Result(check, judgement, shown, transcript, (), confirmation))

    def budget_with(self, check: Check) -> tuple[dict[str, float], float]:
        """The p-values so far, 1 for this check, and the level at which Holm refuses it in any case."""
        p_values = {share.name: share.p_value for share in self.budget.shares} | {check.id: 1.0}
        return p_values, ALPHA / len(p_values)

    def spend(self, p_values: dict[str, float], check: Check, p_value: float | None) -> None:
        """Split the error budget anew, now that a check has its p-value; None for a check without one."""
        self.budget = holm({**p_values, check.id: 1.0 if p_value is None else p_value}, ALPHA)
