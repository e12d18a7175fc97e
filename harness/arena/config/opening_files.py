"""Reads openings from SGF files, and collects the reasons why games cannot be used."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from itertools import chain, islice
from pathlib import Path

from harness.arena.config.opening import Opening, OpeningError
from harness.arena.config.opening_tables import SgfOpenings
from harness.arena.config.tables import RunTable
from harness.arena.records import Played, Setup
from harness.files.patterns import FileSearch, PatternError
from harness.go import SgfError, SgfGame, play_record, read_sgf_games
from harness.gtp import cut, format_vertex, printable
from refbot.sgf import SgfFileError, read_file

MOST_LINES = 20
"""Most reasons that a message lists, before it counts the others. Chosen: a screen."""
MOST_USED = 200_000
"""Most games that are kept as openings. Chosen: about 200 MB of memory in each worker."""
MOST_NAMES = 3
"""Most games that a message lists for one reason. Chosen: a line."""
LONGEST_SHOWN = 200
"""Characters of a pattern that a message shows. Chosen: a few lines of a terminal."""


def read_openings(run: RunTable, openings: SgfOpenings) -> tuple[tuple[Opening, ...], tuple[str, ...]]:
    """Read all files in their order. Returns (the usable games, a line for each reason to skip others).

    Raises OpeningError if no game can be used, if an entry of `files` matches nothing, or if `strict` is set
    and any game cannot be used.
    """
    usable: list[Opening] = []
    unusable = _Unusable()
    for name, game in _games(openings):
        try:
            if isinstance(game, SgfError | SgfFileError):
                raise game
            opening = _opening_of(name, game, run)
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
    """Return how to use a game up to its illegal move; empty if it has none, or no legal move before it."""
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
        """Note that the game `name` cannot be used for this reason."""
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

    A folder stands for all its files `*.sgf` or `*.SGF`, and for those of the folders below it. Raises
    OpeningError for a pattern that matches nothing.
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
    """Return the SGF files in a folder and in the folders below it, sorted by path."""
    return sorted(
        Path(parent, name)
        for parent, _, names in os.walk(folder)
        for name in names
        if name.lower().endswith(".sgf")
    )


def _opening_of(name: str, game: SgfGame, run: RunTable) -> Opening:
    """Return the opening from an SGF game. Raises SgfError if it cannot be used in the run.

    Passes at its end are dropped: they could end the game of the match.
    """
    if game.size != run.size:
        raise SgfError(f"the board is {game.size}x{game.size}, the match {run.size}x{run.size}")
    moves = play_record(game, run.rules.rules).moves
    to_move = game.to_move
    stones = len(game.black_stones) + len(game.white_stones)  # the first moves of the record
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
