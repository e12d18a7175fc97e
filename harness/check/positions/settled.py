"""Positions that checks search from: a settled 9x9 board, and what is changed on it."""

from __future__ import annotations

from functools import cache

from harness.go import Position, diagram
from harness.gtp import parse_vertex

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
"""Each side lives with two eyes and nobody has a move: a playout from here is two passes, 45 points to 36."""


@cache
def settled(empty: str = "", white: str = "", black: str = "") -> str:
    """The settled board with these vertices emptied or given to a colour, drawn."""
    position = diagram(SETTLED)
    stones = position.stones()
    for vertices, content in ((empty, None), (white, "w"), (black, "b")):
        for vertex in vertices.split():
            point = parse_vertex(vertex, position.size)
            assert point is not None, "a pass is no point of a board"
            stones.pop(point, None)
            if content is not None:
                stones[point] = "b" if content == "b" else "w"
    changed = Position(position.size)
    changed.set_up(
        (point for point, colour in stones.items() if colour == "b"),
        (point for point, colour in stones.items() if colour == "w"),
    )
    return changed.draw()


DAME = {1: settled("E9"), 4: settled("E9 E7 E5 E3")}
"""One and four neutral points: every playout fills them and ends, one move a point and two passes."""

NEUTRAL_FILE = settled("E1 E2 E3 E4 E5 E6 E7 E8 E9")
"""Nine neutral points between as many stones of either colour: a playout fills them and ends."""

TWO_WAYS = settled("D1 E1 D5")
"""Black to move wins more points by E1 than by D1."""

TWO_WAYS_DECIDED, TWO_WAYS_LOST = 8.5, 9.5
"""With the first komi Black wins by E1 and loses by D1, half of the playouts; with the other all are lost."""

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
"""E9 is the only point that anybody may play; thirty others are empty, and all of them eyes."""

ONLY_WHITE_MOVES = settled("G1 A1 D5", white="B1 C1 D1 E1 F1 A2 B2", black="F2")
"""G1 joins two living white chains: a false eye that White may fill, and suicide for Black."""

ONLY_BLACK_MOVES = ONLY_WHITE_MOVES.translate(str.maketrans("XO", "OX"))
"""The same with the colours exchanged."""

ONE_POINT_EACH = settled(
    "G1 A1 D5 C9 G5", white="B1 C1 D1 E1 F1 A2 B2 D8 E8", black="F2 D9 E9 F9 G9 H9 H8 J8"
)
"""G1 is open to White alone, C9 to Black alone: each is a false eye, and suicide for the other colour."""
