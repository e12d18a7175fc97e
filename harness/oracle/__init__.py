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
from harness.oracle.enumerate import enumerate_playouts
from harness.oracle.errors import OracleError, StateLimitError
from harness.oracle.graph import DEFAULT_MAX_STATES

__all__ = [
    "DEFAULT_MAX_STATES",
    "AmafDistribution",
    "AmafRecords",
    "AmafValue",
    "CreditRule",
    "MarginDistribution",
    "Number",
    "OracleError",
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
