"""Ctrl-C at a bad moment: held back until what must not be cut in two is whole."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def interrupt_held() -> Iterator[None]:
    """A Ctrl-C in here takes effect at the end, so that no process is lost between its start and its record.

    Python delivers SIGINT to the main thread alone; in others nothing happens. The signal is held by a
    handler and not by the signal mask, which a process started in here would inherit.
    """
    usual = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(usual):
        yield
        return
    came: list[FrameType | None] = []
    signal.signal(signal.SIGINT, lambda _, frame: came.append(frame))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, usual)
        if came:
            usual(signal.SIGINT, came[0])
