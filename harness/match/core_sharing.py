"""Engines that answer at once share a core with the worker that asks them.

To wake an idle core takes longer than such an engine takes for a move: a game in which three processes take
turns on one core is several times as fast. An engine that thinks must not be held so: its threads may want
every core.

So a game is held on one core only if both engines answered within `AT_ONCE`, on average, in a game in which
they were free, and each is one process of one thread that has not chosen its cores itself. Who is slower when
held, by `SLOWER`, is set free, and so is a game that takes longer than `LONGEST`, in the midst of it. Every
`CYCLE` a game is free again: engines are measured anew, and the system may choose another core.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from statistics import fmean, median
from time import monotonic

import psutil

from harness.match.player import Player
from harness.match.records import GameRecord

AT_ONCE = 0.001  # seconds of an answer; beyond that the time to wake a core is no matter
SLOWER = 1.5  # times the seconds of an answer: less than what two busy threads would lose
CYCLE = 2.0  # seconds from one free game to the next
LONGEST = 0.5  # seconds of a game


@dataclass(frozen=True)
class _Pace:
    """What is known of the process of an engine, until a time."""

    free: float  # seconds of an answer when it was free: the median, as one pause of the system is no matter
    may_be_held: bool
    until: float


class CoreSharing:
    """Where the main thread of a worker, and the engines of its games, may run. Needs Linux."""

    def __init__(self, cores: Sequence[int]) -> None:
        """`cores`: where games may be held."""
        self._cores = cores
        self._everywhere = os.sched_getaffinity(0)
        self._paces: dict[int, _Pace] = {}
        self._held: set[int] = set()
        signal.signal(signal.SIGALRM, lambda *_: self._give_up())

    def before_game(self, black: Player, white: Player) -> None:
        """Hold the game that begins, or see that it is free."""
        now = monotonic()
        paces = {pid: self._paces.get(pid) for pid in (black.pid, white.pid) if pid is not None}
        if len(paces) == 2 and all(pace and pace.may_be_held and now < pace.until for pace in paces.values()):
            self._hold(set(paces))
            signal.setitimer(signal.ITIMER_REAL, LONGEST)
        else:
            self._set_free()

    def after_game(self, black: Player, white: Player, record: GameRecord) -> None:
        """Learn from it which engines may be held."""
        signal.setitimer(signal.ITIMER_REAL, 0)
        now = monotonic()
        self._paces = {pid: pace for pid, pace in self._paces.items() if now < pace.until}
        for colour, player in (("b", black), ("w", white)):
            seconds = [search.seconds for search in record.searches if search.colour == colour]
            if player.pid is None or not seconds:
                continue
            pace = self._paces.get(player.pid)
            if player.pid in self._held:
                if pace and median(seconds) > SLOWER * pace.free:
                    self._paces[player.pid] = replace(pace, may_be_held=False)
            elif pace is None:
                at_once = fmean(seconds) < AT_ONCE and self._is_alone(player.pid)
                self._paces[player.pid] = _Pace(median(seconds), at_once, now + CYCLE)

    def _is_alone(self, pid: int) -> bool:
        """One process of one thread, free to run everywhere."""
        with suppress(psutil.Error, OSError):
            process = psutil.Process(pid)
            at_large = os.sched_getaffinity(pid) == self._everywhere
            return at_large and process.num_threads() == 1 and not process.children()
        return False

    def _hold(self, engines: set[int]) -> None:
        """Keep us and these engines on the core on which we are."""
        if not self._held:
            here = psutil.Process().cpu_num()
            self._core = here if here in self._cores else self._cores[0]
            os.sched_setaffinity(0, {self._core})
        for pid in engines - self._held:
            with suppress(OSError):  # it has ended, which the game will tell
                os.sched_setaffinity(pid, {self._core})
        self._held |= engines

    def _set_free(self) -> None:
        """Let us, and all that was held with us, run everywhere."""
        if not self._held:
            return
        os.sched_setaffinity(0, self._everywhere)
        for pid in self._held:
            self._set_family_free(pid)
        self._held = set()

    def _give_up(self) -> None:
        """The game in play takes too long to be held."""
        for pid in self._held & self._paces.keys():
            self._paces[pid] = replace(self._paces[pid], may_be_held=False)
        self._set_free()

    def _set_family_free(self, pid: int) -> None:
        """An engine with the threads and children that it has got since it was held."""
        with suppress(psutil.Error):
            engine = psutil.Process(pid)
            for process in [engine, *engine.children(recursive=True)]:
                with suppress(psutil.Error, OSError):
                    for thread in process.threads():
                        os.sched_setaffinity(thread.id, self._everywhere)
