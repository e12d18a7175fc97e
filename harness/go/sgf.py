"""Reads games from SGF files (by `refbot.sgf`, which has no rules), and plays them on the referee's board."""

from __future__ import annotations

from collections.abc import Iterator

from harness.go.errors import BoardError, IllegalMoveError, SgfError
from harness.go.geometry import Point
from harness.go.position import Position, vertex_of
from harness.go.rules import REFERENCE, Rules
from refbot import sgf
from refbot.sgf import SgfGame

__all__ = ["SgfGame", "play_record", "read_sgf", "read_sgf_games", "result_text"]


def read_sgf(data: bytes, number: int = 1, most_moves: int | None = None) -> SgfGame:
    """Return the main line of game `number` of a file (from 1). The moves may be illegal: see `play_record`.

    most_moves   the moves after these are left out; None: no limit
    Raises SgfError.
    """
    try:
        return sgf.read_game(data, number, most_moves)
    except sgf.SgfError as error:
        raise SgfError(str(error)) from error


def read_sgf_games(data: bytes, most_moves: int | None = None) -> Iterator[SgfGame | SgfError]:
    """Yield the main line of each game of a file, or its SgfError if it cannot be read.

    A file without a game yields one SgfError. `most_moves`: as for `read_sgf`.
    """
    for game in sgf.read_games(data, most_moves):
        yield SgfError(str(game)) if isinstance(game, sgf.SgfError) else game


def play_record(game: SgfGame, rules: Rules = REFERENCE) -> Position:
    """Return the position after all moves of a game. Its set-up stones are played as moves, Black's first.

    Raises SgfError for an illegal move, a set-up chain without a liberty, and a size that has no board.
    """
    try:
        Position(game.size).set_up(game.black_stones, game.white_stones)  # only to check the stones
        position = Position(game.size, rules)
    except BoardError as error:
        raise SgfError(f"game {game.number}: {error}") from None
    for stone in sorted(game.black_stones):
        position.play("b", stone)
    for stone in sorted(game.white_stones):
        position.play("w", stone)
    for number, (colour, point) in enumerate(game.moves, 1):
        try:
            position.play(colour, point)
        except IllegalMoveError as error:
            raise SgfError(
                f"game {game.number}: move {number}, {colour.upper()} {_vertex(point)}, is illegal "
                f"({error.reason})",
                legal_moves=number - 1,
            ) from None
    return position


def result_text(lead: float) -> str:
    """Return a result in the form of SGF and of final_score: B+3.5, W+1 or 0. `lead`: Black's, in points."""
    return f"{'B' if lead > 0 else 'W'}+{abs(lead):g}" if lead else "0"


def _vertex(point: Point | None) -> str:
    return "pass" if point is None else vertex_of(point)
