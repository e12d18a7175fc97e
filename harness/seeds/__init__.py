"""Published experiments with Monte-Carlo Go bots, run again and compared with the published values."""

from harness.seeds.comparison import Row, binomial_interval
from harness.seeds.experiments import EXPERIMENTS, MATCH_TABLES, UnknownTableError, chosen, run

__all__ = [
    "EXPERIMENTS",
    "MATCH_TABLES",
    "Row",
    "UnknownTableError",
    "binomial_interval",
    "chosen",
    "run",
]
