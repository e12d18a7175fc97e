"""Runs an exploration on a dask cluster: the workers hold blocks of sessions, one of them searches positions.

The work is split into tasks with numbers. The first task is the preparation. Then come the task of positions,
and the blocks: a block is a task of SHARE sessions.

The events are those of an exploration on one machine, in the same order: the events of a block are kept until
those of every earlier block were yielded. After a deviation, later sessions avoid its features: the parts of
GTP that show it. So a block that was started before the deviation was found is started again.
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
"""Numbers of the two tasks that are no blocks. Blocks have the numbers 0, 1, 2, …"""


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
    """One exploration in progress.

    end   the last event of the exploration, so far
    """

    def __init__(self, pool: ClusterPool, plan: Plan, deadline: float, tasks: Tasks[bytes, bytes]) -> None:
        self.tasks = tasks
        self.end = ExplorationEnded(0.0)
        self._pool = pool
        self._plan = plan
        self._deadline = deadline
        self._most = plan.sessions or sys.maxsize
        self._found = 0  # number of deviations
        self._playout_count: PlayoutCount | None = None
        self._abilities: Abilities | None = None
        self._started = 0  # number of started blocks
        self._yielded = 0  # number of blocks whose events were yielded
        self._kept: dict[int, Sequence[Event]] = {}  # by block that waits for an earlier one, its events
        self._started_with: dict[int, Abilities] = {}  # by block, the abilities of its last start
        self._deviates_always = False  # every later session would deviate
        self._is_other_running = True  # the preparation, or after it the task of positions, has not ended

    def events(self) -> Iterator[Event]:
        """Yield the events of the tasks until the exploration ends: sessions in the order of the blocks.

        `explore_on` yields the event of the end. Raises ClusterError.
        """
        self._start(PREPARATION, Part(self._plan))
        while not self._is_over:
            for number, packed in self.tasks.take_ended():
                abilities, events = unpack(packed)
                if number >= 0:
                    self._keep(number, abilities, events)
                else:
                    yield from self._take_other(number, events)
            yield from self._yield_blocks()
            self._start_blocks()

    @property
    def _is_over(self) -> bool:
        """True if nothing more will be yielded: enough was found, or every task that counts has ended."""
        if self.end.unusable or self._found >= MOST_FOUND:
            return True
        blocks_run = not self._deviates_always and self._yielded < self._started
        return not (blocks_run or self._is_other_running)

    def _start(self, number: int, part: Part) -> None:
        """Start a task, with the time that is left."""
        left = max(0.0, self._deadline - time.monotonic())
        if part.of_positions and self._pool.capacity == 1:
            left /= 2.0  # the other half is for sessions
        self.tasks.add(number, pack(replace(part, plan=replace(part.plan, seconds=left))))

    def _take_other(self, number: int, events: Sequence[Event]) -> Iterator[Event]:
        """Yield the events of a task that is no block. After the preparation, start the task of positions."""
        self._is_other_running = False
        yield from self._note(events)
        count = self._playout_count
        if number == PREPARATION and count is not None and count.playouts is not None:
            numbers = range(self._most)
            self._start(POSITIONS, Part(self._plan, numbers, self._abilities, count, of_positions=True))
            self._is_other_running = True

    def _keep(self, block: int, abilities: Abilities | None, events: Sequence[Event]) -> None:
        """Keep the events of a block that has ended, unless it was started again with other abilities."""
        if self._started_with[block] == abilities:
            self._kept[block] = events

    def _yield_blocks(self) -> Iterator[Event]:
        """Yield the events of ended blocks in their order, up to the first block that has not ended."""
        while not self._deviates_always and self._yielded in self._kept:
            events = self._kept.pop(self._yielded)
            self._yielded += 1
            yield from self._note(events)
            # By deviation, the features that later sessions avoid; empty: every later session would deviate.
            avoided = [event.without for event in events if isinstance(event, DeviationFound)]
            if not all(avoided):
                self._deviates_always = True
            elif avoided and self._abilities is not None:
                self._abilities = self._abilities.without(frozenset().union(*avoided))
                self._kept.clear()
                for block in range(self._yielded, self._started):
                    self._start_block(block, self._abilities)

    def _start_blocks(self) -> None:
        """Start blocks to keep the workers busy, up to the deadline."""
        room = AHEAD * self._pool.capacity
        while (
            not self._deviates_always
            and self._abilities is not None
            and self._started - self._yielded < room
            and self._started * SHARE < self._most
            and time.monotonic() < self._deadline
        ):
            self._start_block(self._started, self._abilities)
            self._started += 1

    def _start_block(self, block: int, abilities: Abilities) -> None:
        """Start a block, or start it again with other abilities."""
        self._started_with[block] = abilities
        numbers = range(block * SHARE, min((block + 1) * SHARE, self._most))
        self._start(block, Part(self._plan, numbers, abilities, self._playout_count))

    def _note(self, events: Sequence[Event]) -> Iterator[Event]:
        """Note what a task has found. Yield its events, but not its end, nor deviations above MOST_FOUND."""
        for event in events:
            if isinstance(event, ExplorationEnded):
                self.end = event if event.unusable else self.end
                continue
            if isinstance(event, BotPrepared):
                self._abilities, self._playout_count = event.abilities, event.count
            elif isinstance(event, DeviationFound):
                if self._found >= MOST_FOUND:
                    continue
                self._found += 1
            yield event


def _explore_part(packed: bytes) -> bytes:
    """Explore a part on a worker. Return the abilities that it started with, and its events."""
    part: Part = unpack(packed)
    return pack((part.abilities, list(explore_part(part))))
