"""Runs an exploration on a dask cluster: the workers hold blocks of sessions, one of them searches positions.

The first task is the preparation. Then come the task of positions, and the blocks: each is a task of SHARE
sessions, numbered from 0.

The events are those of an exploration on one machine. After a deviation, later sessions avoid its features.
So blocks count in their order: the events of a block wait until every earlier block has ended, and a block
that started before the deviation was known is started again.
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
"""Number of sessions of one block: as many as one process of a bot holds."""

AHEAD = 2
"""Number of blocks for each task that the workers compute at once. Chosen: one runs, one waits."""

PREPARATION, POSITIONS = -2, -1
"""Numbers (`place`) of the two tasks that are no blocks. The `place` of a block is its number."""


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
    """One exploration in progress: which blocks have started, and which are counted.

    end   the last event of the exploration, so far
    """

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
        self._started = self._counted_blocks = 0  # number of blocks
        self._ended_early: dict[int, Sequence[Event]] = {}  # by block that waits for another, its events
        self._started_with: dict[int, Abilities] = {}  # by block, the abilities of its last start
        self._deviates_always = False  # every later session would deviate
        self._others_run = True  # the preparation, and after it the task of positions, has not ended

    def events(self) -> Iterator[Event]:
        """Yield the events of the parts until the exploration ends: sessions in the order of the blocks.

        `explore_on` yields the event of the end. Raises ClusterError.
        """
        self._add(PREPARATION, Part(self._plan))
        while not self._is_over:
            for place, packed in self.tasks.take_ended():
                yield from self._take(place, *unpack(packed))
            yield from self._count_blocks()
            self._start_blocks()

    @property
    def _is_over(self) -> bool:
        if self.end.unusable or self._found >= MOST_FOUND:
            return True
        blocks_run = not self._deviates_always and self._counted_blocks < self._started
        return not (blocks_run or self._others_run)

    def _add(self, place: int, part: Part) -> None:
        """Start a task, with the time that is left."""
        left = max(0.0, self._deadline - time.monotonic())
        if part.of_positions and self._pool.workers == 1:
            left /= 2.0  # the other half is for sessions
        self.tasks.add(place, pack(replace(part, plan=replace(part.plan, seconds=left))))

    def _take(self, place: int, abilities: Abilities | None, events: Sequence[Event]) -> Iterator[Event]:
        """Take the result of a task: the abilities that it started with, and its events.

        The events of a block wait for the blocks before it (`_count_blocks`).
        """
        if place >= 0:
            if self._started_with[place] == abilities:  # if not, the block was started again meanwhile
                self._ended_early[place] = events
            return
        self._others_run = False
        yield from self._counted(events)
        if place == PREPARATION and self._count is not None and self._count.playouts is not None:
            numbers = range(self._most)
            self._add(POSITIONS, Part(self._plan, numbers, self._abilities, self._count, of_positions=True))
            self._others_run = True

    def _count_blocks(self) -> Iterator[Event]:
        """Count ended blocks in their order, up to the first that has not ended. Yield their events."""
        while not self._deviates_always and self._counted_blocks in self._ended_early:
            events = self._ended_early.pop(self._counted_blocks)
            self._counted_blocks += 1
            yield from self._counted(events)
            # By deviation, the abilities that later sessions do without; empty: every session would deviate.
            lost = [event.without for event in events if isinstance(event, DeviationFound)]
            if not all(lost):
                self._deviates_always = True
            elif lost and self._abilities is not None:
                self._abilities = self._abilities.without(frozenset().union(*lost))
                self._ended_early.clear()
                for place in range(self._counted_blocks, self._started):
                    self._start_block(place, self._abilities)

    def _start_blocks(self) -> None:
        """Start blocks to keep the workers busy, up to the deadline."""
        room = AHEAD * self._pool.workers
        while (
            not self._deviates_always
            and self._abilities is not None
            and self._started - self._counted_blocks < room
            and self._started * SHARE < self._most
            and time.monotonic() < self._deadline
        ):
            self._start_block(self._started, self._abilities)
            self._started += 1

    def _start_block(self, place: int, abilities: Abilities) -> None:
        """Start a block, or start it again with other abilities."""
        self._started_with[place] = abilities
        numbers = range(place * SHARE, min((place + 1) * SHARE, self._most))
        self._add(place, Part(self._plan, numbers, abilities, self._count))

    def _counted(self, events: Sequence[Event]) -> Iterator[Event]:
        """Note what a part has found. Yield its events, but not its end, nor deviations above MOST_FOUND."""
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
