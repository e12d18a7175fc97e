"""What the process of a silent bot does with the processor: a busy machine excuses no process that hangs."""

from __future__ import annotations

from harness.check.bot import load
from harness.gtp import Engine

MOST_WAITS = 5
"""Waits of `Limits.quit` for the end of a process to which the machine gives too little processor time."""


class Processor:
    """The processor as the harness sees it. A test scripts it; a bot without a process has none."""

    def machine_is_busy(self) -> bool:
        """Return whether the machine is too busy to take a silence for a fault."""
        return load.machine_is_busy()

    def seconds(self, engine: Engine) -> float | None:
        """Return the processor seconds of a process and its children; None if it has ended."""
        return load.processor_seconds(engine.pid)

    def stands_still(self, engine: Engine) -> bool:
        """Return whether a process does nothing at all; takes a moment."""
        return load.stands_still(engine.pid)


class EndWait:
    """The wait for the end of one process, which lasts longer where the process gets too little time."""

    def __init__(self, processor: Processor, engine: Engine, needed: float) -> None:
        self._processor = processor
        self._engine = engine
        self._needed = needed  # processor seconds in which a right bot ends
        self._waits = 0
        self._before = processor.seconds(engine)
        self.hung: bool | None = None  # None while that cannot be known

    def goes_on(self) -> bool:
        """Return whether to wait once more, after a wait in which the process has not ended."""
        self._waits += 1
        used = self._processor.seconds(self._engine)
        if self._before is None or used is None:
            return False
        self.hung = used - self._before >= self._needed or self._processor.stands_still(self._engine)
        return not self.hung and self._waits < MOST_WAITS
