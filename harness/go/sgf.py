"""Games in SGF, read by sgfmill."""

from __future__ import annotations

import warnings
from dataclasses import dataclass

from harness.go.errors import SgfError
from harness.go.geometry import Point, all_points
from harness.go.position import Move

with warnings.catch_warnings():
    # Python 3.12 and newer warn of a docstring of sgfmill 1.1.1 when they compile it.
    warnings.simplefilter("ignore", SyntaxWarning)
    from sgfmill import sgf, sgf_moves

MAX_REASON = 200  # characters of an error of the library


@dataclass(frozen=True)
class SgfGame:
    """The main line of an SGF game."""

    size: int
    komi: float
    moves: tuple[Move, ...]
    black_stones: frozenset[Point] = frozenset()  # stones set up before the first move
    white_stones: frozenset[Point] = frozenset()


def read_sgf(data: bytes) -> SgfGame:
    """The main line of the first game in an SGF file.

    Raises SgfError for anything else: a file that is not SGF, another game than Go, setup stones after the
    first move, points off the board. The reader does not check whether the moves are legal.
    """
    try:
        game = sgf.Sgf_game.from_bytes(data)
        root = game.get_root()
        if root.has_property("GM") and root.get_raw("GM").strip() != b"1":
            raise SgfError("the game is not Go (GM is not 1)")
        board, plays = sgf_moves.get_setup_and_moves(game)
        size = game.get_size()
        stones = [(point, board.get(*point)) for point in all_points(size)]
        return SgfGame(
            size=size,
            komi=float(game.get_komi()),
            moves=tuple(Move(colour, point) for colour, point in plays),
            black_stones=frozenset(point for point, colour in stones if colour == "b"),
            white_stones=frozenset(point for point, colour in stones if colour == "w"),
        )
    except SgfError:
        raise
    except Exception as error:  # CA names any codec of Python, and each has errors of its own
        raise SgfError(_one_line(str(error)) or "not an SGF game") from error


def _one_line(text: str) -> str:
    """The text without line feeds, control characters and other characters that a terminal could obey."""
    line = " ".join(text.split())[:MAX_REASON]
    return "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in line)
