"""Time and load of the machine, as a run sees them: a test passes its own."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from harness.check.bot.bot import Bot
from harness.check.bot.load import LoadMeter, usable_cores
from harness.check.phases.instance_count import default_instances


@dataclass(frozen=True)
class Machine:
    """Time and load of the machine.

    now         seconds of a clock that never goes back
    cores       number of cores that this process may use
    instances   how many processes of a bot search side by side, by the load since the meter was made
    """

    now: Callable[[], float] = time.monotonic
    cores: Callable[[], int] = usable_cores
    instances: Callable[[Bot, LoadMeter], int] = default_instances


THIS_MACHINE = Machine()
