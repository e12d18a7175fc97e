r"""The bot under test: sends lines, applies time limits, records every exchange, restarts a dead process.

Most callers use `set_up` for lines that must succeed and `ask` for a line whose answer they judge:

    with Bot(launch, limits) as bot:
        bot.set_up([b"boardsize 9\n", b"clear_board\n"])
        exchange = bot.ask(b"genmove b\n")     # exchange.text is the move

After a silence, the chaser (a command that the bot answers) shows whether the bot has hung, or never answers
the one command: then the command is mute. Whatever sends or waits may raise TimeUpError, if the time of the
run is up, and UnusableBotError, if no process starts.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from types import TracebackType
from typing import Self

from harness.check.bot.chaser import CHASE_WAIT, chase, silence_of
from harness.check.bot.errors import BotInterruptedError, CommandRefusedError
from harness.check.bot.load import MOST_WAITS, Processor
from harness.check.bot.recorded_bot import RecordedBot
from harness.check.bot.refusals import is_obeyed
from harness.gtp import (
    ENDLESS_COMMANDS,
    SEARCH_COMMANDS,
    Exchange,
    Launch,
    Limits,
    Stream,
    command_name,
)
from harness.gtp.stream import exchange_of


class Bot(RecordedBot):
    """A context manager around one bot: sends lines, awaits answers. `RecordedBot` describes its fields."""

    def __init__(self, launch: Launch, limits: Limits, processor: Processor | None = None) -> None:
        super().__init__(launch, limits, processor)
        self._kept: Bot | None = None  # a running instance for the next call of `another_instance`

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.processes.end_all(politely=kind is None)
        self.end_kept_instance()

    # --- other instances -----------------------------------------------------------------------------------

    def another_instance(self, number: int) -> Bot:
        """Return another `Bot` with the same command: the kept one if it runs under the same limits.

        number   of the instance, from 1; a bot inside this process changes its seed by it
        """
        kept = self._kept
        if kept is not None and kept.processes.is_running and kept.limits == self.limits:
            self._kept = None
            return kept
        self.end_kept_instance()
        other = Bot(self.launch, self.limits, self.processor)
        other.queues = self.queues
        other.chaser = self.chaser
        other.times.deadline = self.times.deadline
        other.times.longest_start = self.times.longest_start
        return other

    def keep_instance(self, other: Bot) -> None:
        """Keep a running instance for the next call of `another_instance`: a start may take seconds."""
        self.end_kept_instance()
        other.take_record()
        self._kept = other

    def end_kept_instance(self) -> None:
        """End the kept instance, if there is one."""
        kept, self._kept = self._kept, None
        if kept is not None:
            kept.__exit__(None, None, None)

    # --- asking --------------------------------------------------------------------------------------------

    def ask(self, line: bytes, timeout: float | None = None) -> Exchange:
        """Send one line, return its answer. Raises BotInterruptedError if no answer comes.

        The answer to an endless analysis is returned up to its first line; `timeout` does not count there.

        timeout   in seconds; None: the limit of `TimeLimits` for this line
        """
        if command_name(line) in ENDLESS_COMMANDS:
            return self._ask_for_first_line(line)
        if timeout is None and self.chaser.may_be_mute(line):
            return self._ask_carefully(line)
        self.times.raise_if_up()
        engine = self.running_engine()
        limit = self._limit(line) if timeout is None else timeout
        self.processes.sent.append(line)
        exchange = engine.ask(line, timeout=self.times.within(limit))
        if exchange.ending == "timeout" and command_name(line) not in SEARCH_COMMANDS and not exchange.raw:
            self._see_if_mute(line)
        return self._note_answer(exchange)

    def begin(self, line: bytes) -> Stream:
        """Send a command whose answer goes on until the next line, such as lz-analyze. Does not wait.

        The next line that is sent ends it; its exchange is then recorded before that of the line.
        """
        self.times.raise_if_up()
        engine, limit = self.running_engine(), self._limit(line)
        self.processes.sent.append(line)
        stream = engine.begin(line, timeout=self.times.within(limit))
        self._note_stream()
        self._stream = stream
        return stream

    def await_line(self, stream: Stream, seconds: float | None = None) -> bytes | None:
        """Wait for one more line of a stream. None if its answer has ended, or after `seconds`.

        Without `seconds`, the line must come within the time limit of an answer, or of a search if that is
        longer. Raises BotInterruptedError if it does not, if the bot closes its output, and if the answer is
        too long.
        """
        first = len(self.processes.sent) == 1
        limit = self.times.limit_of_analysis(stream.sent, first=first) if seconds is None else seconds
        line = stream.next_line(self.times.within(limit))
        if line is None and seconds is None:
            stream.give_up()
        if stream.exchange is not None and not stream.exchange.is_answered:
            self._stream = None
            self._note_answer(stream.exchange)
        return line

    def _ask_for_first_line(self, line: bytes) -> Exchange:
        """Begin an analysis and wait for its first line, so that a history with it can be sent again.

        Return what has come of its answer.
        """
        stream = self.begin(line)
        for _ in range(2):  # the sign, and a line of analysis
            self.await_line(stream)
        return stream.exchange or exchange_of(line, bytes(stream.noise), bytes(stream.raw) + b"\n", 0.0)

    def _see_if_mute(self, line: bytes) -> None:
        """After a silence, send the chaser. If the bot answers it, note the command of `line` as mute."""
        if self.chaser.text is None or line == self.chaser.line or self.times.is_up():
            return
        answer = chase(self.running_engine(), self.chaser, line, b"", self.times.within(CHASE_WAIT))
        self.chaser.note_if_mute(line, answer)

    def _ask_carefully(self, line: bytes) -> Exchange:
        """Ask as `ask_chased` does, but raise BotInterruptedError if the bot never answers the line."""
        exchange = self.ask_chased(line)
        if not self.chaser.is_mute(line):
            return exchange
        self.hung = True
        raise BotInterruptedError(silence_of(line, exchange))

    def ask_many(self, lines: Sequence[bytes]) -> tuple[Exchange, ...]:
        """Send several commands, none of them a search, and wait for all answers.

        A bot that `queues` gets them in one write. Raises BotInterruptedError if an answer is missing.
        """
        if not self.queues:
            return tuple(self.ask(line) for line in lines)
        self.times.raise_if_up()
        engine = self.running_engine()
        limit = max((self._limit(line) for line in lines), default=0.0)
        self.processes.sent.extend(lines)
        exchanges = engine.ask_many(lines, timeout=self.times.within(limit))
        for exchange in exchanges:
            self._note_answer(exchange)
        return exchanges

    def ask_chased(self, line: bytes) -> Exchange:
        """Send a line that some bots never answer; after `CHASE_WAIT` seconds of silence send the chaser too.

        Return the next answer as that of both lines. If it is the answer to the chaser, note the line as mute
        (see `Chaser`). Raises BotInterruptedError if no answer comes.
        """
        self.times.raise_if_up()
        engine, limit = self.running_engine(), self._limit(line)
        self.processes.sent.append(line)
        exchange = engine.ask(line, timeout=self.times.within(min(CHASE_WAIT, self.limits.answer)))
        if exchange.ending != "timeout":
            return self._note_answer(exchange)
        self.processes.sent.append(self.chaser.line)
        answer = chase(engine, self.chaser, line, exchange.raw, self.times.within(limit))
        self.chaser.note_if_mute(line, answer)
        self._note_answer(answer)
        if self.chaser.was_late(answer):
            self.receive()
        return answer

    def receive(self, timeout: float | None = None) -> Exchange:
        """Wait for one more answer to the lines already sent. Raises BotInterruptedError if none comes."""
        limit = self.limits.answer if timeout is None else timeout
        return self._note_answer(self.running_engine().receive(self.times.within(limit)))

    def end_input(self) -> None:
        """Close the input of the process. A right bot then ends."""
        self.running_engine().end_input()
        self.processes.input_ended = True

    def await_end(self) -> Exchange:
        """Wait until the process ends, or for `Limits.quit`; return its last output. Raises TimeUpError.

        Make up to MOST_WAITS such waits while the process is short of processor time. It has `hung` once it
        has used `Limits.quit` seconds of processor time, or if it is idle. The output is not recorded.
        """
        began, engine = time.monotonic(), self.running_engine()
        before = self.processor.seconds(engine)
        for _ in range(MOST_WAITS):
            after = engine.receive(self.times.within(self.limits.quit))
            if after.ending != "timeout":
                break
            self._raise_if_late()
            used = self.processor.seconds(engine)
            if before is None or used is None:
                break
            self.hung = used - before >= self.times.own.quit or self.processor.stands_still(engine)
            if self.hung:
                break
        return after._replace(seconds=time.monotonic() - began)

    def set_up(self, lines: Iterable[bytes]) -> None:
        """Send lines that must all succeed.

        Raises BotInterruptedError, and CommandRefusedError for the first line that is refused.
        """
        if not self.queues:
            for line in lines:
                self._set_up_at_once([line])
            return
        plain: list[bytes] = []
        for line in lines:
            if command_name(line) == b"genmove":  # some engines stop a search when more input comes
                self._set_up_at_once(plain)
                self._set_up_at_once([line])
                plain = []
            else:
                plain.append(line)
        self._set_up_at_once(plain)

    def _set_up_at_once(self, lines: Sequence[bytes]) -> None:
        """Send lines in one write, if there are any. Raises CommandRefusedError for the first refused one."""
        if not lines:
            return
        self.times.raise_if_up()
        self.running_engine()  # its start may already send lines
        sent = len(self.processes.sent)
        exchanges = (self.ask(lines[0]),) if len(lines) == 1 else self.ask_many(lines)
        for number, exchange in enumerate(exchanges):
            if not is_obeyed(exchange):  # the chaser may have been sent after it
                raise CommandRefusedError(exchange, tuple(self.processes.sent[: sent + number]))
