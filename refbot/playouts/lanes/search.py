"""A flood that takes as many steps as it needs."""

from __future__ import annotations

from enum import IntEnum

from refbot.playouts.lanes.flood import Flood, left_out
from refbot.playouts.lanes.layout import Field, Games
from refbot.playouts.lanes.rows import Rows


class Search:
    """A flood that goes on from what is on a board, in lanes that are held."""

    def __init__(self, games: Games, board: IntEnum, stones: Rows, start: Rows) -> None:
        self._games, self._board, self._stones = games, board, stones
        self.flood = Flood(stones, start | (games.board(board) & games.get(Field.HELD)))
        self.rows = self.flood.rows

    def finish(self, row: int) -> None:
        """Emits the way up as far as `row`, and keeps what is reached there."""
        self._games.set_row(self._board, row, self.rows[row])

    def left_out(self) -> Rows:
        """Stones that it would reach in one more sweep."""
        return self.rows.like(lambda row: left_out(self._stones, self.rows, row))
