"""Exploration by sessions: hold generated sessions until one deviates, confirm it, and reduce it.

A session is a sequence of GTP lines that is drawn at random. To hold it is to send its lines, and to judge
each answer by a model of a right bot, up to the first deviation; the record of this is a `Walk`. A deviation
is an answer that a right bot does not give. It counts only if new processes show it again. The reduction then
looks for the shortest part of the session that still deviates (delta debugging).
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from itertools import islice
from typing import NamedTuple

from harness.check.bot.bot import Bot
from harness.check.model import Judgement, Outcome
from harness.check.shrink import Attempts, shortest, simplest
from harness.explore.abilities import Abilities, Feature
from harness.explore.command_state import GENERATING
from harness.explore.coverage import Coverage, Step
from harness.explore.dialogue_case import CERTAIN, TRIES, DialogueCase
from harness.explore.session_judge import Deviation
from harness.explore.sessions import session
from harness.explore.spelling import plain
from harness.explore.walk import Walk, walk
from harness.explore.wanted import read_line
from harness.gtp.analysis_commands import GENMOVES

RENEWED = 30
"""Number of sessions that one process holds. Chosen: the history that confirmation repeats stays short."""

SINGLY = 4
"""One session in this many is sent line by line, even to a bot that accepts many lines in one write. Chosen:
most sessions are fast, and faults of both ways of sending are found."""

CONFIRMATIONS = 2
"""Number of new processes in which a deviation must come back. Chosen: one repetition may be chance."""

MOST_ATTEMPTS = 150
"""Most sessions that one way to reduce a deviation may hold. Chosen: a few seconds with a fast bot."""

MOST_SECONDS = 20.0
"""Time limit, in seconds, of one way to reduce a deviation. Chosen: a fast bot needs less."""

MOST_REDUCING = 60.0
"""Seconds after which no other way to reduce the same deviation starts. Chosen: three times MOST_SECONDS."""

LEAST_SECONDS = 5.0
"""Seconds that a reduction gets after the deadline. Chosen: a short case is easier to read."""

HASTE = 0.2
"""Factor on the time limits of the bot's answers while a missing answer is reduced: each attempt that shows
it waits for the whole limit. Chosen: two seconds in place of ten."""

SHORT = 7
"""A reduced session with more lines is searched for again on the smallest boards. Chosen: a reader can follow
seven lines."""

MOVES = ("play", *GENERATING, *GENMOVES)
PLACING = ("fixed_handicap", "place_free_handicap", "set_free_handicap", "gogui-setup", "gogui-play_sequence")
CHANGING = (*MOVES, *PLACING, "boardsize", "clear_board", "komi", "undo", "loadsgf", "kgs-game_over")
"""Commands that change the game."""

SMALL = 3
"""Largest size of the smallest boards."""

SMALL_SESSIONS = 40
"""Number of sessions held on the smallest boards. Chosen: a fast bot needs seconds."""

SMALL_NUMBERS = 1_000_000
"""Number of the first session on the smallest boards. Chosen: above the numbers of ordinary sessions."""


@dataclass(frozen=True)
class FoundDialogue:
    """A deviation in its reduced form, confirmed in new processes; if `hasty`, as it was first seen."""

    case: DialogueCase
    walk: Walk  # record of the last time that the reduced session was held
    number: int  # number of the session that first showed the deviation

    @property
    def deviation(self) -> Deviation:
        """The answer that no right bot gives."""
        assert self.walk.deviation is not None, "only sessions with a deviation are found"
        return self.walk.deviation

    @property
    def is_silence(self) -> bool:
        """Return True if the bot did not answer in time. On a busy machine, a late answer proves nothing."""
        return self.deviation.outcome is Outcome.TIMEOUT

    @property
    def judgement(self) -> Judgement:
        """The failure. It is never a skip: the session uses only board sizes that this bot accepts."""
        return self.case.judge_found(self.walk, self.deviation)

    @property
    def features(self) -> frozenset[Feature]:
        """Features that the reduced session uses, the wrong answer included."""
        feature = self.deviation.feature
        return self.case.features if feature is None else self.case.features | {feature}


class HeldSession(NamedTuple):
    """A session that one process held.

    number    number of the session
    history   lines that the process was sent before
    """

    walk: Walk
    number: int
    history: tuple[str, ...]


@dataclass
class DialogueExplorer:
    """Holds sessions with the instances (processes) of one bot.

    playouts   number of playouts per search; None if it is not known
    attempts   most sessions that one way to reduce a deviation may hold
    deadline   end of the exploration, by the monotonic clock
    known      clauses whose deviations are ignored, in reductions too: another check reports them
    """

    bots: Sequence[Bot]
    abilities: Abilities
    playouts: int | None
    seed: int
    attempts: int = MOST_ATTEMPTS
    deadline: float = math.inf
    known: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        self._history: list[list[str]] = [[] for _ in self.bots]  # lines that each process was sent
        self._ages = [0] * len(self.bots)  # sessions of each process

    def explore(
        self,
        numbers: Iterable[int],
        deadline: float,
        *,
        known: frozenset[str] = frozenset(),
        hasty: bool = False,
    ) -> Iterator[Step[FoundDialogue]]:
        """Hold the sessions with these numbers in rounds, one session per bot.

        Yield a step with the coverage of each round, and another if sessions of it deviated. The first
        deviation that new processes confirm ends the exploration: the last step has it.

        deadline   by the monotonic clock: no session starts after it, and reductions are short
        known      see the class
        hasty      report the first deviation without confirmation and reduction
        """
        self.deadline, self.known = deadline, known
        for held in self._hold_in_rounds(numbers):
            coverage, unconfirmed = Coverage(), 0
            for one in held:
                coverage.add_session(one.walk)
            yield Step(coverage)
            for one in held:
                if not self._deviates(one.walk):
                    continue
                if hasty:
                    yield Step(found=FoundDialogue(DialogueCase(one.walk.lines), one.walk, one.number))
                    return
                found = self._find(one)
                if found is not None:
                    yield Step(found=found, unconfirmed=unconfirmed)
                    return
                unconfirmed += 1
            if unconfirmed:
                yield Step(unconfirmed=unconfirmed)

    def _find(self, held: HeldSession) -> FoundDialogue | None:
        """Return the deviation of a session in its reduced form; None if new processes do not show it."""
        case, deviation = self._confirm(held), held.walk.deviation
        if case is None:
            return None
        silent = deviation is not None and deviation.outcome is Outcome.TIMEOUT
        case = self._reduce(case, HASTE if silent else 1.0)
        size = max(case.abilities.sizes, default=SMALL)
        if len(case.lines) > SHORT and self.abilities.sizes[0] <= SMALL < size and not silent:
            case = self._shorter_on_small_boards(case)
        last = self._hold(case)
        if last.deviation is None or not self._deviates(last):
            return None  # it comes back only sometimes: a report could not show it
        if not last.deviation.is_proof:  # a single try does not always show it
            case = replace(case, tries=TRIES)
        return FoundDialogue(case, last, held.number)

    # --- sessions ------------------------------------------------------------------------------------------

    def _hold_in_rounds(self, numbers: Iterable[int]) -> Iterator[list[HeldSession]]:
        """Hold the sessions in rounds, one session per instance, and yield each round."""
        waiting = iter(numbers)
        with ThreadPoolExecutor(len(self.bots)) as pool:
            while time.monotonic() < self.deadline and (batch := list(islice(waiting, len(self.bots)))):
                histories = [tuple(self._history[instance]) for instance in range(len(batch))]
                walks = self._hold_sessions(pool, batch)
                yield list(map(HeldSession, walks, batch, histories))

    def _hold_sessions(self, pool: ThreadPoolExecutor, batch: Sequence[int]) -> list[Walk]:
        """Hold one session on each instance. The first runs in this thread, so that Ctrl-C interrupts it."""
        others = [pool.submit(self._hold_session, number, n) for n, number in enumerate(batch) if n]
        try:
            return [self._hold_session(batch[0], 0), *(other.result() for other in others)]
        except BaseException:
            for bot in self.bots[1:]:
                bot.abort()
            raise

    def _hold_session(self, number: int, instance: int) -> Walk:
        """Hold one session with an instance, in its running process unless that is RENEWED sessions old."""
        bot = self.bots[instance]
        if self._ages[instance] >= RENEWED:
            self._renew(instance)
        lines = session(self.seed, number, self.abilities)
        bot.take_record()
        together = bot.ask_many if bot.queues and number % SINGLY else None
        held = walk(lines, self.abilities, self.playouts, bot.ask, ask_many=together, ended=bot.take_analysis)
        bot.take_record()
        self._ages[instance] += 1
        self._history[instance] += held.lines
        if held.deviation is not None:
            self._renew(instance)  # later answers of this process must not fall on the next session
        return held

    def _renew(self, instance: int) -> None:
        """Start a new process of an instance."""
        self.bots[instance].fresh()
        self._ages[instance], self._history[instance] = 0, []

    # --- reduction -----------------------------------------------------------------------------------------

    def _hold(self, case: DialogueCase, *, fresh: bool = True) -> Walk:
        """Hold a case with the first instance. The process then counts as old: no later session uses it."""
        self._ages[0], self._history[0] = RENEWED, []
        return case.hold(self.bots[0], self.abilities, self.playouts, fresh=fresh)

    def _deviates(self, held: Walk) -> bool:
        """Return True if a session ended with a deviation, and not from a clause that is `known`."""
        return held.deviation is not None and held.deviation.clause not in self.known

    def _shows(self, case: DialogueCase) -> bool:
        """Return True if a case deviates in each of CONFIRMATIONS new processes."""
        return all(self._deviates(self._hold(case)) for _ in range(CONFIRMATIONS))

    def _confirm(self, held: HeldSession) -> DialogueCase | None:
        """Return a case that shows the deviation in new processes; None if there is none.

        The session is tried alone, then after the history of its process, then with its lines in one write:
        a deviation that needs the single write does not come back line by line.
        """
        own, deviation = held.walk.lines, held.walk.deviation
        assert deviation is not None, "only sessions with a deviation are confirmed"
        is_certain = deviation.log_e >= CERTAIN  # else one try may not show it
        for lines in dict.fromkeys((own, (*held.history, *own))):
            for tries in (1, TRIES) if is_certain else (TRIES,):
                case = DialogueCase(lines, tries)
                if self._shows(case):
                    return case
        case = DialogueCase(own, together=True)
        if self.bots[0].queues and self._shows(case):
            return case
        return None

    def _reduce(self, case: DialogueCase, patience: float = 1.0) -> DialogueCase:
        """Return the shortest part of a session that still deviates, written as plainly as possible.

        The session itself is returned if new processes confirm no shorter one.
        There are up to four ways to reduce, tried until new processes show the result. The first two make all
        attempts in one process, which is fast. The others start a process for each attempt. An attempt holds
        the session `case.tries` times, or TRIES times for a deviation that shows only sometimes.
        `patience` is a factor on the time limits of the attempts; the confirmation uses the whole limits.
        """
        until = time.monotonic() + self._seconds(MOST_REDUCING)
        ways = ((case.tries, False), (TRIES, False), (case.tries, True), (TRIES, True))  # tries, fresh
        for tries, fresh in dict.fromkeys(ways):
            if time.monotonic() > until:
                break
            with self.bots[0].times.patience(patience):
                reduced = self._reduce_by(replace(case, tries=tries), fresh=fresh)
            lines = self._hold(reduced).lines  # only lines that were sent, up to the deviation
            reduced = replace(reduced, lines=lines)
            # Confirmed twice, because the reduction may have kept a case that deviates only sometimes.
            if all(self._shows(reduced) for _ in range(CONFIRMATIONS)):
                return reduced
        return case

    def _seconds(self, most: float) -> float:
        """Return the seconds that a reduction may take: `most`, or less near the end of the exploration."""
        return min(most, max(LEAST_SECONDS, self.deadline - time.monotonic()))

    def _reduce_by(self, case: DialogueCase, *, fresh: bool) -> DialogueCase:
        """Reduce a session in one way; `fresh` starts a new process for each attempt."""
        attempts = Attempts(self.attempts, self._seconds(MOST_SECONDS))

        def shows(lines: tuple[str, ...]) -> bool:
            return self._deviates(self._hold(replace(case, lines=lines), fresh=fresh))

        lines = simplest(case.lines, plain, shows, attempts)
        for straight in (_with_moves_played, _without_idle_lines):
            lines = self._straighten(replace(case, lines=lines), straight, fresh=fresh)
        short = replace(case, lines=shortest(lines, shows, attempts))
        lines = self._straighten(short, _without_idle_lines, fresh=fresh)
        # Once more: a bot that draws at random may not have shown the deviation on the first plain spelling.
        return replace(case, lines=simplest(lines, plain, shows, attempts))

    def _straighten(
        self, case: DialogueCase, straight: Callable[[Walk], tuple[str, ...]], *, fresh: bool
    ) -> tuple[str, ...]:
        """Return the lines that `straight` makes of the held session if they deviate; else the case's own."""
        lines = straight(self._hold(case, fresh=fresh))
        if lines != case.lines and self._deviates(self._hold(replace(case, lines=lines), fresh=fresh)):
            return lines
        return case.lines

    def _shorter_on_small_boards(self, case: DialogueCase) -> DialogueCase:
        """Return the shorter of this case and the first deviation found on the smallest boards, reduced."""
        sizes = tuple(size for size in self.abilities.sizes if size <= SMALL)
        abilities = replace(self.abilities, sizes=sizes)
        small = replace(self, bots=self.bots[:1], abilities=abilities)
        numbers = range(SMALL_NUMBERS, SMALL_NUMBERS + SMALL_SESSIONS)
        for [held] in small._hold_in_rounds(numbers):
            confirmed = small._confirm(held) if small._deviates(held.walk) else None
            if confirmed is not None:
                return min(case, small._reduce(confirmed), key=lambda one: len(one.lines))
        return case


def _with_moves_played(held: Walk) -> tuple[str, ...]:
    """Return the lines with every genmove but the last replaced by `play` of the move that the bot chose."""
    lines = list(held.lines)
    searches = [number for number, line in enumerate(lines) if line.startswith("genmove ")]
    for number in searches[:-1]:
        answer = held.exchanges[number]
        if answer.ok:
            lines[number] = f"play {lines[number].split()[1]} {answer.text.strip()}"
    return tuple(lines)


def _without_idle_lines(held: Walk) -> tuple[str, ...]:
    """Return the lines without those that leave the game unchanged: refusals, questions, undone moves.

    The general reduction would need an attempt for each of these lines, or one for a move and its undo.
    """
    kept: list[tuple[str, str]] = []  # the name of the command, the line
    *before, last = held.lines
    for line, exchange in zip(before, held.exchanges, strict=False):
        command = read_line(line)
        if command is None or not exchange.ok or command.name not in CHANGING:
            continue
        if command.name != "undo":
            kept.append((command.name, line))
        elif kept and kept[-1][0] in MOVES:
            kept.pop()
    return (*(line for _, line in kept), last)
