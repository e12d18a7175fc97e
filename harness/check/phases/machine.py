"""Clock and cores of the machine, and the number of processes of a bot that search side by side on it."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from harness.check.bot.bot import Bot
from harness.check.bot.errors import BotError, TimeUpError
from harness.check.bot.load import LoadMeter, processor_seconds, usable_cores
from harness.check.model import Check
from harness.check.phases.background_explorer import BackgroundExplorer
from harness.check.procedures.late_probes import FOUR
from harness.check.procedures.probe import empty_board

MOST_INSTANCES = 8
"""Limit of the instances by default; chosen: each costs a start and memory."""

ONE_CORE = 1.3
"""Most cores that a single-threaded bot uses in a search; chosen: a second thread uses more."""

LONG = 1.0
"""Seconds of a search above which cores are measured near the end of a game, to save time; chosen."""

LEAST_SECONDS = 0.2 if sys.platform != "linux" else 0.04
"""Least seconds of searching to measure the use of cores. Only Linux has a clock finer than 0.01 s."""

MOST_SEARCHES = 50
"""Largest number of searches in that measurement; chosen: very short searches then take about as long."""


def default_instances(bot: Bot, load: LoadMeter) -> int:
    """Return the number of idle cores (at most 8) for a bot that uses one core; else 1."""
    cores = min(load.idle_cores(), MOST_INSTANCES)
    return cores if cores > 1 and _cores_used(bot) <= ONE_CORE else 1


def _cores_used(bot: Bot) -> float:
    """Return processor seconds per second of the bot's searches; 0 if they cannot be measured.

    A slow bot is measured near the end of a game.
    """
    probe = FOUR if bot.times.long_search > LONG else empty_board(7.5)
    try:
        bot.set_up(probe.setup())
        pid = bot.engine.pid
        before, began, searches = processor_seconds(pid), time.monotonic(), 0
        while time.monotonic() < began + LEAST_SECONDS and searches < MOST_SEARCHES:
            bot.ask(probe.question())
            searches += 1
        after = processor_seconds(pid)
    except (BotError, TimeUpError):
        return 0.0
    return 0.0 if before is None or after is None else (after - before) / (time.monotonic() - began)


@dataclass(frozen=True)
class Machine:
    """Functions of the machine that a test can replace.

    now         seconds of a clock that never goes back
    cores       number of cores that this process may use
    instances   how many processes of a bot search side by side, by the load since the meter was made
    explorer    starts the process that explores beside the rest of the run
    """

    now: Callable[[], float] = time.monotonic
    cores: Callable[[], int] = usable_cores
    instances: Callable[[Bot, LoadMeter], int] = default_instances
    explorer: Callable[[Sequence[Check]], BackgroundExplorer] = BackgroundExplorer


THIS_MACHINE = Machine()
