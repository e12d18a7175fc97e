"""The end of a process and of everything it started: politely first, and then not."""

from __future__ import annotations

import contextlib
import ctypes
import functools
import os
import signal
import subprocess
import sys

import psutil

from harness.gtp.launch import Mark

_PR_SET_CHILD_SUBREAPER = 36
_ROUNDS = 20  # of killing what forks while it is being killed


@functools.cache
def adopt_orphans() -> None:
    """Make this process the parent of its descendants' orphans, so that none can slip away unseen.

    Without it a daemon started by an engine becomes a child of init. Linux only; elsewhere nothing happens.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def peek(process: subprocess.Popen[bytes]) -> int | None:
    """The return code of a process that has ended, as Popen gives it; None while it runs.

    Unlike `Popen.poll` it leaves the zombie where it is. Until the zombie is collected, its process group and
    session cannot come to mean another process.
    """
    if process.returncode is not None or not hasattr(os, "waitid"):
        return process.poll()
    seen = os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    if seen is None:
        return None
    return seen.si_status if seen.si_code == os.CLD_EXITED else -seen.si_status


def signal_group(pid: int, number: signal.Signals) -> None:
    """Send a signal to the process group that `pid` leads; none left is no error."""
    with contextlib.suppress(ProcessLookupError, PermissionError):  # macOS forbids it for a group of zombies
        os.killpg(pid, number)


def family(pid: int, mark: Mark) -> list[psutil.Process]:
    """The living descendants of the engine `pid`, also those that left its session or lost their parents.

    A descendant is recognised by its line of parents, by the engine's session, or by `mark`, a variable of
    its environment that only this engine was given: what has become our own child still carries it.
    """
    try:
        found = {child.pid: child for child in psutil.Process(pid).children(recursive=True)}
    except psutil.NoSuchProcess:
        found = {}
    for process in psutil.Process().children(recursive=True):
        if process.pid != pid and (_session(process.pid) == pid or _carries(process, mark)):
            found[process.pid] = process
    return list(found.values())


def _session(pid: int) -> int | None:
    try:
        return os.getsid(pid)
    except OSError:
        return None


def _carries(process: psutil.Process, mark: Mark) -> bool:
    name, value = mark
    try:
        return process.environ().get(name) == value
    except (psutil.Error, OSError):
        return False


def sweep(pid: int, mark: Mark, seconds: float) -> int:
    """Kill what is left of the family of `pid`, in rounds until none is found; how many were killed.

    A process that forks while it is being killed leaves a child for the next round.
    """
    killed = 0
    for _ in range(_ROUNDS):
        left = family(pid, mark)
        if not left:
            break
        for process in left:
            try:
                process.kill()
                killed += 1
            except psutil.NoSuchProcess:
                pass
        psutil.wait_procs(left, timeout=seconds)  # collects the status of those that have become ours
    return killed
