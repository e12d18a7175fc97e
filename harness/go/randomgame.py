"""Seeded random games: openings, and positions to try things on."""

from __future__ import annotations

import random

from harness.go.geometry import Colour, Point, all_points
from harness.go.position import Position


def random_game(size: int, seed: int | str, moves: int) -> Position:
    """A game of `moves` random candidate moves, Black first, passes only where no candidate exists.

    The game stops early after two passes in a row. The same arguments give the same game on every version of
    Python.
    """
    position = Position(size)
    rng = random.Random(seed)
    while len(position.moves) < moves:
        if [move.point for move in position.moves[-2:]] == [None, None]:
            break
        colour = position.to_move
        position.play(colour, _draw_candidate(position, colour, rng))
    return position


def _draw_candidate(position: Position, colour: Colour, rng: random.Random) -> Point | None:
    """A uniform draw from `position.candidates(colour)` that does not have to list them all."""
    untried = [point for point in all_points(position.size) if position.at(point) is None]
    while untried:
        # Of Python's generator only random() is promised to repeat across versions.
        pick = int(rng.random() * len(untried))
        point, untried[pick] = untried[pick], untried[-1]
        untried.pop()
        if not position.is_eye(colour, point) and position.legality(colour, point) is None:
            return point
    return None
