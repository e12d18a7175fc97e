"""The time limits of an engine for each step, and how many bytes it may send; and the limits of one wait."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from harness.gtp.analysis_commands import GENMOVES, SEARCH
from harness.gtp.syntax import command_name

GENMOVE_ANALYSES = frozenset(name.encode("ascii") for name in GENMOVES)
"""Variants of genmove that print lines of analysis, and name the move in a line `play VERTEX`."""

SEARCH_COMMANDS = frozenset(name.encode("ascii") for name in ("genmove", "reg_genmove", *SEARCH, *GENMOVES))
"""Commands whose time limit is `Limits.search`."""

LimitName = Literal["startup", "answer", "search", "call"]

_PURPOSES: dict[LimitName, str] = {
    "startup": "the limit of the first answer",
    "answer": "the limit of an answer",
    "search": "the limit of a search",
    "call": "the limit given for this command",
}


@dataclass(frozen=True)
class TimeLimit:
    """A time limit in seconds, and the field of `Limits` that it comes from ("call": from the caller)."""

    name: LimitName
    seconds: float

    def __str__(self) -> str:
        return f"{self.seconds:g} s, {_PURPOSES[self.name]}"


time_limit = lru_cache(TimeLimit)
"""`TimeLimit`, cached: each command needs one, and they repeat."""


@dataclass(frozen=True)
class Limits:
    """Time limits in seconds of wall clock, one for each kind of wait for an engine; and sizes in bytes."""

    startup: float = 30.0  # until the first answer: engines load networks, virtual machines warm up
    answer: float = 10.0  # for every later answer, and for taking a command off the pipe
    search: float | None = None  # for the answer to a search command; None: the same as `answer`
    quit: float = 2.0  # from `quit` to the end of the process
    terminate: float = 1.0  # from the end of input to the end of the process, and again from SIGTERM
    reap: float = 1.0  # from the end of the output, or from SIGKILL, to the exit code
    blank_line: float = 1.0  # for `ask(blank_line=…)`: between an answer's first line and its blank line
    max_answer: int = 1 << 20  # size of one answer, with the noise before it
    stderr_kept: int = 64 << 10  # bytes kept of stderr: the last ones
    transcript_kept: int = 4 << 20  # bytes kept of the conversation, and of stderr, in events: the last ones

    def for_command(self, line: bytes, *, first: bool) -> TimeLimit:
        """Return the limit of the answer to `line`; `first`: the process has not answered anything yet.

        The first limit is `startup`; for a search it is `search`, if this is set and longer.
        """
        is_search = self.search is not None and command_name(line) in SEARCH_COMMANDS
        usual = time_limit("search", self.search) if is_search else time_limit("answer", self.answer)
        if first and (not is_search or self.startup >= usual.seconds):
            return time_limit("startup", self.startup)
        return usual


@dataclass
class WaitLimits:
    """The limits of one wait for an answer, on the monotonic clock in seconds.

    blank_line   longest silence after the first line of the answer, as for `Engine.ask`; None: no limit
    last_byte    time of the last output, or of the start of the wait; kept only for `blank_line`
    polled_late  the wait has polled once after its end
    """

    deadline: float = 0.0
    blank_line: float | None = None
    last_byte: float = 0.0
    polled_late: bool = False

    def end(self, *, line_complete: bool) -> float:
        """Return when the wait ends; `line_complete`: the first line of the answer has come."""
        if self.blank_line is None or not line_complete:
            return self.deadline
        return min(self.deadline, self.last_byte + self.blank_line)
