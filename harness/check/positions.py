"""Drawn boards that several families and procedures use."""

from __future__ import annotations

from functools import cache
from itertools import cycle

from harness.go import Colour, Position, diagram
from harness.gtp import parse_vertex


def empty(size: int) -> str:
    """The empty board of a size, as `harness.go.diagram` reads it."""
    return "\n".join(". " * size for _ in range(size))


EMPTY = empty(9)


SETTLED = """
    . X X X X O O O .
    X X X X X O O O O
    X X X X X O O O O
    X X X X X O O O O
    X X X X X O O O O
    X X X X X O O O O
    X X X X X O O O O
    X X X X X O O O O
    . X X X X O O O .
"""
"""Each side lives with two eyes and has no candidate: a playout is two passes, Black 45 points, White 36."""


def settled_board(size: int, *, neutral_file: bool = False) -> str:
    """Draw SETTLED on a board of any odd size.

    neutral_file   leave the column between the halves empty, at the cost of Black's half
    """
    own = size // 2 + 1
    full = "X" * (own - neutral_file) + "." * neutral_file + "O" * (size - own)
    edge = "." + full[1:-1] + "."
    return "\n".join(" ".join(row) for row in (edge, *[full] * (size - 2), edge))


def draw_changed(board: str, empty: str = "", white: str = "", black: str = "") -> str:
    """Draw a board with these vertices (such as "E9 D5") emptied, or occupied by a stone of a colour."""
    position = diagram(board)
    stones = position.stones()
    for vertices, content in ((empty, None), (white, "w"), (black, "b")):
        for vertex in vertices.split():
            point = parse_vertex(vertex, position.size)
            assert point is not None, "a pass is no point of a board"
            stones.pop(point, None)
            if content is not None:
                stones[point] = "b" if content == "b" else "w"
    drawn = Position(position.size)
    drawn.set_up(*([point for point, colour in stones.items() if colour == side] for side in "bw"))
    return drawn.draw()


@cache
def settled(empty: str = "", white: str = "", black: str = "") -> str:
    """Draw SETTLED with these vertices emptied, or occupied by a stone of a colour."""
    return draw_changed(SETTLED, empty, white, black)


DAME = {1: settled("E9"), 4: settled("E9 E7 E5 E3")}
"""By number of neutral points: every playout fills each with one move, then ends with two passes."""

NEUTRAL_FILE = settled("E1 E2 E3 E4 E5 E6 E7 E8 E9")
"""Nine neutral points between as many stones of either colour: a playout fills them and ends."""

TWO_WAYS = settled("D1 E1 D5")
"""Black to move wins more points by E1 than by D1."""

TWO_WAYS_DRAWN, TWO_WAYS_DECIDED, TWO_WAYS_LOST = 7.0, 8.5, 9.5
"""Komi values for TWO_WAYS. With each but the last, Black wins by E1, the first move of half the playouts; by
D1 he draws, or loses. With the last he never wins."""

MANY_EYES = """
    X . X X . O O . O
    . X . X X O . O .
    X . X . X O O . O
    . X . X X O . O .
    X . X . X O O . O
    . X . X X O . O .
    X . X . X O O . O
    . X . X X O . O .
    X . X . X O O . O
"""
"""E9 is the only candidate of both sides; the thirty other empty points are eyes."""

ONLY_WHITE_MOVES = settled("G1 A1 D5", white="B1 C1 D1 E1 F1 A2 B2", black="F2")
"""G1 joins two living white chains: a false eye that White may fill, and suicide for Black."""

ONLY_BLACK_MOVES = ONLY_WHITE_MOVES.translate(str.maketrans("XO", "OX"))
"""ONLY_WHITE_MOVES with the colours exchanged."""

TWO_WHITE_MOVES = settled(
    "G1 G9 A1 A9 B5 D5", white="B1 C1 D1 E1 F1 A2 B2 B9 C9 D9 E9 F9 A8 B8", black="F2 F8"
)
"""G1 and G9 join living white chains: false eyes that White may fill, and suicide for Black."""

ONE_POINT_EACH = settled(
    "G1 A1 D5 C9 G5", white="B1 C1 D1 E1 F1 A2 B2 D8 E8", black="F2 D9 E9 F9 G9 H9 H8 J8"
)
"""G1 is open to White alone, C9 to Black alone: each is a false eye, and suicide for the other colour."""


SENT_TWO = settled("A1 C1 D5", white="B1 C2 D1 D2 E1 E2")
"""Send two, return one: after White A1 and Black C1 (takes two stones), superko forbids White B1."""

WINNING = 400.0
"""A komi with which White wins every playout: all candidates of Black are equal."""


CORRIDORS = """
    . . . . O . . . .
    O O O O O O O O O
    . . . . O . . . .
    O O O O O O O O O
    X X X X X X X X X
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
"""
"""A black stone in a corridor takes it from White and wins; a stone in Black's region changes nothing."""

BLACK_WALL_ROW = 4
"""The row of CORRIDORS that Black fills, counted from 0 at the bottom; the corridors are above it."""

CORRIDORS_KOMI = 11.5
"""A komi with which Black wins CORRIDORS only if he takes a corridor."""


def draw_halves(size: int) -> str:
    """Draw a board of an odd size that a white wall divides, with nearly all points empty.

    A black stone above the wall takes the upper half from White. Below the wall stands a black stone from the
    beginning, so that one more there changes nothing. So results show whether one half is preferred.

    A bot prefers one if it draws a point by a random byte modulo the number of empty points, from a list in
    the order of the board: the first points of the list are drawn more often. (With numbers of 15 bits some
    points are preferred by less than a hundredth, which no check can show.)
    """
    middle = size // 2
    empty_row, wall = " ".join("." * size), " ".join("O" * size)
    last = " ".join("." * middle + "X" + "." * middle)
    return "\n".join([*[empty_row] * middle, wall, *[empty_row] * (middle - 1), last])


def halves_komi(size: int) -> float:
    """The komi of `draw_halves` with which a single black move wins in the upper half alone."""
    won = 2 - size  # both halves are neutral
    lost = won - size * (size // 2)  # the upper half is White's
    return (won + lost) / 2


_VERTICES = """
A6 E7 C2 B2 J3 C9 F8 B8 A5 D7 H8 F5 D2 D1 J2 J8 B3 H2 D3 H4 H7 E6 G7 A1 B6 G8 G9 F6 J4 D9 H6 F2 J5
G5 G3 F1 E5 A8 F9 B4 A4 J1 H1 J6 J7 F3 J9 E2 A9 B9 B5 C1 C4 E4 G2 D5 H3 G1 C6 B7 C8 C7 E9 D8 G8 A2
J1 G4 A3 G6 B1 A9 E1 D1 J8 A7 A2 C8 J6 F4 E8 E1 H2 C5 H9 E3 A1 F7 D6 H5 B2 J7 J6 C1 D4 F8 E5 D5 H8
G2 J8 G8 H7 H6 E9 H1 C5 J3 E5 G3 J1 J2 G7 D5 H3 H2 E5 J9 H9 D5 J4 J5 E5 J7 F9 D5 J6 G9 E5 E8 B4 D5
F9 C3 D3 E9 A5 J7 C5 J9 C6 H9 A3 B6 B2 D6 D4 G7 H7 H8 C2 H3 C4 B3 B4 F9 B1 A6 C3 J8 A2 J6 D2 J4 A4
J1 B5 H7 E5 D5 D6 J3 E4 E7 F4 E2 J8 E6 C9 H9 J6 B8 G7 F2 F9 G5 E8 D7 D1 E9 D9 D8 A6 F8 J7 E9 A1 G9
H5 H8
"""

_COLOURS: tuple[Colour, Colour] = ("b", "w")

STONES_PLAYED = tuple(zip(cycle(_COLOURS), _VERTICES.split(), strict=False))
"""A game with many captures, Black first: (colour, vertex). 44 stones are left at its end.

Found by random play that prefers captures.
"""

NATURAL_LENGTH, NATURAL_SD = 54.2, 14.0
"""Moves of a playout after STONES_PLAYED, Black to move, without a move cap: mean and standard deviation.

Measured: 2 million playouts of `refbot`.
"""
