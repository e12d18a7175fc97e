"""Runs an exploration on a dask cluster: the workers hold blocks of sessions, one of them searches positions.

The events are those of an exploration on one machine. After a deviation, later sessions avoid its features.
So sessions count in their order, and those that started before the deviation was known are held again.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from harness.check.phases.events import Event
from harness.check.phases.playout_count import PlayoutCount
from harness.explore.abilities import Abilities
from harness.explore.dialogues import RENEWED
from harness.explore.exploration import (
    MOST_FOUND,
    BotPrepared,
    DeviationFound,
    Events,
    ExplorationEnded,
    Part,
    Plan,
)
from harness.explore.explorer import explore_part
from harness.remote.packing import pack, unpack
from harness.tasks import ClusterPool, Tasks

SHARE = RENEWED
"""Number of sessions of one task: as many as one process of a bot holds."""

AHEAD = 2
"""Number of tasks of sessions for each task that the workers compute at once. Chosen: one runs, one waits."""

PREPARATION, POSITIONS = -2, -1
"""Numbers (`place`) of the tasks that are not sessions. Tasks of sessions are numbered from 0."""


def explore_on(pool: ClusterPool, plan: Plan, notify: Callable[[str], object]) -> Events:
    """Explore a bot. The command of the plan must exist on the workers.

    notify   called with a sentence about each lost worker
    Ctrl-C ends the exploration early; `ExplorationEnded` still comes last. Raises ClusterError.
    """
    began = time.monotonic()
    run = _DistributedExploration(pool, plan, began + plan.seconds, Tasks(pool, _explore_part, notify))
    interrupted = False
    try:
        yield from run.events()
    except KeyboardInterrupt:
        interrupted = True
    finally:
        run.tasks.drop()
    yield replace(run.end, seconds=time.monotonic() - began, interrupted=interrupted)


class _DistributedExploration:
    """One exploration in progress: which tasks of sessions have started, and which are counted."""

    def __init__(self, pool: ClusterPool, plan: Plan, deadline: float, tasks: Tasks[bytes, bytes]) -> None:
        self.tasks = tasks
        self.end = ExplorationEnded(0.0)
        self._pool = pool
        self._plan = plan
        self._deadline = deadline
        self._most = plan.sessions or sys.maxsize
        self._found = 0
        self._count: PlayoutCount | None = None
        self._abilities: Abilities | None = None
        self._begun = self._taken = 0  # number of tasks of sessions started, and counted
        self._early: dict[int, Sequence[Event]] = {}  # events of tasks that wait for an earlier task
        self._abilities_of: dict[int, Abilities] = {}  # abilities with which each task was started
        self._deviates_always = False  # every later session would deviate
        self._waiting = True  # the preparation, and then the task of positions, has not ended

    def events(self) -> Iterator[Event]:
        """Yield the events of all parts, up to the end of the exploration. Raises ClusterError."""
        self._add(PREPARATION, Part(self._plan))
        while not self._is_over:
            for place, packed in self.tasks.take_ended():
                yield from self._take(place, *unpack(packed))
            yield from self._take_sessions()
            self._begin_sessions()

    @property
    def _is_over(self) -> bool:
        if self.end.unusable or self._found >= MOST_FOUND:
            return True
        holds_sessions = not self._deviates_always and self._taken < self._begun
        return not (holds_sessions or self._waiting)

    def _add(self, place: int, part: Part) -> None:
        left = max(0.0, self._deadline - time.monotonic())
        if part.of_positions and self._pool.workers == 1:
            left /= 2.0  # the other half is for sessions
        self.tasks.add(place, pack(replace(part, plan=replace(part.plan, seconds=left))))

    def _take(self, place: int, abilities: Abilities | None, events: Sequence[Event]) -> Iterator[Event]:
        """Take the events of a part that has ended. Those of sessions wait for the tasks before them."""
        if place >= 0:
            if self._abilities_of[place] == abilities:  # if not, the task was started again
                self._early[place] = events
            return
        self._waiting = False
        yield from self._counted(events)
        if place == PREPARATION and self._count is not None and self._count.playouts is not None:
            numbers = range(self._most)
            self._add(POSITIONS, Part(self._plan, numbers, self._abilities, self._count, of_positions=True))
            self._waiting = True

    def _take_sessions(self) -> Iterator[Event]:
        """Count ended tasks of sessions in their order, up to the first that has not ended."""
        while not self._deviates_always and self._taken in self._early:
            events = self._early.pop(self._taken)
            self._taken += 1
            yield from self._counted(events)
            lost = [event.without for event in events if isinstance(event, DeviationFound)]
            if not all(lost):
                self._deviates_always = True
            elif lost and self._abilities is not None:
                self._abilities = self._abilities.without(frozenset().union(*lost))
                self._early.clear()
                for place in range(self._taken, self._begun):
                    self._begin(place, self._abilities)

    def _begin_sessions(self) -> None:
        """Start tasks of sessions to keep the workers busy, up to the deadline."""
        room = AHEAD * self._pool.workers
        while (
            not self._deviates_always
            and self._abilities is not None
            and self._begun - self._taken < room
            and self._begun * SHARE < self._most
            and time.monotonic() < self._deadline
        ):
            self._begin(self._begun, self._abilities)
            self._begun += 1

    def _begin(self, place: int, abilities: Abilities) -> None:
        self._abilities_of[place] = abilities
        numbers = range(place * SHARE, min((place + 1) * SHARE, self._most))
        self._add(place, Part(self._plan, numbers, abilities, self._count))

    def _counted(self, events: Sequence[Event]) -> Iterator[Event]:
        """Yield the events of a part that are events of the whole exploration."""
        for event in events:
            if isinstance(event, ExplorationEnded):
                self.end = event if event.unusable else self.end
                continue
            if isinstance(event, BotPrepared):
                self._abilities, self._count = event.abilities, event.count
            elif isinstance(event, DeviationFound):
                if self._found >= MOST_FOUND:
                    continue
                self._found += 1
            yield event


def _explore_part(packed: bytes) -> bytes:
    """Explore a part on a worker. Return the abilities that it started with, and its events."""
    part: Part = unpack(packed)
    return pack((part.abilities, list(explore_part(part))))
