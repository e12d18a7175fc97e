"""Oracle of a conforming bot's answers: exact values by enumeration, else stored values."""

from harness.oracle.amaf import (
    AmafDistribution,
    AmafRecords,
    AmafValue,
    CreditRule,
    Play,
    WholePlayouts,
    choice_shares,
    enumerate_amaf,
    first_of_either,
    rates,
)
from harness.oracle.distribution import MarginDistribution, Number, PlayoutDistribution
from harness.oracle.graph import DEFAULT_MAX_STATES, StateLimitError, enumerate_playouts

__all__ = [
    "DEFAULT_MAX_STATES",
    "AmafDistribution",
    "AmafRecords",
    "AmafValue",
    "CreditRule",
    "MarginDistribution",
    "Number",
    "Play",
    "PlayoutDistribution",
    "StateLimitError",
    "WholePlayouts",
    "choice_shares",
    "enumerate_amaf",
    "enumerate_playouts",
    "first_of_either",
    "rates",
]
