"""Replays a stored game, and gives the positions before its searches in the form of the playout kernels."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import blake2b

import numpy as np
import numpy.typing as npt

from harness.arena.errors import MatchError
from harness.arena.store.rows import StoredGame
from harness.gtp import Colour, VertexError, parse_vertex, printable_text
from refbot.rules import BLACK, WHITE, Game, IllegalMoveError, Position

COLOURS: dict[str, int] = {"b": BLACK, "w": WHITE}
KO_MARK = 3  # marks the point that simple ko forbids
KEY_BYTES = 16
Choice = int | None
"""A move: the number of its point (`point_of`); None for a pass."""


@dataclass(frozen=True, eq=False)
class Root:
    """The position before one move of a game. `candidates` are the points that refbot may choose."""

    move: int  # number of the move in the game, from 1
    colour: Colour
    position: Position
    candidates: npt.NDArray[np.int64]


def roots(game: StoredGame, wanted: dict[int, Colour]) -> Iterator[Root]:
    """Yield the positions before the `wanted` moves, in order. `wanted`: by number of a move, its colour.

    The last number may be that of the move after the game; there is no position for a later one. Raises
    MatchError for a game with an illegal move, which conform never stores.
    """
    replayed = Game(game.size, game.komi)
    played = game.moves.split()
    for number in range(1, len(played) + 2):
        if number in wanted:
            colour = wanted[number]
            stone = COLOURS[colour]
            yield Root(number, colour, replayed.position(stone), replayed.candidates(stone))
        if number <= len(played):
            colour_letter, vertex = played[number - 1][0], played[number - 1][1:]
            try:
                replayed.play(COLOURS[colour_letter], point_of(vertex, game.size))
            except (KeyError, VertexError, IllegalMoveError) as error:
                move = printable_text(played[number - 1])[:20]
                raise MatchError(
                    f"game {game.game_id} cannot be played again (move {number}, {move}: {error}); "
                    "conform verify RUN lists such games"
                ) from None


def point_of(vertex: str, size: int) -> Choice:
    """The number of a point, row by row from A1: on 9x9, A1 is 0, B1 is 1, A2 is 9. None for a pass.

    Raises VertexError if the text is no vertex of this board.
    """
    point = parse_vertex(vertex, size)
    return None if point is None else point[0] * size + point[1]


def seed_of(*parts: object) -> int:
    """A seed that depends only on the texts of these parts."""
    text = "/".join(map(str, parts))
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest())


def key_of(position: Position, komi: float) -> bytes:
    """A hash of everything that the playouts of a right bot depend on; equal for rotations and reflections.

    Included: size, komi, stones, the point that ko forbids, the side to move and the number of moves so far.
    """
    marked = position.stones.copy()
    if position.ko >= 0:
        marked[position.ko] = KO_MARK
    square = marked.reshape(position.size, position.size)
    images = (np.rot90(board, turns).tobytes() for board in (square, square.T) for turns in range(4))
    state = f"{position.size} {komi} {position.to_move} {position.moves_made}".encode()
    return blake2b(min(images) + state, digest_size=KEY_BYTES).digest()
