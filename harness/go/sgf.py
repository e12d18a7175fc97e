"""Games as SGF FF[4], written and read by sgfmill."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from sgfmill import sgf, sgf_moves

from harness import __version__
from harness.go.geometry import Colour, Point, all_points
from harness.go.position import Move

APPLICATION = "conform"
# Control characters have no place in SGF text, and half a surrogate pair none in UTF-8.
_UNPRINTABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")


class BadSgf(ValueError):  # noqa: N818 (it reads as what it says)
    """A file that is not one game of Go in SGF; the message says what is wrong in one line."""


@dataclass(frozen=True)
class SgfGame:
    """The main line of an SGF game."""

    size: int
    komi: float
    moves: tuple[Move, ...]
    black_stones: frozenset[Point] = frozenset()  # stones set up before the first move
    white_stones: frozenset[Point] = frozenset()
    black: str | None = None
    white: str | None = None
    result: str | None = None  # as written: "B+3.5", "W+R", "0", "Void"


def game_record(
    *,
    size: int,
    komi: float,
    moves: Sequence[tuple[Colour, Point | None]],
    black: str,
    white: str,
    result: str,
    round_name: str = "",
    played: date | None = None,
    comments: Sequence[str] = (),
    rules: str = "Chinese",
    application: str = APPLICATION,
    black_stones: Iterable[Point] = (),
    white_stones: Iterable[Point] = (),
    game_comment: str = "",
) -> str:
    """One game with the properties PB PW SZ KM RE RU RO DT AP, ready to be written as UTF-8.

    `comments[i]` goes with move i; a missing or empty one leaves no trace. Names and comments may be hostile:
    they are escaped, and characters that cannot stand in SGF text become U+FFFD. Raises ValueError for a komi
    that is not finite and for points off the board.
    """
    if not math.isfinite(komi):
        raise ValueError(f"komi {komi} cannot be written")
    game = sgf.Sgf_game(size, encoding="UTF-8")
    root = game.get_root()
    root.set("AP", (_printable(application), __version__))
    root.set("RU", _printable(rules))
    root.set("KM", komi)
    root.set("PB", _printable(black))
    root.set("PW", _printable(white))
    root.set("RE", _printable(result))
    if round_name:
        root.set("RO", _printable(round_name))
    if played is not None:
        root.set("DT", played.isoformat())
    if game_comment:
        root.set("C", _printable(game_comment))
    stones = frozenset(black_stones), frozenset(white_stones)
    if any(stones):
        root.set_setup_stones(*stones)
    for number, (colour, point) in enumerate(moves):
        node = game.extend_main_sequence()
        node.set_move(colour, point)
        if number < len(comments) and comments[number]:
            node.set("C", _printable(comments[number]))
    return str(game.serialise().decode("utf-8"))


def read_sgf(data: bytes) -> SgfGame:
    """The main line of the first game in an SGF file.

    Raises BadSgf for anything else: not SGF, another game than Go, setup stones after the first move, points
    off the board. Whether the moves are legal is the referee's business, not this reader's.
    """
    try:
        game = sgf.Sgf_game.from_bytes(data)
        root = game.get_root()
        if root.has_property("GM") and root.get_raw("GM").strip() != b"1":
            raise BadSgf("the game is not Go (GM is not 1)")
        board, plays = sgf_moves.get_setup_and_moves(game)
        size = game.get_size()
        stones = [(point, board.get(*point)) for point in all_points(size)]
        return SgfGame(
            size=size,
            komi=float(game.get_komi()),
            moves=tuple(Move(colour, point) for colour, point in plays),
            black_stones=frozenset(point for point, colour in stones if colour == "b"),
            white_stones=frozenset(point for point, colour in stones if colour == "w"),
            black=game.get_player_name("b"),
            white=game.get_player_name("w"),
            result=str(root.get("RE")) if root.has_property("RE") else None,
        )
    except BadSgf:
        raise
    except (ValueError, KeyError) as error:
        raise BadSgf(" ".join(str(error).split()) or "not an SGF game") from error


def _printable(text: str) -> str:
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    return _UNPRINTABLE.sub("\N{REPLACEMENT CHARACTER}", lines)
