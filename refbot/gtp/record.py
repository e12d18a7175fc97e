"""Game records for `loadsgf`: an SGF file in, a starting position and moves out."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from pathlib import Path

from refbot.errors import RefbotError

with warnings.catch_warnings():
    # Python 3.12 and newer warn of a docstring of sgfmill 1.1.1 when they compile it.
    warnings.simplefilter("ignore", SyntaxWarning)
    from sgfmill import sgf, sgf_moves

MAX_BYTES = 10_000_000  # no game record is longer


class CannotLoadError(RefbotError, ValueError):
    """A file that is missing, no game record, or one that doesn't start from a single position."""


@dataclass(frozen=True)
class Record:
    """The main line of a game. Colours and points as in `refbot.gtp.session`."""

    size: int
    komi: float | None  # None: the file has none
    stones: list[tuple[str, int]]  # set up before the first move
    moves: list[tuple[str, int | None]]


def read(path: str, before_move: int | None = None) -> Record:
    """The main line of the file up to, and without, move number `before_move`; all of it without a number.

    Raises CannotLoadError.
    """
    if before_move is not None and before_move < 1:
        raise CannotLoadError(f"no move {before_move}")
    try:
        game = sgf.Sgf_game.from_bytes(_bytes(Path(path)))
        komi = game.get_komi() if game.get_root().has_property("KM") else None
        board, plays = sgf_moves.get_setup_and_moves(game)
    except (ValueError, OSError) as error:
        raise CannotLoadError(str(error)) from error
    size = game.get_size()
    stones = [(colour, row * size + column) for colour, (row, column) in board.list_occupied_points()]
    moves = [(colour, None if move is None else move[0] * size + move[1]) for colour, move in plays]
    return Record(size, komi, stones, moves if before_move is None else moves[: before_move - 1])


def _bytes(path: Path) -> bytes:
    if not path.is_file():  # reading a pipe or a device could block
        raise CannotLoadError("no such file")
    with path.open("rb") as file:
        data = file.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise CannotLoadError("too long")
    return data
