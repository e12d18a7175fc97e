"""Published experiments, run again and held against the figures that their authors printed."""

from harness.seeds.comparison import Row, table_of
from harness.seeds.experiments import EXPERIMENTS, MATCHES_NEEDED, UnknownTableError, chosen, run

__all__ = ["EXPERIMENTS", "MATCHES_NEEDED", "Row", "UnknownTableError", "chosen", "run", "table_of"]
