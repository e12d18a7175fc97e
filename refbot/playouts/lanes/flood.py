"""Floods: which chains are connected to which of their liberties, in every lane at once."""

from __future__ import annotations

from functools import reduce
from operator import or_

from refbot.playouts.lanes.rows import Rows
from refbot.playouts.lanes.simd import Vec

REACH = 3  # stones towards lower columns that one step along a row fills: less costs sweeps, more operations

Path = tuple[int, Vec]


class Chains:
    """The stones of one side, with what all floods over them share."""

    def __init__(self, stones: Rows) -> None:
        self.stones = stones
        self.reach = min(REACH, stones.shape.size - 1)
        self._paths: dict[int, list[Path]] = {}

    @property
    def complete(self) -> bool:
        """Whether one step along a row always fills all of it."""
        return self.reach == self.stones.shape.size - 1

    def _paths_of(self, row: int) -> list[Path]:
        """Pairs (d, points that d stones follow towards higher columns); the d add up to the reach."""
        if row not in self._paths:
            path = self.stones[row]
            paths, reached, distance = [(1, path)], 1, 1
            while reached < self.reach:
                if self.reach - reached == 1:
                    paths.append((1, self.stones[row]))
                    break
                path = path & (path >> distance)
                distance *= 2
                reached += distance
                paths.append((distance, path))
            self._paths[row] = paths
        return self._paths[row]

    def spread(self, row: int, reached: Vec) -> Vec:
        """`reached` spread along the runs of stones of a row.

        Upwards to the end of a run by the carry of an addition, which turns the rest of the run to zeros;
        downwards by doubling steps, for arithmetic carries nothing towards lower bits.
        """
        stones = self.stones[row]
        reached = stones & (reached | ~(stones + reached))
        for distance, path in self._paths_of(row):
            reached = reached | ((reached >> distance) & path)
        return reached

    def left_out(self, reached: Rows, row: int) -> Vec:
        """Stones of a row that one more sweep would reach; `reached` has been swept down, then up."""
        missing = self.stones[row] & ~reached[row]
        near = reached[row - 1]
        if row == reached.height - 1:  # the sweep up has begun before the first row of the next band was done
            near = near | reached[row + 1]
        if not self.complete:
            near = near | (reached[row] >> 1)
        return near & missing


class Flood:
    """What has been reached of some chains, by one sweep down and one up the board from `start`.

    All bands are swept at once, so that a sweep down begins before the last rows of the bands are done. Their
    first row is therefore spread once more at its end. `rows` are to be asked for from the last to the first.
    """

    def __init__(self, chains: Chains, start: Rows) -> None:
        self._chains = chains
        stones, last, banded = chains.stones, start.height - 1, start.shape.bands > 1

        def down(row: int) -> Vec:
            before = start[-1] if row == 0 else self._first_down[row - 1]
            return chains.spread(row, start[row] | (before & stones[row]))

        def first_row_again(row: int) -> Vec:
            before = self._first_down
            if not banded or row > 0:
                return before[row]
            return chains.spread(row, before[row] | (before[-1] & stones[row]))

        def up(row: int) -> Vec:
            if row == last and not banded:
                return self.down[row]
            before = self.down[row + 1] if row == last else self.rows[row + 1]
            return chains.spread(row, self.down[row] | (before & stones[row]))

        self._first_down = start.like(down)
        self.down = start.like(first_row_again)
        self.rows = start.like(up)

    def sweep_down(self, row: int) -> None:
        """Emits the first way down as far as `row`."""
        self._first_down[row]


def swept(floods: list[Flood], height: int) -> None:
    """Emits the way down of several floods side by side, for each is a long chain of dependent operations."""
    for row in range(height):
        for flood in floods:
            flood.sweep_down(row)
    for flood in floods:
        flood.down[0]


def union(vectors: list[Vec]) -> Vec:
    """The bits set in any of `vectors`."""
    return reduce(or_, vectors)
