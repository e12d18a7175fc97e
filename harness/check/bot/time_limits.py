"""How long an answer of a bot may take: by the command, by the searches so far, by the end of the run."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from statistics import median

from harness.check.bot.errors import TimeUpError
from harness.gtp import Limits, command_words

SEARCH_SLACK = 10.0
"""Factor on the longest search so far; a longer search is silence. Chosen: more waits longer for a hang."""

REMEMBERED_SEARCHES = 1_000
"""Number of first searches from which the usual duration is taken; chosen: more change the median little."""


class TimeLimits:
    """The time limits of one bot, which follow from what was asked and how long its searches took.

    now       the limits in force
    own       the limits without `patience`
    deadline  the end of everything, by the monotonic clock
    """

    def __init__(self, limits: Limits) -> None:
        self.now = self.own = limits
        self.deadline = math.inf
        self._longest_searches = [0.0, 0.0]  # in seconds, the longest last
        self._search_seconds: list[float] = []
        self._size = b""
        self._tried: set[bytes] = set()  # board sizes on which it was asked for a move

    @property
    def start(self) -> float:
        """The limit of a first answer, in seconds."""
        return max(self.now.startup, self.now.answer)

    def limit_of(self, line: bytes, *, first: bool) -> float:
        """Return the time limit in seconds of the answer to a line, which may be the first of its process.

        The start-up limit holds for the first answer of each process, and until a first genmove on each board
        size, since bots load tables or compile when they first play or think on a size. Later searches get a
        multiple of the longest search so far.
        """
        name, *arguments = command_words(line) or (b"",)
        if name == b"boardsize":
            self._size = b" ".join(arguments)
        starting = first or self._size not in self._tried
        if name == b"genmove":
            self._tried.add(self._size)
            return max(self.start, SEARCH_SLACK * self._longest_searches[-1])
        return self.start if starting else self.now.answer

    def note_search(self, seconds: float) -> None:
        """Remember how long a search took."""
        self._longest_searches = sorted([*self._longest_searches, seconds])[1:]
        if len(self._search_seconds) < REMEMBERED_SEARCHES:
            self._search_seconds.append(seconds)

    @property
    def long_search(self) -> float:
        """Seconds of the longest search but one: the bot may have compiled during the longest."""
        return self._longest_searches[0]

    @property
    def usual_search(self) -> float:
        """Seconds of a search in the middle of all: most are made late in a game; 0 before the first."""
        return median(self._search_seconds) if self._search_seconds else 0.0

    def within(self, limit: float) -> float:
        """Return a time limit in seconds, cut by the deadline."""
        return min(limit, max(0.0, self.deadline - time.monotonic())) if self.deadline < math.inf else limit

    def is_up(self) -> bool:
        """Return whether the deadline is reached."""
        return time.monotonic() >= self.deadline

    def raise_if_up(self) -> None:
        """Raise TimeUpError after the deadline."""
        if time.monotonic() > self.deadline:
            raise TimeUpError

    @contextmanager
    def patience(self, factor: float) -> Iterator[None]:
        """Multiply the time limits of answers, searches and ends while the context lasts."""
        limits = self.now
        self.now = replace(
            limits,
            startup=factor * limits.startup,
            answer=factor * limits.answer,
            quit=factor * limits.quit,
        )
        try:
            yield
        finally:
            self.now = limits

    @contextmanager
    def until(self, deadline: float) -> Iterator[None]:
        """Raise TimeUpError at a moment of the monotonic clock: nothing is sent or awaited after it."""
        before, self.deadline = self.deadline, deadline
        try:
            yield
        finally:
            self.deadline = before
