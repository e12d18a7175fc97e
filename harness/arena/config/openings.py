"""Provides the openings of a run: the empty board, handicap stones, random moves, or moves of SGF files.

Games 1 and 2 of a pair (with both colours) have opening 0, games 3 and 4 opening 1, and so on. With fixed
colours, each game of a pair has another opening.
"""

from __future__ import annotations

import random
from dataclasses import replace
from functools import lru_cache

from harness.arena.config.handicap import handicap_points
from harness.arena.config.opening import EMPTY, Opening, OpeningError
from harness.arena.config.opening_files import read_openings
from harness.arena.config.opening_tables import NoOpenings, RandomOpenings, SgfOpenings
from harness.arena.config.tables import MatchConfig, RunTable
from harness.arena.records import Game, Played
from harness.go import IllegalMoveError, Point, Position, all_points, random_game
from harness.gtp import format_vertex

TRIALS = 16
"""Random trial games after a random opening. Chosen: in milliseconds, they show if a side has won already."""
MIN_WINS = 2
"""An opening is rejected if a side wins fewer trial games. Chosen: a balanced opening fails once in 2,000."""
ATTEMPTS = 64
"""Most random openings that are tried; then the most balanced one is used. Chosen: about a second of work."""


class OpeningBooks:
    """The openings of all pairs of a match. Pairs with equal conditions share a book. Raises OpeningError."""

    def __init__(self, config: MatchConfig) -> None:
        self._config = config
        self._books: dict[tuple[object, ...], OpeningBook] = {}
        for pair in range(1, len(config.runs) + 1):
            self.of_pair(pair)

    def of_pair(self, pair: int) -> OpeningBook:
        """Return the book of a pair, by the number of the pair from 1."""
        run = self._config.run_of(pair)
        key = (run.size, run.komi, run.seed, run.handicap, run.handicap_style, run.openings)
        if key not in self._books:
            self._books[key] = OpeningBook(run)
        return self._books[key]

    def opening(self, game: Game) -> Opening:
        """The opening of a game."""
        return self.of_pair(game.pair).opening(game.opening)

    @property
    def skipped(self) -> tuple[str, ...]:
        """A line for each reason why games of the files are not used."""
        return tuple(dict.fromkeys(line for book in self._books.values() for line in book.skipped))


class OpeningBook:
    """The openings of a run by number; equal configs and files have equal openings. Raises OpeningError.

    skipped   a line for each reason why games of the files are not used
    """

    def __init__(self, run: RunTable) -> None:
        self._run = run
        self._files: tuple[Opening, ...] = ()
        self._handicap = _handicap_opening(run)
        self.skipped: tuple[str, ...] = ()
        if isinstance(run.openings, SgfOpenings):
            self._files, self.skipped = read_openings(run, run.openings)
        self._random = lru_cache(maxsize=64)(self._draw)
        self._order = lru_cache(maxsize=1)(self._shuffle)

    def opening(self, number: int) -> Opening:
        """The opening with this number, from 0."""
        kind = self._run.openings
        if isinstance(kind, NoOpenings):
            return self._handicap
        if isinstance(kind, RandomOpenings):
            return self._random(number)
        times, index = divmod(number, len(self._files))
        return self._files[self._order(times)[index] if kind.order == "random" else index]

    def _shuffle(self, times: int) -> list[int]:
        """The order in which the games of the files are used, one time through all of them, from 0.

        Each time has another order. It depends only on the seed of the run.
        """
        order = list(range(len(self._files)))
        random.Random(f"{self._run.seed}/order/{times}").shuffle(order)
        return order

    def _draw(self, number: int) -> Opening:
        """Draw random openings until one is balanced; after ATTEMPTS, take the most balanced one."""
        kind = self._run.openings
        assert isinstance(kind, RandomOpenings)
        best: tuple[int, Position] | None = None
        for attempt in range(ATTEMPTS):
            seed = f"{self._run.seed}/{number}/{attempt}"
            position = random_game(self._run.size, seed, kind.moves)
            wins = _fewer_wins(position, self._run.komi, seed)
            if best is None or wins > best[0]:
                best = wins, position
            if wins >= MIN_WINS:
                break
        assert best is not None
        position = best[1]
        moves = tuple(Played(move.colour, format_vertex(move.point)) for move in position.moves)
        return Opening(f"random {number + 1}", moves, position.to_move)


def _handicap_opening(run: RunTable) -> Opening:
    """The opening without files and random moves: the empty board or the handicap stones."""
    if not run.handicap:
        return EMPTY
    free = run.handicap_style == "free"
    try:
        points = handicap_points(run.handicap, run.size)
    except ValueError as error:
        raise OpeningError(f"handicap: {error}") from None
    name = f"free handicap {run.handicap}" if free else f"handicap {run.handicap}"
    return replace(Opening(name, to_move="w").with_handicap(points), free=free)


def _fewer_wins(position: Position, komi: float, seed: str) -> int:
    """The number of wins of the weaker side in TRIALS random games from this position.

    A draw counts as a win of White.
    """
    rng = random.Random(f"{seed}/trials")
    wins = 0
    for _ in range(TRIALS):
        trial = position.copy()
        play_out(trial, rng)
        wins += trial.area_score() > komi
    return min(wins, TRIALS - wins)


def play_out(position: Position, rng: random.Random) -> None:
    """Play random moves, but none into an eye of its own side, until both sides pass or to the move cap.

    This is faster than `random_game`, which lists the empty points again for each move.
    """
    passes = 0
    points = all_points(position.size)
    while passes < 2 and len(position.moves) < 3 * position.size**2:
        if _play_random_point(position, points, rng):
            passes = 0
        else:
            position.play(position.to_move, None)
            passes += 1


def _play_random_point(position: Position, points: list[Point], rng: random.Random) -> bool:
    """Play a random stone of the side to move, but none into its own eye. Return False if none is legal.

    points   all points of the board, in any order; the order is changed
    """
    colour = position.to_move
    for untried in range(len(points), 0, -1):  # a tried point is swapped behind the untried ones
        pick = int(rng.random() * untried)
        point = points[pick]
        points[pick], points[untried - 1] = points[untried - 1], point
        if position.at(point) is None and not position.is_eye(colour, point):
            try:
                position.play(colour, point)
            except IllegalMoveError:
                continue
            return True
    return False
