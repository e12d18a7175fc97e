"""Clock and cores of the machine, and the number of processes of a bot that search side by side on it."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from harness.check.bot.bot import Bot
from harness.check.bot.errors import BotError, TimeUpError
from harness.check.bot.load import LoadMeter, delayed_seconds, processor_seconds, usable_cores
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

MEASURED_SECONDS = 0.2 if sys.platform != "linux" else 0.04
"""Seconds of searching in which the cores are measured. Only Linux has a clock finer than 0.01 s."""

WAITING_CORES, WAITING_SECONDS, WAITING_INSTANCES = 0.5, 0.1, 4
"""A bot that mostly waits, such as for a GPU, gets WAITING_INSTANCES processes or more, even on one core.

It waits if its searches want fewer than WAITING_CORES cores and take at least WAITING_SECONDS: a shorter
search spends a visible part of its time on the harness. All chosen; WAITING_INSTANCES is below
MOST_INSTANCES, since the processes may share what they wait for.
"""

MOST_SEARCHES = 50
"""Largest number of searches in the measurement of cores, which may then take less than MEASURED_SECONDS.

Chosen: searches of less than a millisecond reach it."""


@dataclass(frozen=True)
class CoresUsed:
    """The mean number of cores that the searches of a bot use.

    wanted   the number that they would use on an idle machine: `used`, and the cores for which they waited
             while other processes had them. None if not known
    """

    used: float
    wanted: float | None


def default_instances(bot: Bot, load: LoadMeter) -> int:
    """Return the number of processes of a bot to start, so that they use the idle cores.

    It is 1 if each process uses more than one core, and at least WAITING_INSTANCES if the bot mostly waits.
    """
    cores = min(load.idle_cores(), MOST_INSTANCES)
    is_long = bot.times.usual_search >= WAITING_SECONDS
    if cores == 1 and not is_long:
        return 1
    measured = cores_used(bot)
    if measured is None:
        return cores
    if measured.used > ONE_CORE:
        return 1
    waits = measured.wanted is not None and measured.wanted < WAITING_CORES
    return max(cores, WAITING_INSTANCES) if is_long and waits else cores


def cores_used(bot: Bot) -> CoresUsed | None:
    """Let the bot search, and measure the cores that it uses; None if they cannot be measured.

    A slow bot is measured near the end of a game.
    """
    probe = FOUR if bot.times.long_search > LONG else empty_board(7.5)
    try:
        bot.set_up(probe.setup())
        pid = bot.running_engine().pid
        used, delayed = processor_seconds(pid), delayed_seconds(pid)
        began, searches = time.monotonic(), 0
        while time.monotonic() < began + MEASURED_SECONDS and searches < MOST_SEARCHES:
            bot.ask(probe.question())
            searches += 1
        used_after, delayed_after = processor_seconds(pid), delayed_seconds(pid)
    except (BotError, TimeUpError):
        return None
    if used is None or used_after is None:
        return None
    seconds = time.monotonic() - began
    cores = (used_after - used) / seconds
    if delayed is None or delayed_after is None:
        return CoresUsed(cores, None)
    return CoresUsed(cores, cores + max(0.0, delayed_after - delayed) / seconds)  # a thread may have ended


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
