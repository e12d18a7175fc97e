"""Provides the openings of a run: the empty board, handicap stones, random moves, or moves of SGF files."""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain, islice
from pathlib import Path

from harness.arena.config.handicap import handicap_points
from harness.arena.config.opening_tables import NoOpenings, RandomOpenings, SgfOpenings
from harness.arena.config.tables import MatchConfig, RunTable
from harness.arena.errors import PlayError
from harness.arena.records import Game, Played, Setup
from harness.files.patterns import FileSearch, PatternError
from harness.go import (
    IllegalMoveError,
    Position,
    SgfError,
    SgfGame,
    all_points,
    play_record,
    random_game,
    read_sgf_games,
)
from harness.gtp import Colour, cut, format_vertex, printable
from refbot.sgf import SgfFileError, read_file

TRIALS = 16
"""Random trial games after a random opening. Chosen: in milliseconds, they show if a side has won already."""
MIN_WINS = 2
"""An opening is rejected if a side wins fewer trial games. Chosen: an even opening fails once in 2,000."""
ATTEMPTS = 64
"""Most random openings that are tried; then the most even one is used. Chosen: about a second of work."""
MOST_LINES = 20
"""Most reasons that a message lists, before it counts the others. Chosen: a screen."""
MOST_USED = 200_000
"""Most games that are kept as openings. Chosen: about 200 MB of memory in each worker."""
MOST_NAMES = 3
"""Most games that it lists for a reason. Chosen: a line."""


LONGEST_SHOWN = 200
"""Characters of a pattern that a message shows. Chosen: a few lines of a terminal."""


class OpeningError(PlayError):
    """The openings cannot be used. The text names the files and the reasons."""


@dataclass(frozen=True)
class Opening:
    """Moves that both engines receive before the first genmove, set-up stones first.

    komi    komi of the record; None: that of the config
    free    Black's engine may choose other points for the handicap stones
    """

    name: str
    moves: tuple[Played, ...] = ()
    to_move: Colour = "b"
    setup: Setup | None = None
    komi: float | None = None
    free: bool = False

    @property
    def handicap(self) -> tuple[str, ...]:
        """The vertices of the set-up stones if the set-up is a handicap and nothing else; empty otherwise."""
        if self.setup is None or self.setup.handicap != self.setup.stones or self.setup.stones < 2:
            return ()
        stones = self.moves[: self.setup.stones]
        return tuple(stone.vertex for stone in stones) if all(s.colour == "b" for s in stones) else ()

    def with_handicap(self, vertices: Sequence[str]) -> Opening:
        """Return this opening with the handicap stones on these points instead."""
        stones = tuple(Played("b", vertex) for vertex in vertices)
        setup = Setup(len(stones), len(stones))
        return replace(self, moves=stones + self.moves[len(self.handicap) :], setup=setup, free=False)


EMPTY = Opening("none")


class OpeningBooks:
    """The openings of all pairs of a match. Pairs with equal keys share a book. Raises OpeningError."""

    def __init__(self, config: MatchConfig) -> None:
        self._config = config
        self._books: dict[tuple[object, ...], OpeningBook] = {}
        for pair in range(1, len(config.runs) + 1):
            self.of_pair(pair)

    def of_pair(self, pair: int) -> OpeningBook:
        """The book of a pair."""
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
    """The openings of a run by number; equal configs have equal openings. Raises OpeningError.

    skipped   a line for each reason why games of the files are not used
    """

    def __init__(self, run: RunTable) -> None:
        self._run = run
        self._files: tuple[Opening, ...] = ()
        self._even = _handicap_opening(run)
        self.skipped: tuple[str, ...] = ()
        if isinstance(run.openings, SgfOpenings):
            self._files, self.skipped = _read_openings(run, run.openings)
        self._random = lru_cache(maxsize=64)(self._draw)
        self._order = lru_cache(maxsize=1)(self._shuffle)

    def opening(self, number: int) -> Opening:
        """The opening with this number, from 0."""
        kind = self._run.openings
        if isinstance(kind, NoOpenings):
            return self._even
        if isinstance(kind, RandomOpenings):
            return self._random(number)
        times, index = divmod(number, len(self._files))
        return self._files[self._order(times)[index] if kind.order == "random" else index]

    def _shuffle(self, times: int) -> list[int]:
        """The order in which all games of the files are used for the next time. Each time has another one."""
        order = list(range(len(self._files)))
        random.Random(f"{self._run.seed}/order/{times}").shuffle(order)
        return order

    def _draw(self, number: int) -> Opening:
        """Draw random openings until one is even enough."""
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
    """Play random moves, but none into an eye of its own side, until both sides pass or to the move cap."""
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


# --- record files -------------------------------------------------------------------------------------------


def _read_openings(run: RunTable, openings: SgfOpenings) -> tuple[tuple[Opening, ...], tuple[str, ...]]:
    """Read all files in their order. Returns the usable games, and a line for each reason to skip others.

    Raises OpeningError if no game can be used, or if `strict` is set and any game cannot be used.
    """
    usable: list[Opening] = []
    unusable = _Unusable()
    for name, game in _games(openings):
        try:
            if isinstance(game, SgfError | SgfFileError):
                raise game
            opening = _opening(name, game, run)
        except (SgfError, SgfFileError) as error:
            unusable.add(f"{error}{_advice(error)}", name)
            continue
        if len(usable) == MOST_USED:
            unusable.add(f"only the first {MOST_USED:,} games are used", name)
        else:
            usable.append(opening)
    lines = unusable.lines()
    if lines and (openings.strict or not usable):
        what = "openings: strict = true, and games cannot be used" if usable else "no opening can be used"
        raise OpeningError("\n".join([f"{what}:", *lines]))
    if not usable:
        raise OpeningError(f"no SGF file in {', '.join(openings.files)}; correct `files` of the openings")
    return tuple(usable), tuple(lines)


def _advice(error: Exception) -> str:
    """Return how to use a game up to its illegal move; empty for another error."""
    legal = error.legal_moves if isinstance(error, SgfError) else 0
    return f"; set `moves` of the openings to {legal} or less, or correct the file" if legal else ""


def _games(openings: SgfOpenings) -> Iterator[tuple[str, SgfGame | SgfError | SgfFileError]]:
    """Yield (name, game) for all files, with an error in place of a game or a file that cannot be read.

    Several games of a file get numbers: `file.sgf#2`.
    """
    for file, path in _files(openings):
        name = printable(os.fsencode(file))
        try:
            games = read_sgf_games(read_file(path), openings.moves)
        except SgfFileError as error:
            yield name, error
            continue
        first = list(islice(games, 2))
        if len(first) == 1:
            yield name, first[0]
            continue
        for number, game in enumerate(chain(first, games), 1):
            yield f"{name}#{number}", game


class _Unusable:
    """Collects the reasons why games cannot be used. Its size is bounded, however many games there are."""

    def __init__(self) -> None:
        self._names: dict[str, list[str]] = {}  # by reason, the first games
        self._counts: Counter[str] = Counter()
        self._others = 0  # games for further reasons

    def add(self, reason: str, name: str) -> None:
        """Add a game."""
        if reason not in self._names and len(self._names) == MOST_LINES:
            self._others += 1
            return
        names = self._names.setdefault(reason, [])
        self._counts[reason] += 1
        if len(names) < MOST_NAMES:
            names.append(name)

    def lines(self) -> list[str]:
        """A line for each of the first MOST_LINES reasons, and a line that counts the other games."""
        lines = []
        for reason, names in self._names.items():
            more = self._counts[reason] - len(names)
            which = ", ".join(names) + (f" and {more:,} more" if more else "")
            lines.append(f"{which}: {reason}")
        if self._others:
            lines.append(f"other reasons are not listed here (games: {self._others:,})")
        return lines


def _files(openings: SgfOpenings) -> Iterator[tuple[str, Path]]:
    """Yield (name, path) of each file, in the order of the patterns; matches of a pattern sorted by path.

    A folder stands for all its files `*.sgf`, in any case and in folders below it.
    """
    search = FileSearch()
    for pattern in openings.files:
        path = Path(os.path.expanduser(pattern))
        try:
            matches = [path] if os.path.exists(path) else [Path(found) for found in search.matches(str(path))]
        except PatternError as error:
            raise OpeningError(f"openings: {cut(pattern, LONGEST_SHOWN)}: {error}") from None
        if not matches:
            raise OpeningError(
                f"no SGF file matches {cut(pattern, LONGEST_SHOWN)}, here or beside the config file; correct "
                "`files` of the openings"
            )
        for match in sorted(matches):
            if match.is_dir():
                yield from ((str(below.relative_to(match)), below) for below in _below(match))
            else:
                yield match.name, match


def _below(folder: Path) -> list[Path]:
    return sorted(
        Path(parent, name)
        for parent, _, names in os.walk(folder)
        for name in names
        if name.lower().endswith(".sgf")
    )


def _opening(name: str, game: SgfGame, run: RunTable) -> Opening:
    """The opening from an SGF game. Passes at its end are dropped: they could end the game of the match."""
    if game.size != run.size:
        raise SgfError(f"the board is {game.size}x{game.size}, the match {run.size}x{run.size}")
    moves = play_record(game, run.rules.rules).moves
    to_move = game.to_move
    stones = len(game.black_stones) + len(game.white_stones)
    while len(moves) > stones and moves[-1].point is None:
        to_move = moves.pop().colour
    if len(moves) >= run.move_cap:
        raise SgfError(
            f"{len(moves)} moves, and a game of the match ends after {run.move_cap}; "
            f"set `moves` of the openings to less than {run.move_cap - stones}"
        )
    setup = Setup(stones, game.handicap) if stones else None
    komi = game.komi if isinstance(run.openings, SgfOpenings) and run.openings.komi == "file" else None
    return Opening(
        name, tuple(Played(colour, format_vertex(point)) for colour, point in moves), to_move, setup, komi
    )
