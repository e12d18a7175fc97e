"""The reference bot hosted by the tests themselves, so that a hundred whole runs cost seconds."""

from harness.checks.selftest.hosted_bot import PLAYOUTS
from harness.checks.selftest.hosted_bot import HostedBot as InProcessBot

__all__ = ["PLAYOUTS", "InProcessBot"]
