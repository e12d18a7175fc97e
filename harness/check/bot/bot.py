"""The bot under test: an engine that is started again when it has died. Every exchange is recorded."""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import lru_cache
from statistics import median
from types import TracebackType
from typing import Self

from harness.check.bot.errors import (
    BotInterruptedError,
    CommandRefusedError,
    TimeUpError,
    UnusableBotError,
)
from harness.check.bot.load import machine_is_busy, processor_seconds, stands_still
from harness.check.bot.wording import refused_in_words
from harness.gtp import (
    Engine,
    EngineStartError,
    Exchange,
    Launch,
    Limits,
    ShortageError,
    answers_on_terminal,
    answers_when_input_closes,
    command_name,
    command_words,
    printable,
)

SEARCH_SLACK = 10.0
"""A search may take this many times as long as the longest search so far before it counts as silence."""

REMEMBERED_SEARCHES = 1_000
"""Number of searches, the first ones, from which the usual duration of a search is taken."""

MOST_NAMES = 1 << 13
"""Lines whose command is remembered: the same set-ups are sent again and again."""

UNANSWERED = ("timeout", "eof", "oversize")
"""Endings of an exchange after which the process is of no more use."""


CHASE_WAIT = 1.5
"""Seconds to wait for the answer to a command that may stay without one."""

MOST_WAITS = 5
"""Waits of `Limits.quit` for the end of a process to which the machine gives too little processor time."""

CHASER = b"name\n"
"""The command that is sent after one that may stay without an answer: nearly every bot answers it."""


class Bot:
    """A context manager around one bot. Every exchange is recorded; `take_record()` returns them.

    prepares start the next process early, and let the last one end meanwhile: bots may take seconds for
             either. Cleared if a second process fails
    queues   whether set-ups may be sent in one write; to be set once the bot is known to take that
    obeyed   names of the commands that succeeded at least once
    refused  names of the commands that were refused at least once
    mute     names of the commands that stayed without an answer while a later one was answered
    chaser   a command that the bot answers, with `chaser_text` once that is known
    hung     whether its process did nothing at the last silence, or had all the time that it may take: no
             busy machine excuses the silence then
    """

    def __init__(self, launch: Launch, limits: Limits) -> None:
        self.launch = launch
        self.limits = limits
        self._own_limits = limits  # without patience
        self.prepares = False
        self.hung = False
        self.queues = False
        self._engine: Engine | None = None
        self._prepared: Engine | None = None
        self._leaving: Engine | None = None  # the last one, which was told to quit
        self._kept: Bot | None = None  # a twin that runs, which `twin` will return
        self.mute: set[bytes] = set()
        self.chaser = CHASER
        self.chaser_text: str | None = None
        self.obeyed: set[str] = set()
        self.refused: set[str] = set()
        self._log: list[Exchange] = []
        self._history: list[bytes] = []
        self._longest_searches = [0.0, 0.0]  # in seconds, the longest last
        self._search_seconds: list[float] = []
        self._deadline = math.inf
        self._size = b""
        self._tried: set[bytes] = set()  # board sizes on which it was asked for a move
        self._beside: bool | None = None  # whether it runs beside itself, once that is known
        self._input_ended = False  # of its process
        self._stubborn = False  # it once had to be killed: do not wait for it to end by itself again

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        engines = (self._engine, self._prepared, self._leaving)
        self._engine = self._prepared = self._leaving = None
        for engine in engines:
            self._close(engine, politely=kind is None)
        self.release()

    @property
    def engine(self) -> Engine:
        """The running engine; started if there is none. Raises UnusableBotError."""
        if self._engine is None:
            self._history = []
            self._input_ended = False
            self._engine = self._take_prepared() or self._started()
            self.prepare()
        return self._engine

    def _started(self) -> Engine:
        self._engine = Engine(self.launch, self.limits)  # ours to end even if its start is interrupted
        try:
            return self._engine.start()
        except EngineStartError as error:
            self._engine = None
            raise UnusableBotError(str(error)) from None

    def _take_prepared(self) -> Engine | None:
        """The process that was started ahead, if there is one that is as good as a new one."""
        ahead, self._prepared = self._prepared, None
        if ahead is not None and not (self._beside and ahead.alive and ahead.limits == self.limits):
            ahead.kill()
            return None
        return ahead

    def prepare(self) -> None:
        """Start the next process ahead, if that is allowed."""
        if self.prepares:
            self._start_ahead()

    def _start_ahead(self) -> None:
        """Start the next process, unless there is one. What cannot be started is tried again when needed."""
        if self._prepared is None:
            self._prepared = Engine(self.launch, self.limits)
            try:
                self._prepared.start()
            except (EngineStartError, ShortageError):
                self._prepared = None

    def start(self) -> None:
        """Start the process now, not at the first command. Raises UnusableBotError."""
        self.engine  # noqa: B018 (the property starts it)

    def twin(self, number: int) -> Bot:
        """Another bot of the same command; `number` tells several apart where they need a seed."""
        kept = self._kept
        if kept is not None and kept.runs and kept.limits == self.limits:
            self._kept = None
            return kept
        self.release()
        other = Bot(self.launch, self.limits)
        other.queues = self.queues
        other.mute, other.chaser, other.chaser_text = self.mute, self.chaser, self.chaser_text
        other._deadline = self._deadline
        return other

    @property
    def runs(self) -> bool:
        """Whether its process runs."""
        return self._engine is not None and self._engine.alive

    def keep(self, twin: Bot) -> None:
        """Keep a running twin, which `twin` will return: another start may take seconds."""
        self.release()
        twin.take_record()
        self._kept = twin

    def release(self) -> None:
        """End the kept twin, if there is one."""
        kept, self._kept = self._kept, None
        if kept is not None:
            kept.__exit__(None, None, None)

    @staticmethod
    def wait_until(moment: float) -> None:
        """Sleep until a moment of the monotonic clock, in seconds."""
        time.sleep(max(0.0, moment - time.monotonic()))

    @property
    def history(self) -> tuple[bytes, ...]:
        """All lines sent to the running process; empty before its start."""
        return tuple(self._history) if self._engine is not None else ()

    @property
    def long_search(self) -> float:
        """Seconds of the longest search but one: the bot may have compiled during the longest."""
        return self._longest_searches[0]

    @property
    def usual_search(self) -> float:
        """Seconds of a search in the middle of all: most are made late in a game; 0 before the first."""
        return median(self._search_seconds) if self._search_seconds else 0.0

    def fresh(self) -> None:
        """Talk to a new process from here on."""
        if self._engine is not None and self._may_overlap():
            last, self._leaving, self._engine = self._leaving, self._engine, None
            self._close(last, politely=True)
            self._leaving.send(b"quit\n", timeout=self.limits.quit)
        else:
            self._end(politely=True)

    def _may_overlap(self) -> bool:
        """Whether the process in use may end while the next one is used already."""
        able = self.prepares and not self._stubborn and not self._input_ended
        return able and self.runs_beside_itself()

    def runs_beside_itself(self) -> bool:
        """Whether a second process answers while one is in use, which then still answers; found out once.

        Bots that hold a port, a lock or a device often do not. Nothing of this is recorded.
        """
        if self._beside is None:
            self._beside = self._two_answer()
            self.prepares = self.prepares and self._beside
            if not self.prepares:
                other, self._prepared = self._prepared, None
                self._close(other, politely=self._beside)
        return self._beside

    def _two_answer(self) -> bool:
        """Whether the process in use and the next one answer; one in use that does not is ended."""
        try:
            self._answers_now(self.engine)  # it has started, and holds what it needs
        except UnusableBotError:
            return False
        self._start_ahead()
        second, first = self._answers_now(self._prepared), self._answers_now(self._engine)
        if not first:
            self._end(politely=False)
        return first and second

    def _answers_now(self, engine: Engine | None) -> bool:
        """Whether a process answers; nothing is recorded."""
        if engine is None or not engine.alive:
            return False
        limit = self.within(max(self.limits.startup, self.limits.answer))
        return engine.ask(self.chaser, timeout=limit).ending not in UNANSWERED

    @contextmanager
    def patience(self, factor: float) -> Iterator[None]:
        """Multiply the time limits of answers, searches and ends while the context lasts."""
        limits = self.limits
        self.limits = replace(
            limits,
            startup=factor * limits.startup,
            answer=factor * limits.answer,
            quit=factor * limits.quit,
        )
        try:
            yield
        finally:
            self.limits = limits

    @contextmanager
    def until(self, deadline: float) -> Iterator[None]:
        """Raise TimeUpError at a moment of the monotonic clock: nothing is sent or awaited after it."""
        before, self._deadline = self._deadline, deadline
        try:
            yield
        finally:
            self._deadline = before

    def abort(self) -> None:
        """Kill the process, from another thread than the one that waits for its answer."""
        engine = self._engine
        if engine is not None:
            engine.abort()

    @staticmethod
    def machine_is_busy() -> bool:
        """Whether the machine is too busy to take the bot's silence for a fault."""
        return machine_is_busy()

    def load_excuses_silence(self) -> bool:
        """Whether the last silence may be due to what else runs on the machine."""
        return not self.hung and self.machine_is_busy()

    def answers_on_terminal(self, limits: Limits) -> bool:
        """Whether another process of the same bot answers where its input and output are a terminal."""
        return answers_on_terminal(self.launch, limits)

    def answers_when_input_closes(self, limits: Limits) -> bool:
        """Whether another process of the same bot answers once its input is closed."""
        return answers_when_input_closes(self.launch, limits)

    def ask(self, line: bytes, timeout: float | None = None) -> Exchange:
        """Send one line, wait for one answer. Raises BotInterruptedError if none comes."""
        if timeout is None and self._may_be_mute(line):
            return self._ask_carefully(line)
        self._keep_time()
        engine = self.engine
        limit = self._limit(line) if timeout is None else timeout
        self._history.append(line)
        exchange = engine.ask(line, timeout=self.within(limit))
        if exchange.ending == "timeout" and command_name(line) != b"genmove" and not exchange.raw:
            self._see_if_mute(line)
        return self._note(exchange)

    def _see_if_mute(self, line: bytes) -> None:
        """After a silence, see whether the process answers the next command: then it skips this one."""
        if self.chaser_text is None or line == self.chaser or time.monotonic() >= self._deadline:
            return
        self.engine.send(self.chaser)
        answer = self.engine.receive(self.within(CHASE_WAIT))
        if answer.ok and not answer.noise and answer.text.strip() == self.chaser_text:
            self.mute.add(command_name(line))

    def _may_be_mute(self, line: bytes) -> bool:
        """Whether a bot that leaves some commands without an answer may do so here too."""
        name = command_name(line)
        return bool(self.mute) and name not in self.mute and name != b"genmove" and line != self.chaser

    def _ask_carefully(self, line: bytes) -> Exchange:
        """Send one line that may stay without an answer. Raises BotInterruptedError soon if it does."""
        exchange = self.ask_chased(line)
        if command_name(line) not in self.mute:
            return exchange
        self.hung = True
        silence = exchange._replace(sent=line, raw=b"", noise=b"", answer=None, ending="timeout")
        raise BotInterruptedError(silence)

    def ask_many(self, lines: Sequence[bytes]) -> tuple[Exchange, ...]:
        """Send several commands, none of them a search, and wait for all answers.

        They are sent in one write if the bot `queues`. Raises BotInterruptedError if an answer is missing.
        """
        if not self.queues:
            return tuple(self.ask(line) for line in lines)
        self._keep_time()
        engine = self.engine
        limit = max((self._limit(line) for line in lines), default=0.0)
        self._history.extend(lines)
        exchanges = engine.ask_many(lines, timeout=self.within(limit))
        for exchange in exchanges:
            self._note(exchange)
        return exchanges

    def ask_chased(self, line: bytes) -> Exchange:
        """Send one line that may stay without an answer; if it does for `CHASE_WAIT` seconds, send `chaser`.

        The next answer is returned as that of both. Where it is that of `chaser`, `line` is `mute`. Raises
        BotInterruptedError if no answer comes.
        """
        self._keep_time()
        engine = self.engine
        limit = self._limit(line)
        self._history.append(line)
        exchange = engine.ask(line, timeout=self.within(min(CHASE_WAIT, self.limits.answer)))
        if exchange.ending != "timeout":
            return self._note(exchange)
        self._history.append(self.chaser)
        engine.send(self.chaser)
        answer = engine.receive(self.within(limit))
        both, noise = line + self.chaser, exchange.raw + answer.noise
        answer = self._note(answer._replace(sent=both, raw=exchange.raw + answer.raw, noise=noise))
        if answer.ok and self.chaser_text in (None, answer.text.strip()):
            if self.chaser_text is not None and not noise:
                self.mute.add(command_name(line))
        else:  # it was only late
            self._note(engine.receive(self.within(self.limits.answer)))
        return answer

    def receive(self, timeout: float | None = None) -> Exchange:
        """Wait for one more answer to what was sent. Raises BotInterruptedError if none comes."""
        return self._note(
            self.engine.receive(self.within(self.limits.answer if timeout is None else timeout))
        )

    def end_input(self) -> None:
        """Close the input of the process: a right bot ends."""
        self._input_ended = True
        self.engine.end_input()

    def await_end(self) -> Exchange:
        """What comes until the process ends, or until `Limits.quit` is over. Raises TimeUpError.

        A process that gets less than that from the processor is waited for longer. It has `hung` if it got
        it, or if it does nothing at all.
        """
        began, before = time.monotonic(), self._processor_seconds()
        for _ in range(MOST_WAITS):
            after = self.engine.receive(self.within(self.limits.quit))
            if after.ending != "timeout":
                break
            self._raise_if_late()
            used = self._processor_seconds()
            if before is None or used is None:
                break
            self.hung = used - before >= self._own_limits.quit or self._stands_still()
            if self.hung:
                break
        return after._replace(seconds=time.monotonic() - began)

    def set_up(self, lines: Iterable[bytes]) -> None:
        """Send lines that must all succeed.

        Raises BotInterruptedError, and CommandRefusedError for the first line that is refused.
        """
        if not self.queues:
            for line in lines:
                self._all_succeed([line])
            return
        plain: list[bytes] = []
        for line in lines:
            if command_name(line) == b"genmove":  # some engines stop a search when more input comes
                self._all_succeed(plain)
                self._all_succeed([line])
                plain = []
            else:
                plain.append(line)
        self._all_succeed(plain)

    def take_record(self) -> tuple[Exchange, ...]:
        """The exchanges since this was last called."""
        log, self._log = tuple(self._log), []
        return log

    def _all_succeed(self, lines: Sequence[bytes]) -> None:
        """Send lines together; raises CommandRefusedError for the first that is refused."""
        exchanges = () if not lines else (self.ask(lines[0]),) if len(lines) == 1 else self.ask_many(lines)
        for number, exchange in enumerate(exchanges):
            if not exchange.ok or refused_in_words(exchange):
                raise CommandRefusedError(exchange, self.history[: number - len(lines)])

    def _keep_time(self) -> None:
        if time.monotonic() > self._deadline:
            raise TimeUpError

    def within(self, limit: float) -> float:
        """A time limit in seconds, cut by the deadline."""
        return min(limit, max(0.0, self._deadline - time.monotonic())) if self._deadline < math.inf else limit

    def _raise_if_late(self) -> None:
        """Raise TimeUpError where the deadline may have ended a wait; the process is of no more use."""
        if time.monotonic() >= self._deadline:
            self._end(politely=False)
            raise TimeUpError

    def _processor_seconds(self) -> float | None:
        """Processor seconds that the process and its children have used."""
        return processor_seconds(self.engine.pid)

    def _stands_still(self) -> bool:
        """Whether the process does nothing at all; takes a moment."""
        return stands_still(self.engine.pid)

    def _limit(self, line: bytes) -> float:
        """The time limit in seconds of the answer to a line.

        The start-up limit holds for the first answer of each process, and until a first genmove on each board
        size, since bots load tables or compile when they first play or think on a size. Later searches get a
        multiple of the longest search so far.
        """
        name, *arguments = command_words(line) or (b"",)
        if name in self.mute:
            return CHASE_WAIT
        if name == b"boardsize":
            self._size = b" ".join(arguments)
        starting = not self._history or self._size not in self._tried
        if name == b"genmove":
            self._tried.add(self._size)
            return max(self.limits.startup, self.limits.answer, SEARCH_SLACK * self._longest_searches[-1])
        return max(self.limits.startup, self.limits.answer) if starting else self.limits.answer

    def note(self, exchange: Exchange) -> Exchange:
        """Record an exchange that was made with the engine itself, however it ended. Raises TimeUpError."""
        self._log.append(exchange)
        if exchange.ending == "timeout":
            self._raise_if_late()
        return exchange

    def _note(self, exchange: Exchange) -> Exchange:
        self._log.append(exchange)
        if exchange.ending in UNANSWERED:
            if exchange.ending == "timeout":
                self._raise_if_late()
                self.hung = self._stands_still()
            self._end(politely=False)
            raise BotInterruptedError(exchange)
        if exchange.ending == "answer":
            (self.obeyed if exchange.ok else self.refused).add(_printable_name(exchange.sent))
        if command_name(exchange.sent) == b"genmove":
            self._longest_searches = sorted([*self._longest_searches, exchange.seconds])[1:]
            if len(self._search_seconds) < REMEMBERED_SEARCHES:
                self._search_seconds.append(exchange.seconds)
        return exchange

    def _end(self, *, politely: bool) -> None:
        engine, self._engine = self._engine, None
        self._close(engine, politely=politely)

    def _close(self, engine: Engine | None, *, politely: bool) -> None:
        """Wait until an engine has ended by itself; kill it where that is not wanted, or failed before."""
        if engine is None:
            return
        if politely and not self._stubborn:
            self._stubborn = engine.close().forced
        else:
            engine.kill()


@lru_cache(MOST_NAMES)
def _printable_name(line: bytes) -> str:
    """The name of the command in a line."""
    return printable(command_name(line))
