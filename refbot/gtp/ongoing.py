"""`Ongoing`: what a server must know of an analysis, whose answer goes on until the next line of input."""

from __future__ import annotations

from typing import Protocol


class Ongoing(Protocol):
    """An analysis that goes on."""

    @property
    def interval(self) -> float:
        """Seconds between two reports."""

    @property
    def best_is_pass(self) -> bool:
        """True if the best move is a pass."""

    def search(self) -> object:
        """Make some more playouts."""

    def lines(self) -> str:
        """The lines of a report, without a last line feed."""

    def play_best(self) -> None:
        """Make the best move on the board: a fault does that."""
