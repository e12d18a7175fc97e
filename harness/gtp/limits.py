"""The limits of the wire: how long an engine may take, and how many bytes it may send."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from harness.gtp.syntax import command_name

SEARCH_COMMANDS = frozenset({b"genmove", b"reg_genmove"})
"""Commands that `Limits.search` is for."""

LimitName = Literal["startup", "answer", "search", "call"]

_PURPOSES: dict[LimitName, str] = {
    "startup": "the limit of the first answer",
    "answer": "the limit of an answer",
    "search": "the limit of a search",
    "call": "the limit given for this command",
}


@dataclass(frozen=True)
class TimeLimit:
    """One time limit in seconds, with the field of `Limits` it came from; "call": given by the caller."""

    name: LimitName
    seconds: float

    def __str__(self) -> str:
        return f"{self.seconds:g} s, {_PURPOSES[self.name]}"


time_limit = lru_cache(TimeLimit)
"""`TimeLimit`, made once for each limit: every command has one."""


@dataclass(frozen=True)
class Limits:
    """Time limits in seconds of wall clock, sizes in bytes. Every wait of the driver ends by one of these."""

    startup: float = 30.0  # until the first answer: engines load networks, virtual machines warm up
    answer: float = 10.0  # for every later answer, and for taking a command off the pipe
    search: float | None = None  # for the answer to a search command; None: the same as `answer`
    quit: float = 2.0  # from `quit` to the end of the process
    terminate: float = 1.0  # from the end of input to the end of the process, and again from SIGTERM
    reap: float = 1.0  # from the end of its output, or from SIGKILL, to the exit code
    blank_line: float = 1.0  # for `ask(blank_line=…)`: between an answer's first line and its blank line
    max_answer: int = 1 << 20  # one answer, with the noise before it
    stderr_kept: int = 64 << 10  # of stderr, the last bytes
    transcript_kept: int = 4 << 20  # of the conversation, the last bytes, with some for each event

    def for_command(self, line: bytes, *, first: bool) -> TimeLimit:
        """The limit of the answer to `line`; `first` if the process has not answered anything yet.

        A search as the first command of a process has the longer of the two limits.
        """
        if self.search is not None and command_name(line) in SEARCH_COMMANDS:
            if not (first and self.startup >= self.search):
                return time_limit("search", self.search)
        elif not first:
            return time_limit("answer", self.answer)
        return time_limit("startup", self.startup)
