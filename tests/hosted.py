"""A bot in this process with an engine of a test behind it."""

from __future__ import annotations

from typing import ClassVar

from harness.selftest.hosted_bot import HostedBot, HostedEngine


def hosted_by(engine: type[HostedEngine], *switches: str) -> HostedBot:
    """A bot with these faults and habits, whose lines go through `engine`."""

    class Bot(HostedBot):
        engine_type: ClassVar[type[HostedEngine]] = engine

    return Bot(*switches)
