"""A whole exploration of one bot: sessions until the time is up, several deviations if there are several."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace

from harness.check.bot.bot import Bot
from harness.check.bot.errors import BotError, UnusableBotError
from harness.check.bot.load import LoadMeter
from harness.check.bot.profile import Profile, profile_of
from harness.check.bot.session import Session
from harness.check.bot.wording import dialogue_text
from harness.check.model import Check, Confirmation, Result
from harness.check.phases.findings import ALPHA
from harness.check.phases.machine import default_instances
from harness.check.phases.playout_count import PlayoutCount, find_playouts
from harness.explore.abilities import Abilities, find_abilities
from harness.explore.coverage import Coverage
from harness.explore.dialogues import DialogueExplorer, FoundDialogue
from harness.explore.position_case import judgement_of
from harness.explore.position_search import FoundPosition, PositionExplorer
from harness.explore.walk import as_bytes
from harness.gtp import Launch, Limits

MOST_FOUND = 5
"""Number of deviations after which an exploration ends."""

TURN = 10
"""Number of sessions, then of positions, that are taken in turn."""

SAVED = -1
"""In place of the number of a session: a saved case."""


@dataclass(frozen=True)
class Plan:
    """Plan of an exploration.

    dialogues   the check as whose failure a session is reported
    positions   the check as whose failure a position is reported
    playouts    per search, as the user gave them; None to find the number out
    seconds     time after which nothing new starts
    sessions    number of sessions, and of positions, at most; None for no limit
    instances   processes of the bot side by side; None for as many as there are idle cores
    cases       checks of saved cases, held first
    """

    launch: Launch
    dialogues: Check
    positions: Check
    limits: Limits = field(default_factory=Limits)
    playouts: int | None = None
    seed: int = 1
    seconds: float = 600.0
    sessions: int | None = None
    instances: int | None = 1
    cases: tuple[Check, ...] = ()


@dataclass
class Exploration:
    """Findings of an exploration so far.

    results       a failure for each deviation, in its reduced form, and one for each saved case that failed
    numbers       of the session or position that showed each of them first; SAVED for a saved case
    unconfirmed   deviations that did not come back in a new process, and silences on a busy machine
    unusable      why the bot could not be explored at all
    """

    command: str
    name: str = ""
    version: str = ""
    count: PlayoutCount = field(default_factory=lambda: PlayoutCount(None, "unknown"))
    abilities: Abilities | None = None
    coverage: Coverage = field(default_factory=Coverage)
    results: list[Result] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)
    unconfirmed: int = 0
    seconds: float = 0.0
    instances: int = 1
    interrupted: bool = False
    unusable: str = ""
    hint: str = ""


def explore(
    plan: Plan,
    on_progress: Callable[[Exploration], object] = lambda _: None,
    on_result: Callable[[Result], object] = lambda _: None,
) -> Exploration:
    """Explore one bot. An interrupt ends it early, with what was found."""
    with Bot(plan.launch, plan.limits) as bot:
        return explore_bot(bot, plan, on_progress, on_result)


def explore_bot(
    bot: Bot,
    plan: Plan,
    on_progress: Callable[[Exploration], object] = lambda _: None,
    on_result: Callable[[Result], object] = lambda _: None,
) -> Exploration:
    """Explore a bot whose process somebody else ends."""
    exploration = Exploration(plan.launch.command)

    def work(stack: ExitStack, deadline: float) -> None:
        run = _Run(bot, plan, exploration, deadline, on_progress, on_result)
        run.explore(run.prepare(stack))

    _guarded(exploration, plan, work)
    return exploration


def prepare(plan: Plan) -> Exploration:
    """The beginning of an exploration: what the bot can do, and the saved cases."""
    exploration = Exploration(plan.launch.command)

    def work(stack: ExitStack, deadline: float) -> None:
        bot = stack.enter_context(Bot(plan.launch, plan.limits))
        _Run(bot, plan, exploration, deadline).prepare(stack)

    _guarded(exploration, plan, work)
    return exploration


def explore_sessions(plan: Plan, abilities: Abilities, count: PlayoutCount, numbers: range) -> Exploration:
    """The sessions with these numbers, by a bot whose abilities are known.

    `abilities` of the result are those that later sessions may rely on; None where each would deviate.
    """
    exploration = Exploration(plan.launch.command, count=count, abilities=abilities)

    def work(stack: ExitStack, deadline: float) -> None:
        bot = stack.enter_context(Bot(plan.launch, plan.limits))
        profile_of(bot)
        if not _Run(bot, plan, exploration, deadline).hold_sessions([bot], numbers):
            exploration.abilities = None

    _guarded(exploration, plan, work)
    return exploration


def explore_positions(plan: Plan, abilities: Abilities, count: PlayoutCount, numbers: range) -> Exploration:
    """The positions with these numbers, up to the first deviation, by a bot whose abilities are known."""
    exploration = Exploration(plan.launch.command, count=count, abilities=abilities)

    def work(stack: ExitStack, deadline: float) -> None:
        bot = stack.enter_context(Bot(plan.launch, plan.limits))
        profile_of(bot)
        _Run(bot, plan, exploration, deadline).search_positions([bot], numbers)

    _guarded(exploration, plan, work)
    return exploration


def _guarded(exploration: Exploration, plan: Plan, work: Callable[[ExitStack, float], None]) -> None:
    """Do some work, by its deadline. An interrupt or a bot that cannot be explored ends it early."""
    began = time.monotonic()
    try:
        with ExitStack() as stack:
            work(stack, began + plan.seconds)
    except UnusableBotError as why:
        exploration.unusable, exploration.hint = why.reason, why.hint
    except KeyboardInterrupt:
        exploration.interrupted = True
    exploration.seconds = time.monotonic() - began


@dataclass
class _Run:
    bot: Bot
    plan: Plan
    exploration: Exploration
    deadline: float
    on_progress: Callable[[Exploration], object] = lambda _: None
    on_result: Callable[[Result], object] = lambda _: None

    def prepare(self, stack: ExitStack) -> list[Bot]:
        """The instances of the bot, which is known then; saved cases are held. Raises UnusableBotError."""
        bot, exploration, load = self.bot, self.exploration, LoadMeter()
        profile = profile_of(bot)
        exploration.name, exploration.version = profile.name, profile.version
        if not profile.answers_readable:
            raise UnusableBotError("its answers cannot be read", "conform check says why")
        exploration.count = self._playouts(profile)
        exploration.abilities = find_abilities(bot, profile, exploration.count.playouts)
        bots = [bot]
        exploration.instances = self.plan.instances or default_instances(bot, load)
        if exploration.instances > 1 and not bot.allows_two_instances():
            exploration.instances = 1
        for number in range(1, exploration.instances):
            bots.append(stack.enter_context(bot.twin(number)))
        for check in self.plan.cases:
            self._hold_again(check, profile)
        return bots

    def hold_sessions(self, bots: Sequence[Bot], numbers: range) -> bool:
        """Hold these sessions. False where every later session would deviate."""
        return self._hold_sessions(self._dialogue_explorer(bots), numbers, bots) is not None

    def search_positions(self, bots: Sequence[Bot], numbers: range) -> None:
        """Search these positions, up to the first deviation."""
        explorer = self._position_explorer(bots)
        if explorer is not None:
            self._search_positions(explorer, numbers)

    def _playouts(self, profile: Profile) -> PlayoutCount:
        try:
            return find_playouts(self.bot, profile, self.plan.playouts)
        except UnusableBotError:
            raise
        except BotError as error:
            return PlayoutCount(None, "unknown", str(error))

    def _hold_again(self, check: Check, profile: Profile) -> None:
        """A saved case, with the bot."""
        bot = self.bot
        bot.take_record()
        session = Session(
            bot=bot, profile=profile, playouts=self.exploration.count.playouts, seed=self.plan.seed
        )
        judgement = check.procedure.judge(check.procedure.observe(session))
        record = bot.take_record()
        result = Result(
            check,
            judgement,
            tuple(exchange.sent for exchange in record),
            self.plan.launch.shell_line,
            dialogue_text(record),
            confirmation=Confirmation.NOT_TRIED,
        )
        if result.refuses:
            self._note(result, SAVED)

    def explore(self, bots: Sequence[Bot]) -> None:
        """Sessions and positions in turn. After a deviation, what it needs is left out."""
        exploration = self.exploration
        sessions: DialogueExplorer | None = self._dialogue_explorer(bots)
        positions = self._position_explorer(bots)
        started, most = 0, math.inf if self.plan.sessions is None else self.plan.sessions
        while started < most and time.monotonic() < self.deadline:
            numbers = range(started, int(min(started + TURN, most)))
            started += TURN
            if sessions is not None:
                sessions = self._hold_sessions(sessions, numbers, bots)
            if positions is not None:
                positions = self._search_positions(positions, numbers)
            if len(exploration.results) >= MOST_FOUND or (sessions is None and positions is None):
                return

    def _dialogue_explorer(self, bots: Sequence[Bot]) -> DialogueExplorer:
        exploration = self.exploration
        assert exploration.abilities is not None, "asked before"
        return DialogueExplorer(
            bots,
            exploration.abilities,
            exploration.count.playouts,
            self.plan.seed,
            exploration.coverage,
            self._progress,
        )

    def _position_explorer(self, bots: Sequence[Bot]) -> PositionExplorer | None:
        """None for a bot whose number of playouts is not known."""
        exploration = self.exploration
        assert exploration.abilities is not None, "asked before"
        if exploration.count.playouts is None:
            return None
        return PositionExplorer(
            bots,
            exploration.abilities,
            exploration.count.playouts,
            self.plan.seed,
            exploration.coverage,
            ALPHA / 2,
            self._progress,
        )

    def _hold_sessions(
        self, explorer: DialogueExplorer, numbers: Sequence[int], bots: Sequence[Bot]
    ) -> DialogueExplorer | None:
        """Hold some sessions; the explorer for the next ones, None where every session would deviate."""
        exploration, waiting = self.exploration, iter(numbers)
        while len(exploration.results) < MOST_FOUND:
            found = explorer.find(waiting, self.deadline)
            exploration.unconfirmed += explorer.unconfirmed
            explorer.unconfirmed = 0
            if found is None:
                return explorer
            if found.silent and self.bot.load_excuses_silence():
                exploration.unconfirmed += 1
                continue
            self._note(self._session_result(found), found.session)
            assert exploration.abilities is not None, "asked before"
            features = found.features & exploration.abilities.features
            if not features:
                return None
            exploration.abilities = exploration.abilities.without(features)
            explorer = self._dialogue_explorer(bots)
        return explorer

    def _search_positions(
        self, explorer: PositionExplorer, numbers: Sequence[int]
    ) -> PositionExplorer | None:
        """Search some positions; None after a deviation: all later positions would show it too."""
        found = explorer.find(numbers, self.deadline)
        self.exploration.unconfirmed += explorer.unconfirmed
        explorer.unconfirmed = 0
        if found is None:
            return explorer
        self._note(self._position_result(found), found.number)
        return None

    def _progress(self) -> None:
        self.on_progress(self.exploration)

    def _note(self, result: Result, number: int) -> None:
        self.exploration.results.append(result)
        self.exploration.numbers.append(number)
        self.on_result(result)

    def _session_result(self, found: FoundDialogue) -> Result:
        judgement = replace(found.judgement, reduced=found.case)
        return Result(
            self.plan.dialogues,
            judgement,
            tuple(map(as_bytes, found.walk.lines)),
            self.plan.launch.shell_line,
            dialogue_text(found.walk.exchanges),
            confirmation=Confirmation.CONFIRMED,
        )

    def _position_result(self, found: FoundPosition) -> Result:
        check = self.plan.positions
        if found.case is None:
            positions = self.exploration.coverage.positions.total()
            judgement = judgement_of(found.record, f"in {positions} positions")
            return Result(check, judgement)
        judgement = replace(found.case.judge(found.record), reduced=found.case)
        probe = found.case.drawn.probe
        lines = (*probe.setup(), probe.question(), b"ref-nodes\n", b"ref-score\n")
        line = self.plan.launch.shell_line
        return Result(check, judgement, lines, line, confirmation=Confirmation.CONFIRMED)
