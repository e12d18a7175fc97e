"""`random_game`: a seeded random game, for openings and test positions."""

from __future__ import annotations

import random

from harness.go.geometry import Colour, Point, all_points
from harness.go.position import Position


def random_game(size: int, seed: int | str, moves: int) -> Position:
    """A game of `moves` random legal moves outside own eyes, Black first. A side without such a move passes.

    The game ends early after two passes in a row. Equal arguments give equal games on every version of
    Python.
    """
    position = Position(size)
    rng = random.Random(seed)
    while len(position.moves) < moves:
        if position.has_ended:
            break
        colour = position.to_move
        position.play(colour, _draw_candidate(position, colour, rng))
    return position


def _draw_candidate(position: Position, colour: Colour, rng: random.Random) -> Point | None:
    """A uniform draw from `position.candidates(colour)`, without listing them all."""
    untried = [point for point in all_points(position.size) if position.at(point) is None]
    while untried:
        # Only random() is guaranteed to give the same numbers in every version of Python.
        pick = int(rng.random() * len(untried))
        point, untried[pick] = untried[pick], untried[-1]
        untried.pop()
        if not position.is_eye(colour, point) and position.legality(colour, point) is None:
            return point
    return None
