"""Games in a compact code, so that a page holds ten thousand of them.

A move is one character on boards up to 9x9 and two on larger ones; colours alternate unless a mark says
otherwise. Each search adds three characters of nodes and two of its score. `assets/viewer.js` reads the code.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from harness.arena.store.rows import StoredGame, StoredSearch
from harness.gtp import parse_vertex

ALPHABET = "".join(chr(code) for code in range(33, 126) if chr(code) not in "\"&'<>\\")
"""The digits of the code: printable characters that need no escape in JSON or HTML."""

MARK = "~"
"""Before a move: the same colour moves again. In place of digits: nothing is known."""

BASE = len(ALPHABET)
MOST_NODES = BASE**3 - 1
SCORE_STEPS = 7_000
"""Steps between score 0 and score 1: two digits hold them, and they resolve a thousand playouts."""


@dataclass(frozen=True)
class Limits:
    """Characters of code that a page may hold. Games beyond have no moves, or no numbers of searches."""

    moves: int = 1_600_000
    searches: int = 2_400_000


def digits(value: int, length: int) -> str:
    """A number as `length` digits, the highest first. Raises ValueError for a number that is too large."""
    if not 0 <= value < BASE**length:
        raise ValueError(f"{value} does not fit in {length} digits")
    written = ""
    for _ in range(length):
        value, digit = divmod(value, BASE)
        written = ALPHABET[digit] + written
    return written


def move_length(size: int) -> int:
    """Characters of a move; a pass counts as one point more than the board has."""
    return 1 if size * size < BASE else 2


def coded_moves(game: StoredGame) -> str:
    """The moves of a game, those of its opening first."""
    written, before = [], "w"
    for move in game.moves.split():
        colour = move[0]
        code = _coded_vertex(move[1:], game.size)
        written.append(MARK + code if colour == before else code)
        before = colour
    return "".join(written)


@cache
def _coded_vertex(vertex: str, size: int) -> str:
    point = parse_vertex(vertex, size)
    index = size**2 if point is None else point[0] * size + point[1]
    return digits(index, move_length(size))


def coded_searches(game: StoredGame, searches: Sequence[StoredSearch], nodes_step: int) -> str:
    """Nodes, in units of `nodes_step`, and score of the search behind each move after the opening."""
    codes = [MARK * 5] * (game.move_count - game.opening_moves)
    for search in searches:
        place = search.move - game.opening_moves - 1
        if 0 <= place < len(codes):
            codes[place] = _nodes(search.nodes, nodes_step) + _score(search.score)
    return "".join(codes)


def _nodes(nodes: int | None, step: int) -> str:
    return MARK * 3 if nodes is None else _digits_of_nodes(min(MOST_NODES, round(nodes / step)))


@lru_cache(100_000)
def _digits_of_nodes(value: int) -> str:
    return digits(value, 3)


def _score(score: float | None) -> str:
    return MARK * 2 if score is None else _digits_of_score(round(min(1.0, max(0.0, score)) * SCORE_STEPS))


@cache
def _digits_of_score(value: int) -> str:
    return digits(value, 2)
