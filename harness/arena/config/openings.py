"""The openings of a run: the empty board, seeded random moves, or the first moves of games in SGF files."""

from __future__ import annotations

import random
from functools import lru_cache

from harness.arena.config.opening import EMPTY, Opening
from harness.arena.config.opening_files import read_openings
from harness.arena.config.tables import NoOpenings, RandomOpenings, RunTable, SgfOpenings
from harness.arena.records import Played
from harness.go import IllegalMoveError, Position, all_points, random_game
from harness.gtp import format_vertex

TRIALS = 16
"""Number of random games that are played out from a random opening."""
MIN_WINS = 2
"""An opening is rejected if either side wins fewer of the trials."""
ATTEMPTS = 64
"""Number of openings that are drawn. If the komi decides them all, the most even opening is taken."""


class OpeningBook:
    """The openings of a run by number, the same for equal configs. Raises OpeningError."""

    def __init__(self, run: RunTable) -> None:
        self._run = run
        read = read_openings(run, run.openings) if isinstance(run.openings, SgfOpenings) else None
        self._files = read.openings if read else ()
        self.skipped = read.skipped if read else ()
        """A line for each reason for which games of the files are not used."""
        self._random = lru_cache(maxsize=64)(self._draw)

    def opening(self, number: int) -> Opening:
        """The opening with this number, from 0."""
        if isinstance(self._run.openings, NoOpenings):
            return EMPTY
        if self._files:
            return self._files[number % len(self._files)]
        return self._random(number)

    def _draw(self, number: int) -> Opening:
        kind = self._run.openings
        assert isinstance(kind, RandomOpenings)
        best: tuple[int, Position] | None = None
        for attempt in range(ATTEMPTS):
            seed = f"{self._run.seed}/{number}/{attempt}"
            position = random_game(self._run.size, seed, kind.moves)
            evenness = _evenness(position, self._run.komi, seed)
            if best is None or evenness > best[0]:
                best = evenness, position
            if evenness >= MIN_WINS:
                break
        assert best is not None
        position = best[1]
        moves = tuple(Played(move.colour, format_vertex(move.point)) for move in position.moves)
        return Opening(f"random {number + 1}", moves, position.to_move)


def _evenness(position: Position, komi: float, seed: str) -> int:
    """The number of wins of the weaker side in TRIALS random games from this position."""
    rng = random.Random(f"{seed}/trials")
    wins = 0
    for _ in range(TRIALS):
        trial = position.copy()
        play_out(trial, rng)
        wins += trial.area_score() > komi
    return min(wins, TRIALS - wins)


def play_out(position: Position, rng: random.Random) -> None:
    """Play random moves, none into an own eye, until both sides pass or the move cap is reached."""
    passes = 0
    points = all_points(position.size)
    while passes < 2 and len(position.moves) < 3 * position.size**2:
        colour = position.to_move
        for tried in range(len(points), 0, -1):
            pick = int(rng.random() * tried)
            point = points[pick]
            points[pick], points[tried - 1] = points[tried - 1], point
            if position.at(point) is not None or position.is_eye(colour, point):
                continue
            try:
                position.play(colour, point)
            except IllegalMoveError:
                continue
            passes = 0
            break
        else:
            position.play(colour, None)
            passes += 1
