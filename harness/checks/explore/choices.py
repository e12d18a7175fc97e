"""How often a right bot chooses each move in a position, and how often other rules of choice would."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from harness.checks.explore.evidence import RULES, TIMID
from harness.go import Point, Position, all_points
from harness.oracle import AmafRecords, StateLimitError, choice_shares, enumerate_amaf, rates

MOST_STATES = 1_500
"""Number of states, told apart by who has played where, up to which choices are enumerated."""

DRAWN = 3_000
"""Number of simulated searches behind the shares of the moves."""

SEED = 2008
CACHED = 512

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class ChoiceLaw:
    """The candidates in the order of the board, and the share of each in the choices of a right bot.

    shares   counted in simulated searches, one added to each count: what was not drawn is not impossible
    rules    the shares under other rules of choice
    """

    candidates: tuple[Point, ...]
    shares: tuple[float, ...]
    rules: Mapping[str, tuple[float, ...]]

    def ratios(self, chosen: Point, before: Point | None) -> dict[str, float]:
        """The log likelihood ratio of each rule to the right one; `before` is the last choice made here."""
        place = self.candidates.index(chosen)
        right = self.shares[place]
        likely = {name: shares[place] for name, shares in self.rules.items()}
        if before is not None:
            likely[RULES[-1]] = float(chosen == before)
        return {name: math.log(TIMID + (1.0 - TIMID) * share / right) for name, share in likely.items()}


@lru_cache(CACHED)
def choice_law(
    board: bytes,
    size: int,
    to_move: str,
    ko: Point | None,
    left: int,
    komi: float,
    candidates: tuple[Point, ...],
    playouts: int,
) -> ChoiceLaw | None:
    """The law of the choice; None where it cannot be enumerated.

    left   number of moves that the cap leaves to a playout
    """
    position = Position(size)
    points = list(zip(all_points(size), board, strict=True))
    position.set_up([p for p, stone in points if stone == 1], [p for p, stone in points if stone == 2])
    cap = 3 * size**2
    try:
        amaf = enumerate_amaf(
            position,
            "b" if to_move == "b" else "w",
            ko=ko,
            moves_made=cap - left,
            cap=cap,
            max_states=MOST_STATES,
        )
    except StateLimitError:
        return None
    return _law(amaf.records(komi, candidates), candidates, playouts)


def _law(records: AmafRecords, candidates: tuple[Point, ...], playouts: int) -> ChoiceLaw:
    visits, wins = records.draw(playouts, DRAWN, SEED)
    count = len(candidates)
    right = (choice_shares(rates(visits, wins)) * DRAWN + 1.0) / (DRAWN + count)
    seen = visits.sum(axis=0) > 0.0
    even = np.full(count, 1.0 / count)
    first, last = int(np.argmax(seen)), count - 1 - int(np.argmax(seen[::-1]))
    by_rule = (
        choice_shares(visits),
        choice_shares(wins),
        choice_shares((wins + 1.0) / (visits + 2.0)),
        choice_shares(np.where(visits > 0.0, -rates(visits, wins), -2.0)),
        even,
        np.eye(count)[first],
        np.eye(count)[last],
    )
    rules = {
        name: tuple(float(share) for share in shares) for name, shares in zip(RULES, by_rule, strict=False)
    }
    return ChoiceLaw(candidates, tuple(map(float, right)), rules)
