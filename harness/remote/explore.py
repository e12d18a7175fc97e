"""An exploration on a dask cluster: sessions are spread over the workers, positions are searched beside them.

The stream of events is that of an exploration on one machine. Later sessions do without what a deviation
needs, so that sessions count in their order: those that were begun before it was known are held again.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

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
    Plan,
)
from harness.explore.explorer import explore_part
from harness.remote.packing import pack, unpack
from harness.tasks import ClusterPool, Tasks

SHARE = RENEWED
"""Number of sessions of one task: as many as one process of a bot holds."""

AHEAD = 2
"""Number of tasks of sessions for each place of a worker. Chosen: one runs, one waits."""

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


def explore_on(pool: ClusterPool, plan: Plan, notify: Callable[[str], object]) -> Events:
    """Explore a bot by the command that the plan names, which the workers must have.

    `notify` gets a sentence about each lost worker. An interrupt ends the exploration early, with what was
    found. Raises ClusterError.
    """
    began = time.monotonic()
    run = _DistributedExploration(pool, plan, began + plan.seconds, Tasks(pool, _explored, notify))
    interrupted = False
    try:
        yield from run.events()
    except KeyboardInterrupt:
        interrupted = True
    finally:
        run.tasks.drop()
    yield replace(run.end, seconds=time.monotonic() - began, interrupted=interrupted)


class _DistributedExploration:
    """One exploration: the parts that have ended, in the order of their sessions."""

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
        self._begun = self._taken = 0  # tasks of sessions
        self._early: dict[int, Sequence[Event]] = {}  # ended before an earlier task of sessions
        self._abilities_of: dict[int, Abilities] = {}  # with which each task of sessions was begun
        self._deviates_always = False  # every later session would deviate
        self._waiting = True  # for the preparation, then for the positions

    def events(self) -> Iterator[Event]:
        """Explore until there is nothing more to do. Raises ClusterError."""
        self._add(_Part(self._plan, PREPARATION))
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

    def _add(self, part: _Part) -> None:
        left = max(0.0, self._deadline - time.monotonic())
        if part.place == POSITIONS and self._pool.workers == 1:
            left /= 2.0  # the other half is for sessions
        self.tasks.add(part.place, pack(replace(part, plan=replace(part.plan, seconds=left))))

    def _take(self, place: int, abilities: Abilities | None, events: Sequence[Event]) -> Iterator[Event]:
        """Take a part that has ended; sessions wait for those before them."""
        if place >= 0:
            if self._abilities_of[place] == abilities:  # else they are held again
                self._early[place] = events
            return
        self._waiting = False
        yield from self._counted(events)
        if place == PREPARATION and self._count is not None and self._count.playouts is not None:
            self._add(_Part(self._plan, POSITIONS, range(self._most), self._abilities, self._count))
            self._waiting = True

    def _take_sessions(self) -> Iterator[Event]:
        """Take the sessions whose predecessors have been taken."""
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
        """Keep the workers busy with sessions while there is time."""
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
        self._add(_Part(self._plan, place, numbers, abilities, self._count))

    def _counted(self, events: Sequence[Event]) -> Iterator[Event]:
        """Yield the events of a part that belong to the whole exploration."""
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


def _explored(packed: bytes) -> bytes:
    """Compute a task on a worker: the abilities that the part began with, and its events."""
    part: _Part = unpack(packed)
    events = explore_part(
        part.plan, part.abilities, part.count, part.numbers, of_positions=part.place == POSITIONS
    )
    return pack((part.abilities, list(events)))
