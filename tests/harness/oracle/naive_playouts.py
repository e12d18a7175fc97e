"""Playout rules once more, as slow and as plain as can be: sets of points, every chain flooded afresh."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from harness.go import Colour, Point, all_points, opponent

Stones = frozenset[tuple[Point, Colour]]


@cache
def beside(size: int, point: Point) -> tuple[Point, ...]:
    row, column = point
    around = ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1))
    return tuple(p for p in around if 0 <= p[0] < size and 0 <= p[1] < size)


def group(stones: dict[Point, Colour], size: int, start: Point) -> set[Point]:
    found, waiting = {start}, [start]
    while waiting:
        for other in beside(size, waiting.pop()):
            if other not in found and stones.get(other) == stones.get(start):
                found.add(other)
                waiting.append(other)
    return found


def has_liberty(stones: dict[Point, Colour], size: int, start: Point) -> bool:
    return any(other not in stones for member in group(stones, size, start) for other in beside(size, member))


@dataclass(frozen=True)
class Naive:
    """A state of a playout; `moves` lists the equally likely (point, next state)."""

    size: int
    stones: Stones
    mover: Colour
    ko: Point | None = None
    passed: bool = False

    def is_eye(self, point: Point) -> bool:
        stones = dict(self.stones)
        if any(stones.get(other) != self.mover for other in beside(self.size, point)):
            return False
        row, column = point
        enemies = sum(
            stones.get((row + up, column + right)) == opponent(self.mover)
            for up in (-1, 1)
            for right in (-1, 1)
        )
        centre = 0 < row < self.size - 1 and 0 < column < self.size - 1
        return enemies <= (1 if centre else 0)

    def play(self, point: Point) -> Naive | None:
        """The state after a move, or None where it is suicide."""
        before = {**dict(self.stones), point: self.mover}
        enemies = [
            stone
            for stone, colour in before.items()
            if colour != self.mover and not has_liberty(before, self.size, stone)
        ]
        after = {stone: colour for stone, colour in before.items() if stone not in enemies}
        if not has_liberty(after, self.size, point):
            return None
        ko = None
        if len(enemies) == 1:
            # Would playing there take exactly the stone just played, and so bring the old board back?
            back = {**after, enemies[0]: opponent(self.mover)}
            taken = [s for s, c in back.items() if c == self.mover and not has_liberty(back, self.size, s)]
            ko = enemies[0] if taken == [point] else None
        return Naive(self.size, frozenset(after.items()), opponent(self.mover), ko)

    @cache  # noqa: B019 (lives as long as the test run)
    def moves(self) -> list[tuple[Point | None, Naive]]:
        """Nothing where a pass would be the second."""
        occupied = {point for point, _ in self.stones}
        found: list[tuple[Point | None, Naive]] = []
        for point in all_points(self.size):
            if point not in occupied and point != self.ko and not self.is_eye(point):
                after = self.play(point)
                if after is not None:
                    found.append((point, after))
        if not found and not self.passed:
            found.append((None, Naive(self.size, self.stones, opponent(self.mover), None, passed=True)))
        return found

    @cache  # noqa: B019 (lives as long as the test run)
    def margin(self) -> int:
        stones = dict(self.stones)
        score = 0
        for point in all_points(self.size):
            if point in stones:
                owners = {stones[point]}
            else:
                region = group(stones, self.size, point)
                owners = {stones[o] for member in region for o in beside(self.size, member) if o in stones}
            score += 1 if owners == {"b"} else -1 if owners == {"w"} else 0
        return score


Path = tuple[list[tuple[Colour, Point | None]], Naive, Fraction]


def all_paths(start: Naive, limit: int) -> list[Path]:
    """Every playout as (its moves, its last state, its probability), by walking the whole tree."""
    paths: list[Path] = []

    def walk(state: Naive, moves: Sequence[tuple[Colour, Point | None]], probability: Fraction) -> None:
        if len(moves) == limit:
            paths.append((list(moves), state, probability))
            return
        following = state.moves()
        if not following:
            paths.append(([*moves, (state.mover, None)], state, probability))
        for point, after in following:
            walk(after, [*moves, (state.mover, point)], probability / len(following))

    walk(start, [], Fraction(1))
    return paths
