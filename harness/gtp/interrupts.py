"""The signals of this process: Ctrl-C is held back during steps that must not be interrupted halfway."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import resource_tracker
from types import FrameType


@contextmanager
def interrupt_held() -> Iterator[None]:
    """Delay a Ctrl-C until the end of the block, so that no process is lost between its start and its record.

    Python delivers SIGINT to the main thread only; in other threads this does nothing. A handler holds the
    signal, not the signal mask, because a process started in the block would inherit the mask.
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


@contextmanager
def deferred_interrupt() -> Iterator[None]:
    """Delay Ctrl-C until the end of the block. A process started in it blocks Ctrl-C until it is ready."""
    # The first process of `multiprocessing` starts a resource tracker, which clears SIGINT from the mask.
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def keep_exit_codes() -> None:
    """Have the system keep the exit codes of children, if the parent of this process let it ignore SIGCHLD.

    Engines inherit that, too: one that starts programs of its own would not learn how they end. Only the main
    thread can change it; in other threads this does nothing, and exit codes are lost (`Exit.lost`).
    """
    if threading.current_thread() is not threading.main_thread():
        return
    if signal.getsignal(signal.SIGCHLD) is signal.SIG_IGN:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
