"""`Exchange`: one command and its answer. `Exit`: how an engine's process ended. Both are plain data."""

from __future__ import annotations

import signal as signals
from dataclasses import dataclass
from typing import Literal, NamedTuple

from harness.gtp.limits import TimeLimit
from harness.gtp.syntax import Answer, Malformed, command_id, parse_answer

Ending = Literal["answer", "timeout", "eof", "oversize", "malformed"]

LOST_RETURNCODE = 256
"""Stands for the return code of a process that has ended in an unknown way. Real codes end at 255."""


@dataclass(frozen=True)
class Exit:
    """How a process ended: with an exit code or by a signal. `forced`: a signal of the harness ended it.

    If both are None, either the process still ran some time after SIGKILL; or it has ended, and something
    else in this process took its exit code (`lost`).
    """

    code: int | None
    signal: int | None
    forced: bool
    lost: bool = False

    @classmethod
    def from_returncode(cls, returncode: int, forced: bool) -> Exit:
        """Convert a return code of `subprocess`, where a negative number is a signal, or LOST_RETURNCODE."""
        if returncode == LOST_RETURNCODE:
            return cls(None, None, forced, lost=True)
        if returncode < 0:
            return cls(None, -returncode, forced)
        return cls(returncode, None, forced)

    def __str__(self) -> str:
        if self.lost:
            return "ended (its exit code is lost)"
        if self.signal is None and self.code is None:
            return "did not end after the harness sent SIGKILL"
        if self.signal is None:
            how = f"ended with exit code {self.code}"
        else:
            how = f"ended by {_signal_name(self.signal)}"
        if not self.forced:
            return how
        return f"{how}, sent by the harness" if self.signal else f"{how} after a signal from the harness"


def _signal_name(number: int) -> str:
    try:
        return signals.Signals(number).name
    except ValueError:  # real-time signals have no name
        return f"signal {number}"


class Exchange(NamedTuple):
    """One command, and the engine's output until its answer, or until the wait for it ended.

    sent     all bytes of the command, also those that the engine did not take (see `unsent`)
    raw      every byte received during the exchange: `noise`, then the answer. Each byte that is received
             belongs to exactly one exchange
    answer   the answer if it is well-formed, else None; `fault` then names the first error in it
    ending   answer     a well-formed answer came
             malformed  an answer breaks the grammar, or its blank line did not come (see `Engine.ask`)
             timeout    the time limit was reached first; `raw` holds the bytes that came before
             eof        the output ended first; `exit` is how the process ended, None if it still runs
             oversize   more than `Limits.max_answer` bytes came without an end
    noise    the bytes before the answer's sign: log lines, stray blank lines, answers to no command
    seconds  from the first byte sent to the end of the answer or of the wait; for a later command of
             `Engine.ask_many`, from the end of the answer before
    unsent   number of bytes of `sent` that the engine did not take in time
    limit    the time limit that was reached, with its name; None unless the ending is "timeout"
    wrote    the line on stderr that says why the output ended; empty if there is none, and unless "eof"
    """

    sent: bytes
    raw: bytes
    answer: Answer | None
    ending: Ending
    noise: bytes
    seconds: float
    exit: Exit | None = None
    unsent: int = 0
    limit: TimeLimit | None = None
    wrote: str = ""

    @property
    def ok(self) -> bool:
        """A well-formed success answer came."""
        return self.answer is not None and self.answer.ok

    @property
    def is_answered(self) -> bool:
        """An answer came, well-formed or not: no death, no silence and no flood."""
        return self.ending in ("answer", "malformed")

    @property
    def text(self) -> str:
        """The answer's text, or what a lenient reader finds in a malformed or cut answer; else empty."""
        reading = self.answer if self.answer is not None else self.fault and self.fault.reading
        return reading.text if reading else ""

    @property
    def fault(self) -> Malformed | None:
        """The first error of grammar in the bytes that came; None for a well-formed answer."""
        if self.answer is not None:
            return None
        judged = parse_answer(self.raw[len(self.noise) :], command_id(self.sent))
        return judged if isinstance(judged, Malformed) else None
