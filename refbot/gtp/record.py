"""Loads game records: from an SGF file to a `Game`, for the engine and for `refbot playouts`."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from pathlib import Path

from refbot.deviations.fault import Fault
from refbot.deviations.faults import Faults
from refbot.errors import RefbotError
from refbot.gtp.placing import COLOURS, place
from refbot.gtp.syntax import DeliberateCrashError, format_vertex
from refbot.rules import BLACK, WHITE, Game, IllegalMoveError
from refbot.sgf import Point, SgfError, SgfFileError, SgfGame, read_file, read_game


class CannotLoadError(RefbotError, ValueError):
    """A game that cannot be loaded: missing, damaged, against the rules, or without the move asked for."""


class NoFileError(CannotLoadError):
    """A file that is missing or cannot be read."""


def read(
    path: str, before_move: int | None = None, number: int = 1, faults: AbstractSet[Fault] = frozenset()
) -> SgfGame:
    """Return the main line of game `number` of a file, up to the move before move `before_move`.

    Games and moves are counted from 1: `before_move` 3 leaves two moves. The record has all moves if
    `before_move` is None or beyond the last. Raises CannotLoadError.
    """
    if before_move is not None and before_move < 1:
        raise CannotLoadError(f"no move {before_move}")
    last = None if before_move is None else before_move - (Faults.LOADSGF_ONE_MOVE_MORE not in faults)
    try:
        data = read_file(Path(path))
        if Faults.LOADSGF_CRASHES in faults:
            raise DeliberateCrashError("a file")
        return read_game(data, number, last)
    except SgfFileError as error:
        raise NoFileError(f"the file {error}") from error
    except SgfError as error:
        raise CannotLoadError(str(error)) from error


def replay(game: Game, record: SgfGame) -> None:
    """Set up and play a record on an empty board of its size; a fault keeps the stones on the board.

    Raises CannotLoadError for a set-up chain without liberty and for an illegal move.
    """
    size = record.size
    stones = [("b", _index(point, size)) for point in sorted(record.black_stones)]
    stones += [("w", _index(point, size)) for point in sorted(record.white_stones)]
    try:
        place(game, stones)
    except IllegalMoveError as error:
        raise _without_liberty(record, error.point) from error
    board = game.stones
    for colour, index in stones:
        if board[index] != COLOURS[colour]:
            raise _without_liberty(record, index)
    for number, (side, point) in enumerate(record.moves, 1):
        try:
            game.play(BLACK if side == "b" else WHITE, None if point is None else _index(point, size))
        except IllegalMoveError as error:
            raise CannotLoadError(
                f"game {record.number}: move {number}, {side.upper()} {format_vertex(error.point, size)}, is "
                f"illegal ({error.reason}); to load the position before it, ask for move {number}"
            ) from error


def stone_count(record: SgfGame) -> int:
    """Return the number of stones that a record sets up before its first move."""
    return len(record.black_stones) + len(record.white_stones)


def _index(point: Point, size: int) -> int:
    return point[0] * size + point[1]


def _without_liberty(record: SgfGame, index: int) -> CannotLoadError:
    return CannotLoadError(
        f"game {record.number}: the stones that are set up leave no liberty to the chain at or beside "
        f"{format_vertex(index, record.size)}"
    )
