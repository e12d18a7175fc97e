"""The processes of a bot, its time limits, and the record of its exchanges. `Bot` adds the asking."""

from __future__ import annotations

import time
from functools import lru_cache

from harness.check.bot.chaser import CHASE_WAIT, Chaser
from harness.check.bot.errors import BotInterruptedError, TimeUpError
from harness.check.bot.load import Processor
from harness.check.bot.processes import Processes
from harness.check.bot.time_limits import TimeLimits
from harness.gtp import (
    Engine,
    Exchange,
    Launch,
    Limits,
    Stream,
    answers_on_terminal,
    answers_when_input_closes,
    command_name,
    printable,
)

MOST_NAMES = 1 << 13
"""Size of the cache of command names, in lines; chosen: more lines than the set-ups of all checks have."""


class RecordedBot:
    """The state of one bot. Every exchange is recorded; `take_record()` returns them.

    processes  its processes
    times      its time limits
    chaser     a command that the bot answers, and the commands that it never answers
    processor  measures the processor time of the bot and the load of the machine
    queues     the bot answers several commands of one write; `introduction_of` finds this out and sets it
    obeyed     names of the commands that succeeded at least once
    refused    names of the commands that were refused at least once
    hung       at the last silence the process was idle, or had its full share of processor time: a busy
               machine is then no excuse
    """

    def __init__(self, launch: Launch, limits: Limits, processor: Processor | None = None) -> None:
        self.times = TimeLimits(limits)
        self.processes = Processes(launch, self.times)
        self.chaser = Chaser()
        self.processor = processor or Processor()
        self.hung = False
        self.queues = False
        self.obeyed: set[str] = set()
        self.refused: set[str] = set()
        self._stream: Stream | None = None  # an answer that goes on until the next line, not yet recorded
        self._ended: Exchange | None = None  # the exchange of the stream that the last line ended
        self._log: list[Exchange] = []

    # --- its processes -------------------------------------------------------------------------------------

    @property
    def launch(self) -> Launch:
        """The command, folder and environment of its processes."""
        return self.processes.launch

    @property
    def limits(self) -> Limits:
        """The time limits in force."""
        return self.times.now

    def running_engine(self) -> Engine:
        """Return the engine in use, after starting one if there is none. Raises UnusableBotError."""
        return self.processes.in_use or self.processes.start()

    def start(self) -> None:
        """Start the process now, not at the first command. Raises UnusableBotError."""
        self.running_engine()

    @property
    def history(self) -> tuple[bytes, ...]:
        """All lines sent to the running process; empty before its start."""
        return tuple(self.processes.sent) if self.processes.in_use is not None else ()

    def fresh(self) -> None:
        """Leave the process in use; the next command starts a new one."""
        if self.processes.may_overlap() and self.allows_two_instances():
            self.processes.retire()
        else:
            self.processes.end(politely=True)

    def allows_two_instances(self) -> bool:
        """Return whether a second process answers while one is in use. Tried once, and not recorded."""
        return self.processes.allows_two(self.chaser.line)

    def abort(self) -> None:
        """Kill the process while another thread waits for its answer."""
        engine = self.processes.in_use
        if engine is not None:
            engine.abort()

    def find_answers_elsewhere(self, limits: Limits) -> str:
        """Return where a new process answers if not on a pipe: a phrase for a report; empty for nowhere."""
        if answers_on_terminal(self.launch, limits):
            return "on a terminal"
        return "when its input is closed" if answers_when_input_closes(self.launch, limits) else ""

    # --- time ----------------------------------------------------------------------------------------------

    @staticmethod
    def wait_until(moment: float) -> None:
        """Sleep until a moment of the monotonic clock, in seconds."""
        time.sleep(max(0.0, moment - time.monotonic()))

    def load_excuses_silence(self) -> bool:
        """Return whether other processes on the machine may be the cause of the last silence."""
        return not self.hung and self.processor.machine_is_busy()

    def _limit(self, line: bytes) -> float:
        """Return the time limit of the answer to a line, in seconds."""
        if self.chaser.is_mute(line):
            return CHASE_WAIT
        return self.times.next_limit(line, first=not self.processes.sent)

    def _raise_if_late(self) -> None:
        """After the deadline: end the process, whose answer is still missing, and raise TimeUpError."""
        if self.times.is_up():
            self.processes.end(politely=False)
            raise TimeUpError

    # --- the record ---------------------------------------------------------------------------------------

    @property
    def record(self) -> tuple[Exchange, ...]:
        """The exchanges since the last call of `take_record`."""
        return tuple(self._log)

    def take_record(self) -> tuple[Exchange, ...]:
        """Return the exchanges since the last call."""
        log, self._log = tuple(self._log), []
        return log

    def note(self, exchange: Exchange) -> Exchange:
        """Record an exchange that the caller made by the engine, however it ended. Raises TimeUpError."""
        self._note_stream()
        self._log.append(exchange)
        if exchange.ending == "timeout":
            self._raise_if_late()
        return exchange

    def _note_answer(self, exchange: Exchange) -> Exchange:
        """Record an exchange that needs an answer. Raises BotInterruptedError or TimeUpError without one."""
        self._note_stream()
        self._log.append(exchange)
        if not exchange.is_answered:
            if exchange.ending == "timeout":
                self._raise_if_late()
                self.hung = self.processor.stands_still(self.running_engine())
            self.processes.end(politely=False)
            raise BotInterruptedError(exchange)
        # The answer after a mute command is that of the chaser.
        if exchange.ending == "answer" and not self.chaser.is_mute(exchange.sent):
            (self.obeyed if exchange.ok else self.refused).add(_printable_name(exchange.sent))
        self.times.note_answer(exchange.sent)
        if not self.processes.answered:
            self.processes.answered = True
            self.times.note_start(exchange.seconds)
        if command_name(exchange.sent) == b"genmove":
            self.times.note_search(exchange.seconds)
        return exchange

    def take_analysis(self) -> Exchange | None:
        """Return the exchange of the analysis that ended since the last call; None if none did."""
        ended, self._ended = self._ended, None
        return ended

    def _note_stream(self) -> None:
        """Record the exchange of the stream, if it has ended."""
        if self._stream is not None and self._stream.exchange is not None:
            self._ended = self._stream.exchange
            self._log.append(self._ended)
            self._stream = None


@lru_cache(MOST_NAMES)
def _printable_name(line: bytes) -> str:
    """The name of the command in a line."""
    return printable(command_name(line))
