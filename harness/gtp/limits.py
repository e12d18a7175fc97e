"""`Limits`: how long an engine may take for each step, and how many bytes it may send."""

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
    """Time limits in seconds of wall clock, and sizes in bytes. Each wait for an engine has one of them."""

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
        """The limit of the answer to `line`; `first`: the process has not answered anything yet.

        If the first command is a search, the longer of `startup` and `search` is its limit.
        """
        if self.search is not None and command_name(line) in SEARCH_COMMANDS:
            if not (first and self.startup >= self.search):
                return time_limit("search", self.search)
        elif not first:
            return time_limit("answer", self.answer)
        return time_limit("startup", self.startup)
