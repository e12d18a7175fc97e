"""Moments of one playout of a conforming bot at a position: enumerated, or stored.

A check compares a bot's means with these. Positions with too many states to enumerate have stored moments,
which `harness.tools.tabulate_playouts` estimated from many playouts.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cache
from importlib.resources import files

import numpy as np

from harness.go import Colour, Position
from harness.oracle.distribution import MarginDistribution
from harness.oracle.graph import enumerate_playouts


@dataclass(frozen=True)
class Expected:
    """Moments of one conforming playout: its length, and its result for the side to move.

    sd_…                     standard deviation
    shortest, longest        bounds of the length: attained if the playouts were enumerated, else wide
    skew_length              the default is an upper bound, see `harness.stats.mean.Reference`
    excess_kurtosis_length   0 for a Normal; the default is an upper bound too
    se_…                     standard error of the mean; 0 if the playouts were enumerated
    source                   where the moments come from, for a reader
    """

    mean_length: float
    sd_length: float
    mean_result: float
    sd_result: float
    shortest: int
    longest: int
    skew_length: float = 1.0
    excess_kurtosis_length: float = 3.0
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


ROUNDING_VARIANCE = 1e-12
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
    certain, certain_result = variance < ROUNDING_VARIANCE, result_variance < ROUNDING_VARIANCE
    # A certain length is a whole number, a certain result 0, ½ or 1: round() removes the rounding error.
    return Expected(
        mean_length=round(mean) if certain else mean,
        sd_length=0.0 if certain else math.sqrt(variance),
        mean_result=round(2 * mean_result) / 2 if certain_result else mean_result,
        sd_result=0.0 if certain_result else math.sqrt(result_variance),
        shortest=min(playouts.lengths),
        longest=max(playouts.lengths),
        skew_length=0.0 if certain else third / variance**1.5,
        excess_kurtosis_length=0.0 if certain else fourth / variance**2 - 3.0,
    )


@cache
def stored_moments() -> Mapping[str, Expected]:
    """Return the stored moments by the name of the position, such as "9x9 empty, komi 7"."""
    stored = json.loads(files("harness.oracle").joinpath("data/tables.json").read_text("utf-8"))
    return {name: Expected(**entry) for name, entry in stored["entries"].items()}


def as_entry(moments: Expected) -> dict[str, float | int | str]:
    """Return the moments as an entry of a data file, which `Expected(**entry)` reads back."""
    return asdict(moments)
