"""`Stop`: a request to end this start of a run, by a person or by a limit.

The run can be continued later by another start.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable

from harness.arena.config.pair_tables import MOST_GAMES


class Stop:
    """A request to stop.

    asked         0: not requested; 1: no game starts, the games in flight are finished; 2 or more: they are
                  dropped. The time limit requests a stop; the limit of games does not
    limit         which limit was reached, as a sentence; empty: none
    interrupted   True if `ask` was called, and not only a limit was reached
    """

    def __init__(
        self,
        max_games: int | None = None,
        seconds: float | None = None,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        """Limits of one start, None for no limit: games that are given out, and time."""
        self.asked = 0
        self.limit = ""
        self.interrupted = False
        self._max_games = max_games
        self._now = now
        self._seconds = seconds
        self._deadline = math.inf if seconds is None else now() + seconds

    def ask(self) -> None:
        """Request a stop; an immediate one if a stop was already requested, also by the time limit."""
        self.interrupted = True
        self.asked += 1

    def ask_when_late(self) -> None:
        """Request a stop if the time of this start is over, unless one was requested already."""
        if not self.asked and self._now() >= self._deadline:
            self.limit = f"the time of this start is over ({self._seconds:g} s)"
            self.asked = 1

    def room(self, given: int) -> int:
        """Return how many games may still be given out after `given` ones: MOST_GAMES without a limit."""
        return MOST_GAMES if self._max_games is None else max(0, self._max_games - given)

    def note_given(self, given: int) -> None:
        """Set `limit` if no game may be given out after `given` ones."""
        if not self.room(given):
            self.limit = f"this start has played all its games ({self._max_games:,})"
