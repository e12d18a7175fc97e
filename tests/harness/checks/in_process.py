"""The reference bot hosted by the tests themselves, so that a hundred whole runs cost seconds."""

from harness.checks.hosted import PLAYOUTS
from harness.checks.hosted import HostedBot as InProcessBot

__all__ = ["PLAYOUTS", "InProcessBot"]
