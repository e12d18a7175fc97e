"""Orphans: processes that an engine started and left, which this process has adopted.

A helper with a session of its own and an empty environment shows no sign of its engine. But this process is
its parent now (see `adopt_orphans`), and did not start it. Programs whose every other child stays in their
session say so by `claim_orphans`; only then are orphans collected and killed here.

If a process that drives engines is killed, its engines and all that they started become orphans of its
parent, where that waits within `orphans_of_children`.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import psutil

from harness.gtp.process import adopting_orphans, kill_in_rounds

_PAUSE = 0.01  # seconds between two rounds of killing; chosen: short beside a process's end

_lock = threading.RLock()
_own: set[int] = set()  # children in sessions of their own that this package has started
_engines: set[int] = set()
_claimed = False


def claim_orphans() -> None:
    """Take every child in another session, other than engines and guards, for an orphan of an engine.

    Children that are there already are not: a shell may have started them before it became this process.
    """
    global _claimed  # noqa: PLW0603  # a property of the process
    with _lock:
        if not _claimed:
            _own.update(child.pid for child in psutil.Process().children())
        _claimed = True


@contextmanager
def child_starting() -> Iterator[None]:
    """Held while a child is started and registered, so that it is not taken for an orphan meanwhile."""
    with _lock:
        yield


def register(pid: int, *, engine: bool) -> None:
    """Note a child that this package has started."""
    with _lock:
        _own.add(pid)
        if engine:
            _engines.add(pid)


def forget(pid: int) -> None:
    """Note that a child has been collected. May be called again."""
    with _lock:
        _own.discard(pid)
        _engines.discard(pid)


def reap_orphans() -> None:
    """Collect the orphans that have ended. No other process waits for these zombies."""
    if not _claimed:
        return
    with _lock, suppress(ChildProcessError):
        while ended := os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT):
            if not _is_orphan(ended.si_pid):
                return  # an engine that its owner has yet to collect; orphans behind it come later
            os.waitid(os.P_PID, ended.si_pid, os.WEXITED | os.WNOHANG)


def kill_orphans(seconds: float) -> None:
    """Kill all orphans if no engine is left that could be using them."""

    def found() -> list[psutil.Process]:
        reap_orphans()
        if _engines:
            return []
        orphans = (child.pid for child in psutil.Process().children() if _is_orphan(child.pid))
        return [process for pid in orphans for process in _family(pid)]

    if _claimed:
        with _lock:
            kill_in_rounds(found, seconds)


@contextmanager
def orphans_of_children(seconds: float) -> Iterator[None]:
    """Adopt what children that drive engines may leave, and kill it at the end. Calls `kill_orphans`."""
    if not _claimed:
        yield
        return
    with adopting_orphans():
        try:
            yield
        finally:
            kill_orphans(seconds)


def kill_all_below(seconds: float) -> None:
    """Kill every descendant of this process: engines, guards, helpers. For a process that is about to end.

    Another thread may drive engines and start new ones meanwhile. So nothing is collected, and it goes in
    rounds until nothing runs or `seconds` are over.
    """
    me, deadline = psutil.Process(), time.monotonic() + seconds
    while (left := [child for child in me.children(recursive=True) if _is_running(child)]) and (
        time.monotonic() < deadline
    ):
        for process in left:
            with suppress(psutil.Error):
                process.kill()
        time.sleep(_PAUSE)


def _is_running(process: psutil.Process) -> bool:
    try:
        return bool(process.status() != psutil.STATUS_ZOMBIE)
    except psutil.Error:
        return False


def _is_orphan(child: int) -> bool:
    try:
        return child not in _own and os.getsid(child) != os.getsid(0)
    except ProcessLookupError:
        return False


def _family(pid: int) -> list[psutil.Process]:
    try:
        process = psutil.Process(pid)
        return [process, *process.children(recursive=True)]
    except psutil.Error:
        return []
