"""What a conforming bot would answer: exact values by enumeration."""

from harness.oracle.distribution import MarginDistribution, Number, PlayoutDistribution
from harness.oracle.enumerate import (
    AmafValue,
    amaf_values,
    enumerate_playouts,
    first_moves,
    playout_distribution,
)
from harness.oracle.graph import DEFAULT_MAX_STATES, TooLarge

__all__ = [
    "DEFAULT_MAX_STATES",
    "AmafValue",
    "MarginDistribution",
    "Number",
    "PlayoutDistribution",
    "TooLarge",
    "amaf_values",
    "enumerate_playouts",
    "first_moves",
    "playout_distribution",
]
