"""What a batch of playouts is summed up to."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt


@dataclass(frozen=True)
class Amaf:
    """All-moves-as-first records of the side to move at the root: one entry a point."""

    visits: npt.NDArray[np.int64]  # shape (size * size,)
    wins: npt.NDArray[np.float64]  # shape (size * size,); a draw is half a win


@dataclass(frozen=True)
class PlayoutStats:
    """Sums over a batch of playouts; `moves` counts both closing passes."""

    playouts: int
    moves: int
    moves_squared: int
    longest: int
    black_wins: float  # a draw counts ½
    black_wins_squared: float  # sum of squared results (differs from black_wins by draws)
    moves_times_result: float  # sum over playouts of length × Black's result: gives their covariance
    seconds: float
    kernel: str
    amaf: Amaf | None = None
    kinds: dict[str, int] = field(default_factory=dict)  # per kind of move, for policies other than random

    @property
    def mean_moves(self) -> float:
        """Moves a playout."""
        return self.moves / self.playouts

    @property
    def sd_moves(self) -> float:
        """Standard deviation of the length of one playout."""
        return math.sqrt(max(0.0, self.moves_squared / self.playouts - self.mean_moves**2))

    @property
    def black_rate(self) -> float:
        """Mean result from Black's view."""
        return self.black_wins / self.playouts
