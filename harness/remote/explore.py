"""An exploration on a dask cluster: sessions are spread over the workers, positions are searched beside them.

What a deviation needs is left out of all later sessions, so that results count in the order of the sessions:
later sessions that were begun before a deviation was known are held again.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from harness.check.model import Result
from harness.check.phases.playout_count import PlayoutCount
from harness.explore.abilities import Abilities
from harness.explore.dialogues import RENEWED
from harness.explore.explorer import (
    MOST_FOUND,
    TURN,
    Exploration,
    Plan,
    explore_positions,
    explore_sessions,
    prepare,
)
from harness.remote.packing import pack, unpack
from harness.tasks import ClusterPool, Tasks

SHARE = RENEWED
"""Number of sessions of one task: as many as one process of a bot holds."""

AHEAD = 2
"""Tasks of sessions for each place of a worker: one that runs, one that waits."""

PREPARATION, POSITIONS = -2, -1
"""Places of the tasks that are not sessions; those of sessions count from 0."""


@dataclass(frozen=True)
class _Part:
    """A task. Without abilities it asks for them; without numbers of sessions it searches positions."""

    plan: Plan
    place: int
    numbers: range = range(0)
    abilities: Abilities | None = None
    count: PlayoutCount | None = None


def explore_on(
    pool: ClusterPool,
    plan: Plan,
    on_progress: Callable[[Exploration], object],
    on_result: Callable[[Result], object],
    notify: Callable[[str], object],
) -> Exploration:
    """Explore a bot by the command that the plan names, which the workers must have.

    The callbacks are those of `explore`; `notify` gets a sentence about each lost worker. An interrupt ends
    the exploration early, with what was found. Raises ClusterError.
    """
    began = time.monotonic()
    run = _Run(pool, plan, began + plan.seconds, on_progress, on_result, notify)
    try:
        run.run()
    except KeyboardInterrupt:
        run.exploration.interrupted = True
    finally:
        run.tasks.drop()
    run.exploration.seconds = time.monotonic() - began
    return run.exploration


class _Run:
    """One exploration: the parts that have ended, in the order of their sessions."""

    def __init__(
        self,
        pool: ClusterPool,
        plan: Plan,
        deadline: float,
        on_progress: Callable[[Exploration], object],
        on_result: Callable[[Result], object],
        notify: Callable[[str], object],
    ) -> None:
        self.tasks: Tasks[bytes, bytes] = Tasks(pool, _explored, notify)
        self.exploration = Exploration(plan.launch.command)
        self._pool = pool
        self._plan = plan
        self._deadline = deadline
        self._on_progress = on_progress
        self._on_result = on_result
        self._most = plan.sessions or sys.maxsize
        self._begun = self._taken = 0  # tasks of sessions
        self._early: dict[int, Exploration] = {}  # ended before an earlier task of sessions
        self._abilities: dict[int, Abilities] = {}  # with which each task of sessions was begun
        self._order: list[tuple[int, bool, int]] = []  # of the results
        self._goes_on = True  # not every later session would deviate
        self._waiting = True  # for the preparation, then for the positions

    def run(self) -> None:
        """Explore until there is nothing more to do. Raises ClusterError."""
        self._add(_Part(self._plan, PREPARATION))
        while not self._over:
            for place, packed in self.tasks.take_ended():
                self._take(place, *unpack(packed))
            self._take_sessions()
            self._begin_sessions()

    @property
    def _over(self) -> bool:
        exploration = self.exploration
        if exploration.unusable or len(exploration.results) >= MOST_FOUND:
            return True
        sessions = self._goes_on and self._taken < self._begun
        return not (sessions or self._waiting)

    def _add(self, part: _Part) -> None:
        left = max(0.0, self._deadline - time.monotonic())
        if part.place == POSITIONS and self._pool.workers == 1:
            left /= 2.0  # the other half is for sessions
        self.tasks.add(part.place, pack(replace(part, plan=replace(part.plan, seconds=left))))

    def _take(self, place: int, abilities: Abilities | None, part: Exploration) -> None:
        """Take a part that has ended; sessions wait for those before them."""
        if place >= 0:
            if self._abilities[place] == abilities:  # else they are held again
                self._early[place] = part
            return
        self._waiting = False
        if place == POSITIONS:
            self._merge(part, of_positions=True)
            return
        self.exploration = replace(part, seconds=0.0)
        self._order = [(number, False, number) for number in part.numbers]
        for result in part.results:
            self._on_result(result)
        if part.abilities is not None and part.count.playouts is not None:
            self._add(_Part(self._plan, POSITIONS, range(self._most), part.abilities, part.count))
            self._waiting = True

    def _take_sessions(self) -> None:
        """Take the sessions whose predecessors have been taken."""
        while self._goes_on and self._taken in self._early:
            part = self._early.pop(self._taken)
            self._taken += 1
            self._merge(part, of_positions=False)
            if part.abilities is None:
                self._goes_on = False
            elif part.abilities != self.exploration.abilities:
                self.exploration.abilities = part.abilities
                self._early.clear()
                for place in range(self._taken, self._begun):
                    self._begin(place)

    def _begin_sessions(self) -> None:
        """Keep the workers busy with sessions while there is time."""
        room = AHEAD * self._pool.workers
        while (
            self._goes_on
            and self.exploration.abilities is not None
            and self._begun - self._taken < room
            and self._begun * SHARE < self._most
            and time.monotonic() < self._deadline
        ):
            self._begin(self._begun)
            self._begun += 1

    def _begin(self, place: int) -> None:
        exploration = self.exploration
        assert exploration.abilities is not None, "asked before"
        self._abilities[place] = exploration.abilities
        numbers = range(place * SHARE, min((place + 1) * SHARE, self._most))
        self._add(_Part(self._plan, place, numbers, exploration.abilities, exploration.count))

    def _merge(self, part: Exploration, *, of_positions: bool) -> None:
        """Count a part. Results are in the order in which one machine comes to them."""
        exploration = self.exploration
        exploration.coverage.add(part.coverage)
        exploration.unconfirmed += part.unconfirmed
        if part.unusable:
            exploration.unusable, exploration.hint = part.unusable, part.hint
        for number, result in zip(part.numbers, part.results, strict=True):
            if len(exploration.results) < MOST_FOUND:
                order = (number // TURN, of_positions, number)
                place = sum(other < order for other in self._order)
                self._order.insert(place, order)
                exploration.results.insert(place, result)
                exploration.numbers.insert(place, number)
                self._on_result(result)
        self._on_progress(exploration)


def _explored(packed: bytes) -> bytes:
    """The task of a worker: the abilities that the part began with, and what came of it."""
    part: _Part = unpack(packed)
    if part.abilities is None or part.count is None:
        return pack((None, prepare(part.plan)))
    explored = explore_positions if part.place == POSITIONS else explore_sessions
    return pack((part.abilities, explored(part.plan, part.abilities, part.count, part.numbers)))
