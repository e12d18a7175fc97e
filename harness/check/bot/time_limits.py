"""Time limit of each answer of a bot, by its command, the searches so far and the end of the run."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from statistics import median

from harness.check.bot.errors import TimeUpError
from harness.gtp import GENMOVE_ANALYSES, Limits, command_name, command_words

SEARCH_SLACK = 10.0
"""Time limit of a search, as a multiple of the longest so far. Chosen: searches differ less, and a larger
multiple waits longer for a hung bot."""

START_SLACK = 10.0
"""Time limit of a first answer, as a multiple of the longest so far; chosen as `SEARCH_SLACK`."""

REMEMBERED_SEARCHES = 1_000
"""Number of first searches whose median duration is taken; chosen: more change the median little."""


SEARCHES = frozenset({b"genmove", b"reg_genmove"}) | GENMOVE_ANALYSES
"""Commands with the time limit of a search. An endless analysis has `limit_of_analysis` for each line."""


class TimeLimits:
    """The time limits of one bot.

    now            the limits in force
    own            the limits without the factor of `patience`
    deadline       no answer is awaited after it, by the monotonic clock in seconds
    first_search   the duration of the first search, in seconds; 0 before it
    last_search    the duration of the last search, in seconds; 0 before the first
    longest_start  the longest time until a first answer of a process; infinite before the first
    """

    def __init__(self, limits: Limits) -> None:
        self.now = self.own = limits
        self.deadline = math.inf
        self.first_search = self.last_search = 0.0
        self.longest_start = math.inf
        self._longest_searches = [0.0, 0.0]  # the two longest, in seconds, longest last
        self._search_seconds: list[float] = []
        self._size = b""
        self._tried: set[bytes] = set()  # board sizes with a genmove so far
        self._answered: set[tuple[bytes, bytes]] = set()  # board sizes, and commands answered on them

    @property
    def start(self) -> float:
        """The time limit of the first answer of a process, in seconds.

        It is the start-up limit, or START_SLACK times the longest start so far if that is less. It is never
        below the limit of an answer.
        """
        return max(min(self.now.startup, START_SLACK * self.longest_start), self.now.answer)

    @property
    def _loading(self) -> float:
        """The time limit of an answer for which a bot may load tables or compile, in seconds."""
        return max(self.now.startup, self.now.answer)

    def next_limit(self, line: bytes, *, first: bool) -> float:
        """Return the time limit of the answer to the next line, in seconds.

        Call it for every line, in order: it records the sizes that lines set and the sizes with a search.

        first   the line is the first of its process

        A search has the start-up limit, or SEARCH_SLACK times the longest search so far if that is more. The
        start-up limit also holds for a command that was not answered yet on the board size, before the first
        search on that size: bots may load tables or compile there. Otherwise the limit is `start` for the
        first line of a process, and `Limits.answer` for any other line. No limit is below `Limits.answer`.
        """
        name, *arguments = command_words(line) or (b"",)
        if name == b"boardsize":
            self._size = b" ".join(arguments)
        known = self._size in self._tried or (self._size, name) in self._answered
        if name in SEARCHES:
            self._tried.add(self._size)
            return max(self._loading, SEARCH_SLACK * self._longest_searches[-1])
        if not known:
            return self._loading
        return self.start if first else self.now.answer

    def limit_of_analysis(self, line: bytes, *, first: bool) -> float:
        """Return the time limit of one line of an analysis, in seconds: an engine may search for each."""
        return max(self.next_limit(line, first=first), SEARCH_SLACK * self._longest_searches[-1])

    def note_answer(self, line: bytes) -> None:
        """Record that the bot has answered a line on the size of the last boardsize line."""
        self._answered.add((self._size, command_name(line)))

    def note_start(self, seconds: float) -> None:
        """Record the duration of a first answer."""
        self.longest_start = seconds if self.longest_start == math.inf else max(self.longest_start, seconds)

    def note_search(self, seconds: float) -> None:
        """Record the duration of a search."""
        self.first_search = self.first_search or seconds
        self.last_search = seconds
        self._longest_searches = sorted([*self._longest_searches, seconds])[1:]
        if len(self._search_seconds) < REMEMBERED_SEARCHES:
            self._search_seconds.append(seconds)

    @property
    def long_search(self) -> float:
        """Seconds of the second longest search, 0 until then. The bot may have compiled in the longest."""
        return self._longest_searches[0]

    @property
    def usual_search(self) -> float:
        """Median seconds of the first REMEMBERED_SEARCHES searches; 0 without a search."""
        return median(self._search_seconds) if self._search_seconds else 0.0

    def within(self, limit: float) -> float:
        """Return a time limit in seconds, shortened to end at the deadline; 0 after the deadline."""
        return min(limit, max(0.0, self.deadline - time.monotonic())) if self.deadline < math.inf else limit

    def is_up(self) -> bool:
        """Return whether the deadline is reached."""
        return time.monotonic() >= self.deadline

    def raise_if_up(self) -> None:
        """Raise TimeUpError if the deadline is reached."""
        if self.is_up():
            raise TimeUpError

    @contextmanager
    def patience(self, factor: float) -> Iterator[None]:
        """Multiply the limits of starts, answers and ends while the context lasts."""
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
        """Set the deadline while the context lasts. Commands after the deadline raise TimeUpError."""
        before, self.deadline = self.deadline, deadline
        try:
            yield
        finally:
            self.deadline = before
