"""End an engine's process and all its descendants; read exit codes; adopt orphans."""

from __future__ import annotations

import contextlib
import ctypes
import functools
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator

import psutil

from harness.gtp.exchange import LOST_RETURNCODE
from harness.gtp.launch import Mark

_PR_SET_PDEATHSIG, _PR_SET_CHILD_SUBREAPER = 1, 36  # of Linux
_ROUNDS = 20  # of kills at most, if processes fork meanwhile; chosen: more rounds only delay the end


@functools.cache
def adopt_orphans() -> None:
    """Make this process the parent of its orphaned descendants, so that it can find all of them.

    Without this call, a daemon that an engine started becomes a child of init. Does nothing outside Linux.
    """
    _set_subreaper(True)


@contextlib.contextmanager
def adopting_orphans() -> Iterator[None]:
    """Adopt orphans during a block only, so that daemons of the program's other processes are left alone."""
    if adopt_orphans.cache_info().currsize:  # it was called: orphans are adopted for ever
        yield
        return
    _set_subreaper(True)
    try:
        yield
    finally:
        _set_subreaper(False)


def _set_subreaper(wanted: bool) -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, int(wanted), 0, 0, 0)


def continue_when_orphaned() -> None:
    """Get SIGCONT when the parent ends: a process stopped by SIGSTOP could not notice it. Linux only."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, int(signal.SIGCONT), 0, 0, 0)


def peek_returncode(process: subprocess.Popen[bytes]) -> int | None:
    """The return code of a process that has ended, as Popen gives it; None while it runs.

    Unlike `Popen.poll`, this leaves the zombie, if the system has `waitid`. While the zombie exists, no other
    process can get the id of its process group and session. LOST_RETURNCODE if there is no zombie: something
    else in this process has collected it, or SIGCHLD is ignored.
    """
    if process.returncode is not None or not hasattr(os, "waitid"):
        return process.poll()
    try:
        seen = os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return LOST_RETURNCODE
    if seen is None:
        return None
    return seen.si_status if seen.si_code == os.CLD_EXITED else -seen.si_status


def open_pidfd(pid: int) -> int | None:
    """Return a descriptor that becomes readable when `pid` ends; None if the system gives none."""
    try:
        return os.pidfd_open(pid)
    except (AttributeError, OSError):
        return None


def is_stopped(pid: int) -> bool:
    """Return True if a signal (SIGSTOP, SIGTSTP) has stopped the process; False if it has gone."""
    try:
        return psutil.Process(pid).status() == psutil.STATUS_STOPPED
    except psutil.Error:
        return False


def describe_hidden_processes() -> str:
    """Return the reason why this process cannot see its own children, as part of a sentence; empty if it can.

    If /proc shows another process namespace, its numbers belong to foreign processes.
    """
    if sys.platform != "linux":
        return ""
    try:
        shown = os.readlink("/proc/self")
        os.listdir("/proc")
    except OSError as error:
        return f"/proc cannot be read: {os.strerror(error.errno or 0).lower()}"
    return "" if shown == str(os.getpid()) else "/proc shows the processes of another namespace"


def signal_group(pid: int, number: signal.Signals) -> None:
    """Send a signal to the process group that `pid` leads, if a process of it is left."""
    with contextlib.suppress(ProcessLookupError, PermissionError):  # macOS forbids it for a group of zombies
        os.killpg(pid, number)


def descendants(pid: int, mark: Mark) -> list[psutil.Process]:
    """The living descendants of the engine `pid`, including those that left its session or lost their parent.

    A descendant has the engine among its ancestors, or is in the engine's session, or has the environment
    variable `mark`, which only this engine was given. An adopted orphan still has that variable.
    """
    try:
        found = {child.pid: child for child in psutil.Process(pid).children(recursive=True)}
    except psutil.NoSuchProcess:
        found = {}
    for process in psutil.Process().children(recursive=True):
        if process.pid != pid and (_session(process.pid) == pid or _has_mark(process, mark)):
            found[process.pid] = process
    return list(found.values())


def _session(pid: int) -> int | None:
    try:
        return os.getsid(pid)
    except OSError:
        return None


def _has_mark(process: psutil.Process, mark: Mark) -> bool:
    name, value = mark
    try:
        return process.environ().get(name) == value
    except (psutil.Error, OSError):
        return False


def kill_descendants(pid: int, mark: Mark, seconds: float) -> None:
    """Kill the living descendants of the engine `pid`; `seconds` as for `kill_in_rounds`."""
    kill_in_rounds(lambda: descendants(pid, mark), seconds)


def kill_in_rounds(find: Callable[[], list[psutil.Process]], seconds: float) -> None:
    """Kill the processes that `find` returns, in rounds until it returns none, at most _ROUNDS.

    A process that forks while it is being killed leaves a child for the next round. A round waits up to
    `seconds` until its processes have ended.
    """
    for _ in range(_ROUNDS):
        left = find()
        if not left:
            return
        for process in left:
            with contextlib.suppress(psutil.Error):
                process.kill()
        psutil.wait_procs(left, timeout=seconds)  # collects the exit codes of adopted orphans
