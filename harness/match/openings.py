"""Openings: the empty board, seeded random moves, or the first moves of games in SGF files."""

from __future__ import annotations

import glob
import os
import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from harness.go import IllegalMoveError, Position, SgfError, SgfGame, all_points, random_game, read_sgf
from harness.gtp import Colour, format_vertex, printable
from harness.match.config import NoOpenings, RandomOpenings, RunTable, SgfOpenings
from harness.match.errors import PlayError
from harness.match.records import Played

TRIALS = 16
"""Number of random games that are played out from a random opening."""
MIN_WINS = 2
"""An opening is rejected if either side wins fewer of the trials."""
ATTEMPTS = 64
"""Number of openings that are drawn. If the komi decides them all, the most even opening is taken."""


class OpeningError(PlayError):
    """An opening cannot be used. The text names the file and the reason."""


@dataclass(frozen=True)
class Opening:
    """Moves that both engines receive before the first genmove."""

    name: str
    moves: tuple[Played, ...] = ()
    to_move: Colour = "b"


EMPTY = Opening("none")


class OpeningBook:
    """The openings of a run by number, the same for equal configs. Raises OpeningError for bad files."""

    def __init__(self, run: RunTable) -> None:
        self._run = run
        self._files = _read_files(run.openings, run.size) if isinstance(run.openings, SgfOpenings) else ()
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


def _read_files(openings: SgfOpenings, size: int) -> tuple[Opening, ...]:
    found = tuple(_read(path, size, openings.moves) for path in _paths(openings))
    if not found:
        raise OpeningError(f"no SGF file matches {', '.join(openings.files)}")
    return found


def _paths(openings: SgfOpenings) -> Iterator[Path]:
    """The files in the given order; the files of a folder or of a wildcard sorted by name."""
    for pattern in openings.files:
        path = Path(os.path.expanduser(pattern))
        if path.is_dir():
            yield from sorted(path.glob("*.sgf"))
        elif path.is_file():
            yield path
        else:
            matches = sorted(glob.glob(str(path), recursive=True))
            if not matches:
                raise OpeningError(f"no SGF file matches {pattern}")
            yield from map(Path, matches)


def _read(path: Path, size: int, most: int | None) -> Opening:
    try:
        record = read_sgf(path.read_bytes())
    except OSError as error:
        raise OpeningError(f"cannot read the opening {path}: {error.strerror}") from None
    except SgfError as error:
        raise OpeningError(f"{path}: {error}") from None
    if record.size != size:
        raise OpeningError(f"{path}: the board is {record.size}x{record.size}, the match {size}x{size}")
    moves = _first_moves(record, most)
    position = Position(size)
    for number, (colour, point) in enumerate(moves, 1):
        try:
            position.play(colour, point)
        except IllegalMoveError as error:
            raise OpeningError(f"{path}: move {number} is illegal ({error.reason})") from None
    played = tuple(Played(move.colour, format_vertex(move.point)) for move in position.moves)
    return Opening(printable(os.fsencode(path.name)), played, position.to_move)


def _first_moves(record: SgfGame, most: int | None) -> list[tuple[Colour, tuple[int, int] | None]]:
    """The first moves, set-up stones included. Passes at the end are dropped: they could end the game."""
    moves: list[tuple[Colour, tuple[int, int] | None]] = []
    moves += [("b", point) for point in sorted(record.black_stones)]
    moves += [("w", point) for point in sorted(record.white_stones)]
    moves += [(move.colour, move.point) for move in record.moves[:most]]
    while moves and moves[-1][1] is None:
        moves.pop()
    return moves
