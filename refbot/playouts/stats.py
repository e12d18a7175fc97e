"""The results of a batch of playouts: sums, all-moves-as-first records, and records of each playout."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from refbot.playouts.tally import Kinds, Tally


@dataclass(frozen=True)
class Amaf:
    """All-moves-as-first records of the side to move at the root, one entry for each point.

    A playout counts as a visit to a point if this side was the first to play there.
    """

    visits: npt.NDArray[np.int64]  # shape (size * size,)
    wins: npt.NDArray[np.float64]  # shape (size * size,); a draw is half a win


@dataclass(frozen=True, eq=False)
class Records:
    """The length and result of each playout, in the order of their start; thread by thread if several."""

    lengths: npt.NDArray[np.int32]  # moves, closing passes included
    half_points: npt.NDArray[np.int8]  # 2 for a win of Black, 1 for a draw, 0 for a loss

    @classmethod
    def zeros(cls, count: int) -> Records:
        """Return space for `count` playouts."""
        return cls(np.zeros(count, np.int32), np.zeros(count, np.int8))


@dataclass(frozen=True)
class PlayoutStats:
    """Sums over a batch of playouts; `moves` counts closing passes too."""

    playouts: int
    moves: int
    moves_squared: int
    longest: int
    black_wins: float  # a draw counts ½
    black_wins_squared: float  # sum of squared results; differs from black_wins by draws / 4
    moves_times_result: float  # sum over playouts of length x Black's result, for their covariance
    leads: int  # sum of Black's leads in points, without komi; in stones where mercy or early_score decided
    seconds: float
    kernel: str
    amaf: Amaf | None = None
    kinds: Kinds = field(default_factory=dict)  # counts of kinds of move and end, see `tally`; often empty
    tally: Tally | None = None  # all counts with their ticks, if the playouts were timed
    records: Records | None = None  # None if they were not kept

    @classmethod
    def of_sums(
        cls, playouts: int, sums: Iterable[int], seconds: float, kernel: str, **rest: Any
    ) -> PlayoutStats:
        """Return the statistics from a kernel's sums, which count a result as 2, 1 or 0 half-points.

        `sums` are those of moves, moves_squared, longest, black_wins, black_wins_squared, moves_times_result
        and leads, in this order.
        """
        moves, moves_squared, longest, half, half_squared, moves_half, leads = map(int, sums)
        return cls(
            playouts, moves, moves_squared, longest, half / 2, half_squared / 4, moves_half / 2, leads,
            seconds, kernel, **rest,
        )  # fmt: skip

    @property
    def mean_moves(self) -> float:
        """Mean number of moves of a playout."""
        return self.moves / self.playouts

    @property
    def sd_moves(self) -> float:
        """Standard deviation of the length of one playout."""
        return math.sqrt(max(0.0, self.moves_squared / self.playouts - self.mean_moves**2))

    @property
    def black_rate(self) -> float:
        """Mean result from Black's view."""
        return self.black_wins / self.playouts

    @property
    def mean_lead(self) -> float:
        """Black's mean lead, without komi: see `leads`."""
        return self.leads / self.playouts

    @property
    def draws(self) -> float:
        """The number of drawn playouts: for a result r, r - r² is ¼ for a draw, 0 for a win or a loss."""
        return 4 * (self.black_wins - self.black_wins_squared)

    def times(self, factor: int) -> PlayoutStats:
        """Return the sums as if each playout had been played `factor` times, at least once.

        `seconds` and `longest` stay as they are; the result has no `tally`.
        """
        return merged([self] * factor, self.seconds)


_ADDED = (
    "playouts", "moves", "moves_squared", "black_wins", "black_wins_squared", "moves_times_result", "leads",
)  # fmt: skip


def merged(parts: Sequence[PlayoutStats], seconds: float) -> PlayoutStats:
    """Return the sums over one or more batches, which took `seconds` in all; without a `tally`.

    Either all batches have AMAF records or none has. `records` are None unless all batches have them.
    """
    tables = [part.amaf for part in parts if part.amaf is not None]
    records = [part.records for part in parts if part.records is not None]
    added: dict[str, Any] = {name: sum(getattr(part, name) for part in parts) for name in _ADDED}
    return PlayoutStats(
        **added,
        longest=max(part.longest for part in parts),
        seconds=seconds,
        kernel=parts[0].kernel,
        amaf=Amaf(sum(t.visits for t in tables), sum(t.wins for t in tables)) if tables else None,  # type: ignore[arg-type]
        kinds=_added([part.kinds for part in parts]),
        records=_joined(records) if len(records) == len(parts) else None,
    )


def _joined(parts: Sequence[Records]) -> Records:
    """Return the records of all parts, one part after the other."""
    return Records(
        np.concatenate([part.lengths for part in parts]), np.concatenate([part.half_points for part in parts])
    )


def _added(parts: Sequence[Kinds]) -> Kinds:
    """Return the sums of the counts of all parts."""
    total: Kinds = {}
    for kinds in parts:
        for kind, counts in kinds.items():
            row = total.setdefault(kind, dict.fromkeys(counts, 0))
            for name, count in counts.items():
                row[name] += count
    return total
