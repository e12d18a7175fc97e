"""The state that an engine shows beside its stones; only faults and habits change it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from refbot.rules import Move


@dataclass
class Display:
    """The memory of a display from one command to the next."""

    refused: list[Move] = field(default_factory=list)  # moves of this game: shown-board-keeps-refused
    earlier: Sequence[int] = ()  # stones of the game before: the fault shown-board-survives-clear
    undone: list[Move] = field(default_factory=list)  # of this game: the fault printsgf-keeps-undone
    times: int = 0  # how often showboard was asked: the habit showboard-counts

    def begin(self, stones: Sequence[int]) -> None:
        """Begin a new game; `stones` are those of the game before."""
        self.refused.clear()
        self.undone.clear()
        if any(stones):
            self.earlier = stones
