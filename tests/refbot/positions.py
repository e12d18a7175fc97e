"""Positions for the tests: diagrams, and the middle of random games."""

from __future__ import annotations

import random

import numpy as np

from refbot.rules import BLACK, NO_POINT, WHITE, Game, Position

STONES = {".": 0, "X": BLACK, "O": WHITE}


def stones(diagram: str) -> np.ndarray:
    """A board from a diagram: X Black, O White; the first line is the top row."""
    rows = diagram.split()
    return np.array([STONES[mark] for row in reversed(rows) for mark in row], np.int8)


def position(
    diagram: str, to_move: int = BLACK, ko: int = NO_POINT, made: int = 0, passes: int = 0
) -> Position:
    return Position(len(diagram.split()), stones(diagram), to_move, ko, made, passes)


def set_up(diagram: str, game: Game) -> None:
    """Plays a diagram's stones, in board order, so that the game's board is the diagram."""
    for point, colour in enumerate(stones(diagram)):
        if colour:
            game.play(int(colour), point)
    assert np.array_equal(game.stones, stones(diagram))


def random_game(size: int, moves: int, seed: int, faults: frozenset[str] = frozenset()) -> Game:
    """A game of random candidates with some passes; it may have fewer moves than the argument says."""
    rng = random.Random(seed)
    game = Game(size, faults=faults)
    for _ in range(moves):
        found = list(game.candidates(game.to_move))
        game.play(game.to_move, None if not found or rng.random() < 0.02 else int(rng.choice(found)))
    return game
