"""A flood that takes as many steps as it needs."""

from __future__ import annotations

from enum import IntEnum

from refbot.playouts.lanes.flood import Flood, left_out
from refbot.playouts.lanes.layout import Field, Games
from refbot.playouts.lanes.rows import Rows
from refbot.playouts.lanes.simd import Vec


class Search:
    """A flood that keeps on a board what it reaches, and in lanes that are held goes on from there."""

    def __init__(self, games: Games, board: IntEnum, stones: Rows, start: Rows) -> None:
        self.flood = Flood(stones, start | (games.board(board) & games.get(Field.HELD)))

        def kept(row: int) -> Vec:
            reached = self.flood.rows[row]
            games.set_row(board, row, reached)
            return reached

        self.rows = start.like(kept)
        self.left_out = start.like(lambda row: left_out(stones, self.rows, row))
