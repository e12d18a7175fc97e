"""Putting stones on a board."""

from __future__ import annotations

from collections.abc import Iterable

from refbot.rules import BLACK, WHITE, Game

COLOURS = {"b": BLACK, "w": WHITE}


def place(game: Game, stones: Iterable[tuple[str, int]]) -> None:
    """Sets up the stones of a legal position, by moves, on an empty board.

    In no order do they capture or repeat: a chain of a part of the position has a liberty, either one that
    it has in the whole or a point where the rest of the chain goes. As moves they count towards the move cap.
    """
    for colour, point in stones:
        game.play(COLOURS[colour], point)
