"""A compact code for games, so that a page holds ten thousand of them; `assets/viewer.js` decodes it.

Numbers are written with the characters of ALPHABET as digits: "!" is 0, "#" is 1, "$" is 2. A move is the
number of its point, counted from A1 row by row: one digit on boards up to 9x9, else two. Colours alternate,
Black first, unless MARK precedes a move. So on 9x9, "bA1 wC1 wB1" is `!$~#`. A search has three digits of
nodes and two of score, or MARK in place of each digit of an unknown number.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from harness.arena.store.rows import StoredGame, StoredSearch
from harness.gtp import parse_vertex

ALPHABET = "".join(chr(code) for code in range(33, 126) if chr(code) not in "\"&'<>\\")
"""The digits 0, 1, … of the code: printable characters that need no escape in JSON or HTML."""

MARK = "~"
"""Before a move: the same colour moves again, or White moves first. For each digit of a number: unknown."""

BASE = len(ALPHABET)
MOST_NODES = BASE**3 - 1
"""The largest number of three digits."""
SCORE_STEPS = 7_000
"""Score 1 in coded units. Chosen: it fits two digits and distinguishes the scores of 1,000 playouts."""


@dataclass(frozen=True)
class PageLimits:
    """The limits of a page, which keep it below 5 MB however many games the run has.

    moves, searches   characters of code; a game that does not fit any more has no moves, or no searches
    texts             characters of the list of games and of their sentences; after them, no game is listed
    games             games in the list; and first games of which the charts by move number are made
    """

    moves: int = 1_600_000
    searches: int = 2_000_000
    texts: int = 900_000
    games: int = 20_000


def digits(value: int, length: int) -> str:
    """A number as `length` digits, the most significant first. Raises ValueError if it does not fit."""
    if not 0 <= value < BASE**length:
        raise ValueError(f"{value} does not fit in {length} digits of base {BASE}")
    written = ""
    for _ in range(length):
        value, digit = divmod(value, BASE)
        written = ALPHABET[digit] + written
    return written


def move_length(size: int) -> int:
    """The number of digits of a move on a board of this size. A pass has the number after the last point."""
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
    """For each move after the opening, the nodes (in units of `nodes_step`) and the score of its search.

    A move without a search has MARK for all digits. A score is cut to 0 … 1. A search after the last move,
    such as a resignation, is left out.
    """
    codes = [MARK * 5] * (game.move_count - game.opening_moves)
    for search in searches:
        index = search.move - game.opening_moves - 1
        if 0 <= index < len(codes):
            codes[index] = _nodes(search.nodes, nodes_step) + _score(search.score)
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
