"""How busy the machine is with work that is neither ours nor the bot's."""

from __future__ import annotations

import os
import time

import psutil

SAMPLE = 0.3
"""Seconds over which the load is measured."""

BUSY = 0.5
"""Cores taken by other processes from which the machine counts as busy."""


def cores_taken_by_others(seconds: float = SAMPLE) -> float:
    """Number of cores that other processes use: neither this process nor one of its children.

    Measured over `seconds` of wall clock, so the call takes as long.
    """
    before, ours_before = _busy_seconds(), _own_seconds()
    began = time.monotonic()
    time.sleep(seconds)
    elapsed = time.monotonic() - began
    others = (_busy_seconds() - before) - (_own_seconds() - ours_before)
    return max(0.0, others / elapsed)


def machine_is_busy() -> bool:
    """Whether other processes take so much of the machine that a silence may be theirs."""
    return cores_taken_by_others() > BUSY


def idle_cores() -> int:
    """Number of cores that this process may use and that other processes leave idle; at least 1."""
    return max(1, round(usable_cores() - cores_taken_by_others()))


def usable_cores() -> int:
    """Number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _busy_seconds() -> float:
    """Processor seconds of all processes since the start of the machine."""
    times = psutil.cpu_times()
    return float(sum(times) - times.idle - getattr(times, "iowait", 0.0) - getattr(times, "guest", 0.0))


def _own_seconds() -> float:
    """Processor seconds of this process and of its living children."""
    total = 0.0
    own = psutil.Process()
    for process in (own, *own.children(recursive=True)):
        try:
            times = process.cpu_times()
        except psutil.Error:
            continue
        total += times.user + times.system
    return total
