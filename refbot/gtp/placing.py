"""Sets up stones on a board, and chooses the points of handicap stones (GTP draft 2, fixed and free)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from refbot.rules import BLACK, WHITE, Game
from refbot.rules.board import chains_of, grid

COLOURS = {"b": BLACK, "w": WHITE}
FEWEST = 2  # handicap stones; this and the next three numbers (lines of a board) are those of the draft
_SMALLEST_FIXED_SIZE, _SMALLEST_NINE_STONE_SIZE, _SMALLEST_FOURTH_LINE_SIZE = 7, 9, 13


def place(game: Game, stones: Iterable[tuple[str, int]]) -> None:
    """Sets up the stones of a legal position, by moves, on an empty board. They count towards the move cap.

    The order does not matter. No move captures: an incomplete chain has a liberty, which is one of the
    complete chain, or an empty point where another stone of the chain will stand. No move repeats a position.
    If a chain has no liberty (see `have_liberties`), stones are captured or IllegalMoveError is raised.
    """
    for colour, point in stones:
        game.play(COLOURS[colour], point)


def have_liberties(size: int, stones: Sequence[tuple[str, int]]) -> bool:
    """Return whether every chain of the stones has a liberty: only such a position can be set up."""
    around = grid(size)
    black, white = (sum(1 << point for name, point in stones if name == colour) for colour in COLOURS)
    empty = around.all & ~(black | white)
    return all(around.beside(chain) & empty for own in (black, white) for chain in chains_of(around, own))


def most_fixed(size: int) -> int:
    """Return the largest fixed handicap of a board: 0, 4 or 9. More than 4 needs a middle line and room."""
    if size < _SMALLEST_FIXED_SIZE:
        return 0
    return 9 if size % 2 == 1 and size >= _SMALLEST_NINE_STONE_SIZE else 4


def fixed_points(size: int, stones: int, line: int = 0) -> list[int]:
    """Return the points of a fixed handicap of `FEWEST` to `most_fixed(size)` stones.

    Faults and habits ask for 0 to 9. `line` is the line of the outer points, 1 at the edge; 0 is the draft's,
    the third or the fourth. Two stones on 9x9 are on C3 and G7: 20 and 60.
    """
    low = (line or (4 if size >= _SMALLEST_FOURTH_LINE_SIZE else 3)) - 1
    middle, high = size // 2, size - 1 - low
    corners = [(low, low), (high, high), (high, low), (low, high)]
    sides = [(middle, low), (middle, high), (low, middle), (high, middle)]
    if stones <= len(corners):
        chosen = corners[:stones]
    else:
        chosen = corners + sides[: (stones - 4) // 2 * 2]
        if stones % 2 == 1:
            chosen.append((middle, middle))
    return [row * size + column for row, column in chosen]


def free_points(size: int, stones: int) -> list[int]:
    """Return points for a free handicap: the fixed ones first, then from the centre outwards.

    One point stays empty as a liberty, so a small board may get fewer than `stones`.
    """
    points = fixed_points(size, min(stones, most_fixed(size))) if most_fixed(size) else []
    others = sorted(set(range(size * size)) - set(points), key=lambda point: _from_centre(point, size))
    return (points + others)[: min(stones, size * size - 1)]


def _from_centre(point: int, size: int) -> tuple[int, int]:
    row, column = divmod(point, size)
    return (2 * row - size + 1) ** 2 + (2 * column - size + 1) ** 2, point
