"""Runs an exploration of one bot as a stream of events: sessions and positions in turn, up to a deadline.

A session is a generated dialogue, a position a generated board that the bot searches. Both are numbered.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace

from harness.check.bot.bot import Bot
from harness.check.bot.errors import BotError, ExchangeError, UnusableBotError
from harness.check.bot.introduction import Introduction, introduction_of
from harness.check.bot.load import LoadMeter
from harness.check.bot.session import Session
from harness.check.bot.transcript import dialogue_text
from harness.check.model import Check, Confirmation, Result
from harness.check.phases.events import Event
from harness.check.phases.findings import ALPHA
from harness.check.phases.machine import default_instances
from harness.check.phases.playout_count import PlayoutCount, find_playouts
from harness.check.phases.rules_found import find_rules
from harness.check.play_rules import REFERENCE_RULES, PlayRules
from harness.check.procedures.failures import judge_error
from harness.check.profile import profile_for
from harness.explore.abilities import Abilities, find_abilities
from harness.explore.dialogues import DialogueExplorer, FoundDialogue
from harness.explore.exploration import (
    MOST_FOUND,
    TURN,
    BotPrepared,
    DeviationFound,
    Events,
    ExplorationEnded,
    Part,
    Plan,
    StepEnded,
)
from harness.explore.position_search import FoundPosition, PositionExplorer
from harness.explore.procedures import judgement_of_found


def explore(plan: Plan) -> Events:
    """Start the bot and explore it. Ctrl-C ends the exploration early; `ExplorationEnded` still comes last.

    Use `harness.check.phases.run.follow` if Ctrl-C may arrive while an event is handled.
    """
    with Bot(plan.launch, plan.limits) as bot:
        yield from explore_bot(bot, plan)


def explore_bot(bot: Bot, plan: Plan) -> Events:
    """Explore like `explore`, with a bot that the caller started and will end."""

    def work(stack: ExitStack, deadline: float) -> Iterator[Event]:
        run = _Explorer(bot, plan, deadline)
        yield from run.prepare(stack)
        yield from run.explore()

    return _to_the_end(plan, work)


def explore_part(part: Part) -> Events:
    """Explore a part of an exploration: the preparation alone, or sessions or positions, with one process."""

    def work(stack: ExitStack, deadline: float) -> Iterator[Event]:
        bot = stack.enter_context(Bot(part.plan.launch, part.plan.limits))
        run = _Explorer(bot, part.plan, deadline)
        if part.abilities is None or part.count is None:
            yield from run.prepare(stack)
            return
        introduction_of(bot)
        run.begin([bot], part.abilities, part.count)
        yield from (run.search_positions if part.of_positions else run.hold_sessions)(part.numbers)

    return _to_the_end(part.plan, work)


def _to_the_end(plan: Plan, work: Callable[[ExitStack, float], Iterator[Event]]) -> Events:
    """Yield the events of `work`, then ExplorationEnded, also after Ctrl-C or an UnusableBotError."""
    began = time.monotonic()
    interrupted, unusable, hint = False, "", ""
    try:
        with ExitStack() as stack:
            yield from work(stack, began + plan.seconds)
    except UnusableBotError as why:
        unusable, hint = why.reason, why.hint
    except KeyboardInterrupt:
        interrupted = True
    yield ExplorationEnded(time.monotonic() - began, interrupted, unusable, hint)


@dataclass
class _Explorer:
    """One exploration in progress."""

    bot: Bot
    plan: Plan
    deadline: float
    count: PlayoutCount = field(init=False)
    abilities: Abilities = field(init=False)
    bots: Sequence[Bot] = field(init=False)
    sessions: DialogueExplorer | None = None  # None once every later session would deviate
    positions: PositionExplorer | None = None  # None if none is searched: see `begin`, or one deviated
    found: int = 0  # number of deviations so far
    searched: int = 0  # number of positions so far
    rules: PlayRules = REFERENCE_RULES

    def prepare(self, stack: ExitStack) -> Iterator[Event]:
        """Find the bot's abilities, start its instances, run the saved cases. Raises UnusableBotError."""
        bot, plan, load = self.bot, self.plan, LoadMeter()
        introduction = introduction_of(bot)
        if not introduction.answers_readable:
            raise UnusableBotError("its answers cannot be read", "conform check says why")
        count = self._find_playouts(introduction)
        profile = plan.profile or profile_for(introduction)
        self.rules = find_rules(bot, introduction, profile, plan.rules)
        abilities = find_abilities(bot, introduction, count.playouts, rules=self.rules)
        instances = plan.instances or default_instances(bot, load)
        if instances > 1 and not bot.allows_two_instances():
            instances = 1
        bots = [bot, *(stack.enter_context(bot.another_instance(number)) for number in range(1, instances))]
        self.begin(bots, abilities, count)
        yield BotPrepared(introduction.name, introduction.version, count, abilities, instances)
        for check in plan.cases:
            if check.needs.playout_count and count.playouts is None:
                continue  # its searches cannot be judged
            result = self._hold_again(check, introduction)
            if result.refuses:
                self.found += 1
                yield DeviationFound(result)

    def begin(self, bots: Sequence[Bot], abilities: Abilities, count: PlayoutCount) -> None:
        """Make the explorers of sessions and positions, for these instances of the bot."""
        playouts = count.playouts
        self.bots, self.abilities, self.count = bots, abilities, count
        self.sessions = self._new_sessions()
        if playouts is not None and abilities.rules.passing == "reference":  # else it chooses in its own way
            alpha = ALPHA / 2  # the other half is for the sessions
            self.positions = PositionExplorer(bots, abilities, playouts, self.plan.seed, alpha)

    def explore(self) -> Iterator[Event]:
        """Explore sessions and positions in turn, up to the deadline.

        No turn starts after MOST_FOUND deviations.
        """
        started, most = 0, math.inf if self.plan.sessions is None else self.plan.sessions
        while started < most and time.monotonic() < self.deadline:
            numbers = range(started, int(min(started + TURN, most)))
            started += TURN
            yield from self.hold_sessions(numbers)
            yield from self.search_positions(numbers)
            if self.found >= MOST_FOUND or (self.sessions is None and self.positions is None):
                return

    def hold_sessions(self, numbers: Iterable[int]) -> Iterator[Event]:
        """Hold the sessions with these numbers. After a deviation, later sessions avoid its features."""
        waiting = iter(numbers)
        while self.sessions is not None and self.found < MOST_FOUND:
            found = None
            for step in self.sessions.explore(waiting, self.deadline):
                yield StepEnded(step.coverage, step.unconfirmed)
                found = step.found
            if found is None:
                return
            # Otherwise a session deviated; the loop continues with the numbers after it.
            if found.is_silence and self.bot.load_excuses_silence():
                yield StepEnded(unconfirmed=1)
                continue
            features = found.features & self.abilities.features
            self.found += 1
            yield DeviationFound(self._session_result(found), found.number, without=features)
            self.abilities = self.abilities.without(features)
            self.sessions = self._new_sessions() if features else None

    def _new_sessions(self) -> DialogueExplorer:
        """Make the explorer of sessions for the present abilities."""
        plan, playouts = self.plan, self.count.playouts
        return DialogueExplorer(self.bots, self.abilities, playouts, plan.seed, plan.attempts)

    def search_positions(self, numbers: Iterable[int]) -> Iterator[Event]:
        """Search the positions with these numbers. Stop after a deviation: all later ones would show it."""
        if self.positions is None:
            return
        for step in self.positions.explore(numbers, self.deadline):
            self.searched += step.coverage.positions.total()
            yield StepEnded(step.coverage, step.unconfirmed)
            if step.found is not None:
                self.found += 1
                result = self._position_result(step.found)
                yield DeviationFound(result, step.found.number, in_positions=True)
                self.positions = None

    def _find_playouts(self, introduction: Introduction) -> PlayoutCount:
        """Find the number of playouts. If the bot fails, the number is None, and the result says why."""
        try:
            return find_playouts(self.bot, introduction, self.plan.playouts)
        except UnusableBotError:
            raise
        except BotError as error:
            return PlayoutCount(None, "unknown", str(error))

    def _hold_again(self, check: Check, introduction: Introduction) -> Result:
        """Run the check of a saved case. A bot that fails during it fails the check."""
        bot = self.bot
        bot.take_record()
        given = Session(
            bot=bot,
            introduction=introduction,
            playouts=self.count.playouts,
            seed=self.plan.seed,
            rules=self.rules,
        )
        try:
            judgement = check.procedure.judge(check.procedure.observe(given))
        except ExchangeError as error:
            judgement = replace(judge_error(error), reported_by="")  # no other check runs
        record = bot.take_record()
        lines, shell_line = tuple(exchange.sent for exchange in record), self.plan.launch.shell_line
        transcript = dialogue_text(record)
        return Result(check, judgement, lines, shell_line, transcript, confirmation=Confirmation.NOT_TRIED)

    def _session_result(self, found: FoundDialogue) -> Result:
        """Return the result of the check `gtp.explore` for a deviating session."""
        return Result(
            self.plan.dialogues,
            replace(found.judgement, reduced=found.case),
            found.walk.sent,
            self.plan.launch.shell_line,
            dialogue_text(found.walk.exchanges),
            confirmation=Confirmation.CONFIRMED,
        )

    def _position_result(self, found: FoundPosition) -> Result:
        """Return the result of the check `ref.explore` for a deviating position."""
        judgement = judgement_of_found(found, self.searched)
        if found.case is None:
            return Result(self.plan.positions, judgement)
        probe = found.case.drawn.probe
        lines = (*probe.setup(), probe.question(), b"ref-nodes\n", b"ref-score\n")
        line = self.plan.launch.shell_line
        return Result(self.plan.positions, judgement, lines, line, confirmation=Confirmation.CONFIRMED)
