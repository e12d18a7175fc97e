"""Pins engines that answer at once to one core, together with their worker. Needs Linux.

Waking an idle core takes longer than such an engine takes for a move, so a game is several times as fast when
worker and engines take turns on one core. An engine that thinks must not be pinned: its threads may need
every core.

A game is pinned to one core only if both engines answered within `INSTANT` seconds on average in an unpinned
game, and each is one process with one thread that has not set its own affinity. An engine that got slower by
the factor `SLOWER` after being pinned is unpinned. A game that takes longer than `MAX_GAME` is unpinned while
it is played. Every `CYCLE` seconds a game is unpinned: engines are measured again, and the system may move
them to another core.
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

from harness.arena.game.player import Player
from harness.arena.records import GameRecord

INSTANT = 0.001
"""Seconds per answer. Chosen: for slower engines, the microseconds to wake a core do not matter."""
SLOWER = 1.5
"""Factor on the seconds per answer. Chosen: two busy threads on one core slow down more, noise less."""
CYCLE = 2.0
"""Seconds from one unpinned game to the next. Chosen: an unpinned game is slower, so they must be rare."""
MAX_GAME = 0.5
"""Most seconds of a pinned game. Chosen: an engine that begins to think gets its cores back soon."""


@dataclass(frozen=True)
class _Pace:
    """The measured pace of an engine's process. `until`: time of the monotonic clock at which it expires."""

    seconds: float  # per answer in an unpinned game; the median, which ignores one pause of the system
    may_be_pinned: bool
    until: float


class CoreSharing:
    """Sets the cores of a worker's main thread and of its engines, before and after each game."""

    def __init__(self, cores: Sequence[int]) -> None:
        """`cores`: the cores to which games may be pinned."""
        self._cores = cores
        self._all_cores = os.sched_getaffinity(0)
        self._paces: dict[int, _Pace] = {}  # by process id of an engine
        self._pinned: set[int] = set()  # process ids of the pinned engines
        signal.signal(signal.SIGALRM, lambda *_: self._on_alarm())

    def before_game(self, black: Player, white: Player) -> None:
        """Pin the game that begins if both engines may be pinned; otherwise unpin it."""
        now = monotonic()
        paces = {pid: self._paces.get(pid) for pid in (black.pid, white.pid) if pid is not None}
        if len(paces) == 2 and all(
            pace and pace.may_be_pinned and now < pace.until for pace in paces.values()
        ):
            self._pin(set(paces))
            signal.setitimer(signal.ITIMER_REAL, MAX_GAME)
        else:
            self._unpin()

    def after_game(self, black: Player, white: Player, record: GameRecord) -> None:
        """Measure the engines of a game that has ended, to decide whether they may be pinned."""
        signal.setitimer(signal.ITIMER_REAL, 0)
        now = monotonic()
        self._paces = {pid: pace for pid, pace in self._paces.items() if now < pace.until}
        for colour, player in (("b", black), ("w", white)):
            seconds = [search.seconds for search in record.searches if search.colour == colour]
            if player.pid is None or not seconds:
                continue
            pace = self._paces.get(player.pid)
            if player.pid in self._pinned:
                if pace and median(seconds) > SLOWER * pace.seconds:
                    self._paces[player.pid] = replace(pace, may_be_pinned=False)
            elif pace is None:
                instant = fmean(seconds) < INSTANT and self._is_alone(player.pid)
                self._paces[player.pid] = _Pace(median(seconds), instant, now + CYCLE)

    def _is_alone(self, pid: int) -> bool:
        """True if the engine is one process with one thread, which may run on every core."""
        with suppress(psutil.Error, OSError):
            process = psutil.Process(pid)
            unrestricted = os.sched_getaffinity(pid) == self._all_cores
            return unrestricted and process.num_threads() == 1 and not process.children()
        return False

    def _pin(self, engines: set[int]) -> None:
        """Pin this thread and these engines to the core that runs this thread."""
        if not self._pinned:
            here = psutil.Process().cpu_num()
            self._core = here if here in self._cores else self._cores[0]
            os.sched_setaffinity(0, {self._core})
        for pid in engines - self._pinned:
            with suppress(OSError):  # it has ended, which the game reports
                os.sched_setaffinity(pid, {self._core})
        self._pinned |= engines

    def _unpin(self) -> None:
        """Unpin this thread and all engines."""
        if not self._pinned:
            return
        os.sched_setaffinity(0, self._all_cores)
        for pid in self._pinned:
            self._unpin_family(pid)
        self._pinned = set()

    def _on_alarm(self) -> None:
        """Unpin the game in play, because it takes longer than MAX_GAME."""
        for pid in self._pinned & self._paces.keys():
            self._paces[pid] = replace(self._paces[pid], may_be_pinned=False)
        self._unpin()

    def _unpin_family(self, pid: int) -> None:
        """Unpin an engine, with the threads and children that it started after being pinned."""
        with suppress(psutil.Error):
            engine = psutil.Process(pid)
            for process in [engine, *engine.children(recursive=True)]:
                with suppress(psutil.Error, OSError):
                    for thread in process.threads():
                        os.sched_setaffinity(thread.id, self._all_cores)
