"""Openings from record files. What cannot be used is skipped and listed, or refused."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from harness.arena.config.opening import Opening, OpeningError
from harness.arena.config.tables import RunTable, SgfOpenings
from harness.arena.records import Played, Setup
from harness.go import SgfError, SgfGame, play_record, read_sgf_games
from harness.gtp import format_vertex, printable
from refbot.sgf import SgfFileError, read_file

MOST_LINES = 20
"""Reasons that are listed; the number of the others is."""
MOST_NAMES = 3  # of games that one line lists


@dataclass(frozen=True)
class FileOpenings:
    """The usable games of the files, and a line for each reason for which others are skipped."""

    openings: tuple[Opening, ...]
    skipped: tuple[str, ...]


def read_openings(run: RunTable, openings: SgfOpenings) -> FileOpenings:
    """Read all files in their order.

    Raises OpeningError if no game can be used, or if `strict` is set and any game cannot be used.
    """
    usable: list[Opening] = []
    unusable: dict[str, list[str]] = {}  # by reason, the names of the games
    for name, path in _files(openings):
        for opening in _openings_of(name, path, run, openings.moves):
            if isinstance(opening, _Unusable):
                unusable.setdefault(opening.reason, []).append(opening.name)
            else:
                usable.append(opening)
    lines = _lines(unusable)
    if lines and (openings.strict or not usable):
        what = "openings: strict = true, and games cannot be used" if usable else "no opening can be used"
        raise OpeningError("\n".join([f"{what}:", *lines]))
    if not usable:
        raise OpeningError(f"no SGF file in {', '.join(openings.files)}")
    return FileOpenings(tuple(usable), tuple(lines))


@dataclass(frozen=True)
class _Unusable:
    name: str
    reason: str


def _files(openings: SgfOpenings) -> Iterator[tuple[str, Path]]:
    """Name and path of each file: patterns in the given order, what one matches sorted by path.

    A folder stands for all its files `*.sgf`, in any case and in folders below it.
    """
    for pattern in openings.files:
        path = Path(os.path.expanduser(pattern))
        matches = (
            [path] if path.exists() else [Path(found) for found in glob.iglob(str(path), recursive=True)]
        )
        if not matches:
            raise OpeningError(f"no SGF file matches {pattern}")
        for match in sorted(matches):
            if match.is_dir():
                yield from ((str(below.relative_to(match)), below) for below in _below(match))
            else:
                yield match.name, match


def _below(folder: Path) -> list[Path]:
    return sorted(
        Path(place, name)
        for place, _, names in os.walk(folder)
        for name in names
        if name.lower().endswith(".sgf")
    )


def _openings_of(name: str, path: Path, run: RunTable, most: int | None) -> Iterator[Opening | _Unusable]:
    """The openings of one file. Several games get numbers: `file.sgf#2`."""
    name = printable(os.fsencode(name))
    try:
        games = list(read_sgf_games(read_file(path), most))
    except SgfFileError as error:
        yield _Unusable(name, str(error))
        return
    for number, game in enumerate(games, 1):
        numbered = f"{name}#{number}" if len(games) > 1 else name
        try:
            if isinstance(game, SgfError):
                raise game
            yield _opening(numbered, game, run)
        except SgfError as error:
            yield _Unusable(numbered, str(error))


def _opening(name: str, game: SgfGame, run: RunTable) -> Opening:
    """The opening that a game gives. Passes at its end are dropped: they could end the match game."""
    if game.size != run.size:
        raise SgfError(f"the board is {game.size}x{game.size}, the match {run.size}x{run.size}")
    moves = play_record(game).moves
    to_move = game.to_move
    stones = len(game.black_stones) + len(game.white_stones)
    while len(moves) > stones and moves[-1].point is None:
        to_move = moves.pop().colour
    if len(moves) >= run.move_cap:
        raise SgfError(
            f"{len(moves)} moves, and a game of the match ends after {run.move_cap}; limit them by `moves`"
        )
    setup = Setup(stones, game.handicap) if stones else None
    return Opening(
        name, tuple(Played(colour, format_vertex(point)) for colour, point in moves), to_move, setup
    )


def _lines(unusable: dict[str, list[str]]) -> list[str]:
    """A line for each reason, the first MOST_LINES of them."""
    lines = []
    for reason, names in list(unusable.items())[:MOST_LINES]:
        more = len(names) - MOST_NAMES
        which = ", ".join(names[:MOST_NAMES]) + (f" and {more:,} more" if more > 0 else "")
        lines.append(f"{which}: {reason}")
    left = len(unusable) - MOST_LINES
    if left > 0:
        games = sum(len(names) for names in list(unusable.values())[MOST_LINES:])
        lines.append(f"reasons not listed here: {left:,} (games: {games:,})")
    return lines
