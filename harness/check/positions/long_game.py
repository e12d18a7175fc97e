"""A game of 200 moves without a pass: both sides take many stones, and the board stays open."""

from __future__ import annotations

from itertools import cycle

from harness.go import Colour

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
"""Black begins. Found by random play that takes stones wherever it can; 44 stones are left."""

NATURAL_LENGTH, NATURAL_SD = 54.2, 14.0
"""Moves of a playout from there, Black to move, that no cap cuts short: 2 million playouts of `refbot`."""
