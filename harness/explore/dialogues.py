"""The exploration by dialogues: sessions with a bot until one deviates, and the shortest part of it."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from itertools import islice

from harness.check.bot.bot import Bot
from harness.check.model import Judgement, Outcome
from harness.explore.abilities import Abilities, Feature
from harness.explore.coverage import Coverage, Step
from harness.explore.dialogue_case import CERTAIN, TRIES, DialogueCase
from harness.explore.dialogue_machine import session
from harness.explore.game_model import read_line
from harness.explore.shrink import Attempts, shortest, simplest
from harness.explore.spelling import plain
from harness.explore.walk import Deviation, Walk, walk

RENEWED = 30
"""Number of sessions after which the process of a bot is replaced. Chosen: faults that need a long history
show, and the history that is held again stays short."""

SINGLY = 4
"""One session of this number is sent line by line even to a bot that takes many lines at once. Chosen."""

CONFIRMATIONS = 2
"""Number of times that a deviation must come back in new processes. Chosen."""

MOST_ATTEMPTS = 150
"""Number of sessions that the reduction of one deviation may take. Chosen: with a
fast bot they take seconds."""

MOST_SECONDS = 20.0
"""Seconds that one way to reduce a deviation may take. Chosen: a fast bot needs less."""

MOST_REDUCING = 60.0
"""Seconds after which no other way to reduce the same deviation is tried. Chosen: three such ways."""

LEAST_SECONDS = 5.0
"""Seconds that a reduction has even if the time of the exploration is over. Chosen: a short case is worth the
wait."""

HASTE = 0.2
"""Factor on the time limits while a silence is reduced, where each attempt waits to their end. Chosen: two
seconds instead of ten."""

SHORT = 7
"""Number of lines from which a shorter session is looked for on the smallest boards. Chosen: a reader follows
seven lines."""

MOVES = ("play", "genmove")
CHANGING = (*MOVES, "boardsize", "clear_board", "komi", "undo")
"""Commands that change the game."""

SMALL = 3
"""Size of the board up to which it is looked for there."""

SMALL_SESSIONS = 40
"""Number of sessions there. Chosen: a fast bot needs seconds."""

SMALL_NUMBERS = 1_000_000
"""First number of the sessions on the smallest boards, beyond all other numbers."""


@dataclass(frozen=True)
class FoundDialogue:
    """A deviation in its reduced form, seen twice in new processes."""

    case: DialogueCase
    walk: Walk  # the last time that it was held
    number: int  # of the session that showed it first

    @property
    def deviation(self) -> Deviation:
        """The answer that no right bot gives."""
        assert self.walk.deviation is not None, "only sessions with a deviation are found"
        return self.walk.deviation

    @property
    def is_silence(self) -> bool:
        """Whether the bot did not answer in time: on a busy machine that proves nothing."""
        return self.deviation.outcome is Outcome.TIMEOUT

    @property
    def judgement(self) -> Judgement:
        """The failure. The session was made for the boards that this bot accepts: none of it is skipped."""
        return self.case.judge_found(self.walk, self.deviation)

    @property
    def features(self) -> frozenset[Feature]:
        """Features that the reduced session uses, the wrong answer included."""
        return self.case.features | {one for one in [self.deviation.feature] if one is not None}


@dataclass
class DialogueExplorer:
    """Holds sessions with the instances of one bot. `attempts` is the most that a reduction may take."""

    bots: Sequence[Bot]
    abilities: Abilities
    playouts: int | None
    seed: int
    attempts: int = MOST_ATTEMPTS
    deadline: float = math.inf

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
        """Hold the sessions with these numbers up to the first deviation, which the last step has.

        A deviation counts once it came back in new processes, at once if `hasty`, and never if it is one from
        the clauses `known`.
        deadline   by the monotonic clock: no session starts after it, and reductions are short
        """
        self.deadline = deadline
        for held in self._held(numbers):
            coverage, unconfirmed = Coverage(), 0
            for one, _, _ in held:
                coverage.add_session(one)
            yield Step(coverage)
            for one, number, history in held:
                if one.deviation is None or one.deviation.clause in known:
                    continue
                if hasty:
                    yield Step(found=FoundDialogue(DialogueCase(one.lines), one, number))
                    return
                found = self._found(one, number, history)
                if found is not None:
                    yield Step(found=found, unconfirmed=unconfirmed)
                    return
                unconfirmed += 1
            if unconfirmed:
                yield Step(unconfirmed=unconfirmed)

    def _found(self, held: Walk, number: int, history: tuple[str, ...]) -> FoundDialogue | None:
        """Return the deviation of a session in its reduced form; None if new processes do not show it."""
        case = self._confirmed(held, history)
        if case is None:
            return None
        silent = held.deviation is not None and held.deviation.outcome is Outcome.TIMEOUT
        case = self._reduced(case, HASTE if silent else 1.0)
        size = max(case.abilities.sizes, default=SMALL)
        if len(case.lines) > SHORT and self.abilities.sizes[0] <= SMALL < size and not silent:
            case = self._shorter_on_small_boards(case)
        last = self._hold(case)
        if last.deviation is None:  # it came back only sometimes: no report could show it
            return None
        if not last.deviation.is_proof:  # a single search does not always show it
            case = replace(case, tries=TRIES)
        return FoundDialogue(case, last, number)

    # --- sessions ------------------------------------------------------------------------------------------

    def _held(self, numbers: Iterable[int]) -> Iterator[list[tuple[Walk, int, tuple[str, ...]]]]:
        """Hold the sessions in rounds, one on each instance.

        Yield the walks of each round, with their numbers and what their processes had been sent before.
        """
        waiting = iter(numbers)
        with ThreadPoolExecutor(len(self.bots)) as pool:
            while time.monotonic() < self.deadline and (batch := list(islice(waiting, len(self.bots)))):
                histories = [tuple(self._history[place]) for place in range(len(batch))]
                walks = self._hold_sessions(pool, batch)
                yield list(zip(walks, batch, histories, strict=True))

    def _hold_sessions(self, pool: ThreadPoolExecutor, batch: Sequence[int]) -> list[Walk]:
        """One session on each instance; the first of them in this thread, so that an interrupt reaches it."""
        others = [pool.submit(self._hold_session, number, n) for n, number in enumerate(batch) if n]
        try:
            return [self._hold_session(batch[0], 0), *(other.result() for other in others)]
        except BaseException:
            for bot in self.bots[1:]:
                bot.abort()
            raise

    def _hold_session(self, number: int, instance: int) -> Walk:
        bot = self.bots[instance]
        if self._ages[instance] >= RENEWED:
            self._renew(instance)
        lines = session(self.seed, number, self.abilities)
        bot.take_record()
        together = bot.ask_many if bot.queues and number % SINGLY else None
        held = walk(lines, self.abilities, self.playouts, bot.ask, ask_many=together)
        bot.take_record()
        self._ages[instance] += 1
        self._history[instance] += held.lines
        if held.deviation is not None:
            self._renew(instance)  # later answers of this process must not fall on the next session
        return held

    def _renew(self, instance: int) -> None:
        self.bots[instance].fresh()
        self._ages[instance], self._history[instance] = 0, []

    # --- reduction -----------------------------------------------------------------------------------------

    def _hold(self, case: DialogueCase, *, fresh: bool = True) -> Walk:
        self._ages[0], self._history[0] = RENEWED, []
        return case.hold(self.bots[0], self.abilities, self.playouts, fresh=fresh)

    def _shows(self, case: DialogueCase) -> bool:
        """Return whether a case deviates as often as a confirmation asks, in new processes."""
        return all(self._hold(case).deviation is not None for _ in range(CONFIRMATIONS))

    def _confirmed(self, held: Walk, history: tuple[str, ...]) -> DialogueCase | None:
        """Return the session up to its deviation if new processes show it twice, else with its history.

        A deviation that comes from lines in one write does not come back line by line.
        """
        assert held.deviation is not None, "only sessions with a deviation are confirmed"
        once = held.deviation.log_e >= CERTAIN
        for lines in dict.fromkeys((held.lines, (*history, *held.lines))):
            for tries in (1, TRIES) if once else (TRIES,):
                case = DialogueCase(lines, tries)
                if self._shows(case):
                    return case
        case = DialogueCase(held.lines, together=True)
        if self.bots[0].queues and self._shows(case):
            return case
        return None

    def _reduced(self, case: DialogueCase, patience: float = 1.0) -> DialogueCase:
        """Return the shortest part of a session that still deviates, written as plainly as possible.

        The attempts are made in one process, which is fast. Where the result is not shown by a new process,
        they are made again, in a new process each; and where the deviation shows only sometimes, because
        the bot draws at random, each is made several times. `patience` is a factor on the time limits of the
        attempts; what is reported was seen with the whole limits.
        """
        until = time.monotonic() + self._seconds(MOST_REDUCING)
        ways = ((case.tries, False), (TRIES, False), (case.tries, True), (TRIES, True))
        for tries, fresh in dict.fromkeys(ways):
            if time.monotonic() > until:
                break
            with self.bots[0].times.patience(patience):
                reduced = self._reduced_with(replace(case, tries=tries), fresh=fresh)
            lines = self._hold(reduced).lines  # without what is not sent, and what comes later
            reduced = replace(reduced, lines=lines)
            if all(self._shows(reduced) for _ in range(CONFIRMATIONS)):
                return reduced
        return case

    def _seconds(self, most: float) -> float:
        """Return the time that a step of a reduction may take."""
        return min(most, max(LEAST_SECONDS, self.deadline - time.monotonic()))

    def _reduced_with(self, case: DialogueCase, *, fresh: bool) -> DialogueCase:
        attempts = Attempts(self.attempts, self._seconds(MOST_SECONDS))

        def shows(lines: tuple[str, ...]) -> bool:
            return self._hold(replace(case, lines=lines), fresh=fresh).deviation is not None

        lines = simplest(case.lines, plain, shows, attempts)
        for straight in (_moves_played, _nothing_taken_back):
            lines = self._straightened(replace(case, lines=lines), straight, fresh=fresh)
        short = replace(case, lines=shortest(lines, shows, attempts))
        lines = self._straightened(short, _nothing_taken_back, fresh=fresh)
        return replace(case, lines=simplest(lines, plain, shows, attempts))  # luck may have kept an odd line

    def _straightened(
        self, case: DialogueCase, straight: Callable[[Walk], tuple[str, ...]], *, fresh: bool
    ) -> tuple[str, ...]:
        """Return the lines in a simpler way to reach the same game, if they still deviate."""
        lines = straight(self._hold(case, fresh=fresh))
        if lines == case.lines or self._hold(replace(case, lines=lines), fresh=fresh).deviation is None:
            return case.lines
        return lines

    def _shorter_on_small_boards(self, case: DialogueCase) -> DialogueCase:
        """Return the shortest case among some that are found on the smallest boards, and the given one."""
        sizes = tuple(size for size in self.abilities.sizes if size <= SMALL)
        abilities = replace(self.abilities, sizes=sizes)
        small = replace(self, bots=self.bots[:1], abilities=abilities)
        numbers = range(SMALL_NUMBERS, SMALL_NUMBERS + SMALL_SESSIONS)
        for [(held, _, history)] in small._held(numbers):
            confirmed = None if held.deviation is None else small._confirmed(held, history)
            if confirmed is not None:
                return min(case, small._reduced(confirmed), key=lambda one: len(one.lines))
        return case


def _moves_played(held: Walk) -> tuple[str, ...]:
    """Return the lines with every move of the bot but the last made by `play`: no luck is needed."""
    lines = list(held.lines)
    searches = [number for number, line in enumerate(lines) if line.startswith("genmove ")]
    for number in searches[:-1]:
        answer = held.exchanges[number]
        if answer.ok:
            lines[number] = f"play {lines[number].split()[1]} {answer.text.strip()}"
    return tuple(lines)


def _nothing_taken_back(held: Walk) -> tuple[str, ...]:
    """Return the lines without those that leave the game as it was: refusals, questions, undone moves.

    In a long session each of them would cost an attempt of its own, or two that must go together.
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
