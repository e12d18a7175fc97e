"""Expected values of a conforming bot's searches at a position: moments of a playout, and AMAF values."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cache
from importlib.resources import files

import numpy as np

from harness.go import Colour, Point, Position
from harness.oracle.amaf import AmafValue, enumerate_amaf
from harness.oracle.distribution import MarginDistribution
from harness.oracle.graph import enumerate_playouts


@dataclass(frozen=True)
class Expected:
    """Moments of one conforming playout: its length, and its result for the side to move.

    se_…        standard errors of the means; 0 if the playouts were enumerated
    shortest    smallest possible length
    longest     largest possible length
    """

    mean_length: float
    sd_length: float
    mean_result: float
    sd_result: float
    shortest: int
    longest: int
    skew_length: float = 1.0
    kurtosis_length: float = 3.0
    se_length: float = 0.0
    se_result: float = 0.0
    source: str = "enumerated"

    @property
    def certain_length(self) -> bool:
        """True if every playout has the same length."""
        return self.sd_length == 0.0

    @property
    def certain_result(self) -> bool:
        """True if every playout has the same result."""
        return self.sd_result == 0.0


CERTAINTY = 1e-12
"""A smaller variance is a rounding error of 0."""


def expected(position: Position, to_move: Colour, komi: float) -> Expected:
    """Return the moments of playouts by enumeration. Raises StateLimitError if there are too many states."""
    return summarise(enumerate_playouts(position, to_move, ko=position.ko_ban(to_move)), komi)


def summarise(distribution: MarginDistribution, komi: float) -> Expected:
    """Return the moments of an enumerated distribution at a komi."""
    playouts = distribution.at_komi(komi)
    lengths = np.array([float(length) for length in playouts.lengths])
    shares = np.array([float(p) for p in playouts.lengths.values()])
    mean, variance = float(playouts.mean_length), float(playouts.var_length)
    mean_result, result_variance = float(playouts.mean_result), float(playouts.var_result)
    third, fourth = (math.fsum(shares * (lengths - mean) ** power) for power in (3, 4))
    certain, certain_result = variance < CERTAINTY, result_variance < CERTAINTY
    return Expected(
        mean_length=round(mean) if certain else mean,
        sd_length=0.0 if certain else math.sqrt(variance),
        mean_result=round(2 * mean_result) / 2 if certain_result else mean_result,
        sd_result=0.0 if certain_result else math.sqrt(result_variance),
        shortest=min(playouts.lengths),
        longest=max(playouts.lengths),
        skew_length=0.0 if certain else third / variance**1.5,
        kurtosis_length=0.0 if certain else fourth / variance**2 - 3.0,
    )


def expected_amaf(position: Position, to_move: Colour, komi: float) -> Mapping[Point, AmafValue]:
    """Return exact AMAF values of the candidates of `to_move`. Raises StateLimitError for too many states."""
    values = enumerate_amaf(position, to_move, ko=position.ko_ban(to_move)).values(komi)
    candidates = set(position.candidates(to_move))
    return {point: value for point, value in values.items() if point in candidates}


@cache
def tables() -> Mapping[str, Expected]:
    """Return stored moments, estimated from many playouts, by the name of the position."""
    stored = json.loads(files("harness.oracle").joinpath("data/tables.json").read_text("utf-8"))
    return {name: Expected(**entry) for name, entry in stored["entries"].items()}


def as_entry(moments: Expected) -> dict[str, float | int | str]:
    """Return the moments as an entry of the file that `tables` reads."""
    return asdict(moments)
