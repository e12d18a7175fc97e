"""A board on which the first move of a playout decides its result by the region it falls in."""

from __future__ import annotations

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
"""A black stone in a corridor takes it from White and wins; one in Black's own region changes nothing."""

CORRIDORS_KOMI = 11.5
