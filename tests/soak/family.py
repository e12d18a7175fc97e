"""The processes of a match that somebody else has started: which is what, and what is left of them."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass

import psutil


@dataclass(frozen=True)
class Family:
    """The processes of a running match. Each list may be empty: processes come and go."""

    coordinator: psutil.Process
    workers: tuple[psutil.Process, ...]
    engines: tuple[psutil.Process, ...]
    guards: tuple[psutil.Process, ...]
    zombies: int

    @property
    def processor_seconds(self) -> float:
        """Processor seconds of all of them, and of those that have ended below them."""
        return sum(map(_processor_seconds, (self.coordinator, *self.workers, *self.engines)))

    @property
    def descriptors(self) -> int:
        """The most descriptors that the coordinator or a worker has open."""
        return max(map(_descriptors, (self.coordinator, *self.workers)), default=0)

    @property
    def megabytes(self) -> float:
        """The memory of the coordinator and the workers."""
        return sum(map(_memory, (self.coordinator, *self.workers))) / 1e6


def family_of(pid: int) -> Family:
    """The processes below the coordinator `pid`. Raises psutil.Error if it is gone."""
    coordinator = psutil.Process(pid)
    workers, engines, guards, zombies = [], [], [], 0
    for process in coordinator.children(recursive=True):
        with suppress(psutil.Error):
            if process.status() == psutil.STATUS_ZOMBIE:
                zombies += 1
                continue
            words = process.cmdline()
            if any("spawn_main" in word for word in words):
                workers.append(process)
            elif "conform-guard" in words:
                guards.append(process)
            elif any(word.endswith("_player.py") for word in words):
                engines.append(process)
    return Family(coordinator, tuple(workers), tuple(engines), tuple(guards), zombies)


def send(process: psutil.Process, number: signal.Signals) -> bool:
    """Send a signal; False if the process has ended."""
    try:
        os.kill(process.pid, number)
    except ProcessLookupError:
        return False
    return True


def tagged(tag: str) -> Iterator[psutil.Process]:
    """Every process of this machine with `tag` in its command line, wherever it belongs by now."""
    for process in psutil.process_iter():
        with suppress(psutil.Error):
            if process.pid != os.getpid() and any(tag in word for word in process.cmdline()):
                yield process


def _processor_seconds(process: psutil.Process) -> float:
    try:
        times = process.cpu_times()
    except psutil.Error:
        return 0.0
    return float(times.user + times.system + times.children_user + times.children_system)


def _descriptors(process: psutil.Process) -> int:
    try:
        return int(process.num_fds())
    except psutil.Error:
        return 0


def _memory(process: psutil.Process) -> float:
    try:
        return float(process.memory_info().rss)
    except psutil.Error:
        return 0.0
