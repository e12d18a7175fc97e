"""Measures the load of the machine by other processes, and the processor time of a bot."""

from __future__ import annotations

import math
import os
import sys
import time
from pathlib import Path

import psutil

from harness.gtp import Engine

SAMPLE = 0.3
"""Seconds over which the load is measured after a silence; chosen: 30 ticks of the kernel's clock."""

BUSY = 0.5
"""Cores used by other processes above which the machine counts as busy.

Chosen: half of what one process with a single thread can use.
"""

STILL = 0.02
"""Share of a core below which a process counts as idle; chosen: timers of an idle runtime use less."""

LOOKS = 10
"""How often a sample looks at the threads; chosen: threads that wait for each other are idle by turns."""

MOST_WAITS = 5
"""Most waits of `Limits.quit` seconds in `Bot.await_end`, on a busy machine; chosen."""

CPUCLOCK_SCHED = 2
"""Last bits of the id of a process clock on Linux, `~pid << 3 | 2`: clock_getcpuclockid(3), GNU C library."""

WANTING = frozenset("RD")
"""States of a thread on Linux that a busy machine delays: it runs, could run, or waits for a disk."""


class LoadMeter:
    """Measures the mean load of the machine since its creation."""

    def __init__(self) -> None:
        self._began = time.monotonic()
        self._busy, self._own = _busy_seconds(), _own_seconds()

    def cores_taken_by_others(self) -> float:
        """Return the number of cores in use by processes other than this one and its children."""
        elapsed = time.monotonic() - self._began
        others = (_busy_seconds() - self._busy) - (_own_seconds() - self._own)
        return max(0.0, others / elapsed) if elapsed > 0.0 else 0.0

    def idle_cores(self) -> int:
        """Return the number of idle cores among those that this process may use; at least 1."""
        return max(1, round(usable_cores() - self.cores_taken_by_others()))


def machine_is_busy() -> bool:
    """Return whether other processes may be the cause of a silence; takes `SAMPLE` seconds."""
    meter = LoadMeter()
    time.sleep(SAMPLE)
    return meter.cores_taken_by_others() > BUSY


def stands_still(pid: int, sample: float = SAMPLE) -> bool:
    """Return whether a process and its children are idle, and not because of a busy machine.

    Takes at most `sample` seconds. Returns False for a process that has ended and was collected.
    """
    before = processor_seconds(pid)
    if before is None:
        return False
    for _ in range(LOOKS):
        if _wants_processor(pid):
            return False
        time.sleep(sample / LOOKS)
    after = processor_seconds(pid)
    return after is not None and after - before <= STILL * sample and not _wants_processor(pid)


def processor_seconds(pid: int) -> float | None:
    """Return the processor seconds of a process and its living children; None if it has ended."""
    try:
        return sum(map(_clock_of, _family(pid)))
    except psutil.Error:
        return None


def delayed_seconds(pid: int) -> float | None:
    """Return the seconds that the threads of a process and its living children waited for a core.

    Only Linux counts them (proc(5), schedstat). Returns None elsewhere, and if the process has ended.
    """
    try:
        files = [file for one in _family(pid) for file in Path(f"/proc/{one.pid}/task").glob("*/schedstat")]
    except psutil.Error:
        return None
    waited = [seconds for file in files if (seconds := _delay_in(file)) is not None]
    return math.fsum(waited) if waited else None


def _delay_in(file: Path) -> float | None:
    """Return the seconds that a thread waited for a core; None if it has ended."""
    try:
        return int(file.read_text().split()[1]) / 1e9
    except (OSError, IndexError):
        return None


def _family(pid: int) -> list[psutil.Process]:
    """Return a process and its living children. Raises psutil.Error if the process has ended."""
    process = psutil.Process(pid)
    return [process, *process.children(recursive=True)]


def _clock_of(process: psutil.Process) -> float:
    """Return the processor seconds of one process."""
    if sys.platform == "linux":
        try:
            return time.clock_gettime(~process.pid << 3 | CPUCLOCK_SCHED)
        except OSError:  # it has ended
            return 0.0
    times = process.cpu_times()
    return float(times.user + times.system)


def _wants_processor(pid: int) -> bool:
    """Return whether a thread of a process or of its children runs, could run, or waits for a disk."""
    try:
        family = _family(pid)
        if sys.platform == "linux":
            return any(not WANTING.isdisjoint(_states_of_threads(one.pid)) for one in family)
        return any(one.status() in (psutil.STATUS_RUNNING, psutil.STATUS_DISK_SLEEP) for one in family)
    except psutil.Error:
        return False


def _states_of_threads(pid: int) -> set[str]:
    """Return the states of the threads of a process as letters: R runs, S sleeps, D waits for a disk."""
    states = set()
    for file in Path(f"/proc/{pid}/task").glob("*/stat"):
        try:
            states.add(file.read_text().rpartition(")")[2].split()[0])
        except (OSError, IndexError):  # the thread has ended
            continue
    return states


def usable_cores() -> int:
    """Number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _busy_seconds() -> float:
    """Processor seconds of all processes since the start of the machine."""
    times = psutil.cpu_times()
    return float(sum(times) - times.idle - getattr(times, "iowait", 0.0) - getattr(times, "guest", 0.0))


def _own_seconds() -> float:
    """Processor seconds of this process and its living children, with what their own ended children took."""
    total = 0.0
    own = psutil.Process()
    for process in (own, *own.children(recursive=True)):
        try:
            total += sum(process.cpu_times()[:4])  # user, system; the same of children that ended
        except psutil.Error:
            continue
    return total


class Processor:
    """The measurements that `Bot` uses. Subclasses replace them in tests, and for bots without a process."""

    def machine_is_busy(self) -> bool:
        """Return whether the machine is too busy to take a silence for a fault."""
        return machine_is_busy()

    def seconds(self, engine: Engine) -> float | None:
        """Return the processor seconds of a process and its children; None if it has ended."""
        return processor_seconds(engine.pid)

    def stands_still(self, engine: Engine) -> bool:
        """Return whether a process is idle; takes `SAMPLE` seconds."""
        return stands_still(engine.pid)
