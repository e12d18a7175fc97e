"""How busy the machine is with work that is neither ours nor the bot's."""

from __future__ import annotations

import os
import time

import psutil

SAMPLE = 0.3
"""Seconds over which the load is measured at a silence."""

BUSY = 0.5
"""Cores taken by other processes from which the machine counts as busy."""


class LoadMeter:
    """The load since the meter was made: the longer ago, the less chance is in it."""

    def __init__(self) -> None:
        self._began = time.monotonic()
        self._busy, self._own = _busy_seconds(), _own_seconds()

    def cores_taken_by_others(self) -> float:
        """Number of cores that other processes use: neither this process nor one of its children."""
        elapsed = time.monotonic() - self._began
        others = (_busy_seconds() - self._busy) - (_own_seconds() - self._own)
        return max(0.0, others / elapsed) if elapsed > 0.0 else 0.0

    def idle_cores(self) -> int:
        """Number of cores that this process may use and that other processes leave idle; at least 1."""
        return max(1, round(usable_cores() - self.cores_taken_by_others()))


def machine_is_busy() -> bool:
    """Whether other processes take so much of the machine that a silence may be theirs; takes `SAMPLE`."""
    meter = LoadMeter()
    time.sleep(SAMPLE)
    return meter.cores_taken_by_others() > BUSY


def usable_cores() -> int:
    """Number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _busy_seconds() -> float:
    """Processor seconds of all processes since the start of the machine."""
    times = psutil.cpu_times()
    return float(sum(times) - times.idle - getattr(times, "iowait", 0.0) - getattr(times, "guest", 0.0))


def _own_seconds() -> float:
    """Processor seconds of this process and of its children, living and ended."""
    total = 0.0
    own = psutil.Process()
    for process in (own, *own.children(recursive=True)):
        try:
            total += sum(process.cpu_times()[:4])  # user, system; the same of children that ended
        except psutil.Error:
            continue
    return total
