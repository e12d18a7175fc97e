"""Orphans: processes that an engine started and that outlived their parent. This module kills them.

An orphan with a session of its own and an empty environment shows no sign of its engine. But this process has
adopted it (see `adopt_orphans`): it is a child that this process did not start. A program that starts no
other children in sessions of their own calls `claim_orphans`. Without the call, only `kill_all_below` kills.

If a process that drives engines is killed, its engines and their children become orphans of its parent. The
parent kills them at the end of a block `orphans_of_children`.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import psutil

from harness.gtp.process import adopting_orphans, kill_in_rounds

_PAUSE = 0.01  # seconds between two rounds of kills; chosen: no longer than a process takes to end

_lock = threading.RLock()
_own: set[int] = set()  # children that are no orphans: engines, guards, and those before `claim_orphans`
_engines: set[int] = set()  # those of them that are engines
_claimed = False  # `claim_orphans` was called


def claim_orphans() -> None:
    """Allow `kill_orphans` and `reap_orphans` to act: from now on, children in other sessions are orphans.

    Engines and guards are none. Earlier children are no orphans either: a shell may have started them before
    `exec` made it this process.
    """
    global _claimed  # noqa: PLW0603  # a property of the process
    with _lock:
        if not _claimed:
            _own.update(child.pid for child in psutil.Process().children())
        _claimed = True


@contextmanager
def child_starting() -> Iterator[None]:
    """Start and register a child within this block: nothing then treats the child as an orphan."""
    with _lock:
        yield


def register(pid: int, *, engine: bool) -> None:
    """Record the id of a process that this package has started: an engine, or else a guard of one."""
    with _lock:
        _own.add(pid)
        if engine:
            _engines.add(pid)


def forget(pid: int) -> None:
    """Note that a child was collected: its id may belong to another process now. May be called again."""
    with _lock:
        _own.discard(pid)
        _engines.discard(pid)


def reap_orphans() -> None:
    """Collect the exit codes of orphans that have ended: nothing else waits for these zombies."""
    if not _claimed:
        return
    with _lock, suppress(ChildProcessError):
        while ended := os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT):
            if not _is_orphan(ended.si_pid):
                return  # its owner collects this child; a later call collects the orphans after it
            os.waitid(os.P_PID, ended.si_pid, os.WEXITED | os.WNOHANG)


def kill_orphans(seconds: float) -> None:
    """Kill all orphans, unless an engine is left: it could be using them. `seconds` bounds each wait.

    Does nothing unless `claim_orphans` was called.
    """

    def families() -> list[psutil.Process]:
        """The living orphans and their descendants; none while an engine is left."""
        reap_orphans()
        if _engines:
            return []
        orphans = (child.pid for child in psutil.Process().children() if _is_orphan(child.pid))
        return [process for pid in orphans for process in _family(pid)]

    if _claimed:
        with _lock:
            kill_in_rounds(families, seconds)


@contextmanager
def orphans_of_children(seconds: float) -> Iterator[None]:
    """Adopt the orphans of children that drive engines, and kill them at the end of the block.

    `seconds` bounds each wait. Does nothing unless `claim_orphans` was called.
    """
    if not _claimed:
        yield
        return
    with adopting_orphans():
        try:
            yield
        finally:
            kill_orphans(seconds)


def kill_all_below(seconds: float) -> None:
    """Kill every descendant of this process, which is about to end.

    Another thread may still start engines and wait for them. So this function collects no zombie, and it
    repeats its rounds until nothing runs or `seconds` are over.
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
