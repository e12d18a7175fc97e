"""Delay Ctrl-C during steps that must not be interrupted halfway, and keep SIGCHLD from losing exit codes.

`interrupt_held` delays Ctrl-C by a handler, in this process alone. `deferred_interrupt` also sets the signal
mask, which processes that start meanwhile inherit.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import resource_tracker
from types import FrameType


@contextmanager
def interrupt_held() -> Iterator[None]:
    """Delay Ctrl-C to the end of the block, so that no process is lost between its start and its record.

    Does nothing outside the main thread, the only one that gets SIGINT in Python, and where no Python handler
    is set: SIGINT is then ignored, or ends the process at once.
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
    """Delay Ctrl-C to the end of the block; in processes that start there, until they unblock SIGINT.

    They inherit the signal mask of the calling thread. The system may give the signal to another thread, so
    `interrupt_held` delays it too. Outside the main thread, this process is not protected.
    """
    # The first process of `multiprocessing` starts a resource tracker, which clears SIGINT from the mask.
    resource_tracker.ensure_running()
    with interrupt_held():
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            yield
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


def keep_exit_codes() -> None:
    """Stop ignoring SIGCHLD, if the parent of this process made it do so: exit codes would be lost.

    Engines would inherit this, and would not learn how their own children end. Only the main thread can
    change it; in another thread this does nothing, and exit codes are lost (`Exit.lost`).
    """
    if threading.current_thread() is not threading.main_thread():
        return
    if signal.getsignal(signal.SIGCHLD) is signal.SIG_IGN:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
