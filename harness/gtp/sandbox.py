"""The command that starts an engine in a sandbox of Linux namespaces, and a trial of it on this machine.

`sandbox_init.py` is the program that sets up the sandbox, `sandbox_calls.py` lists the system calls that are
allowed there. docs/security.md says what a sandbox promises.
"""

from __future__ import annotations

import functools
import json
import os
import re
import subprocess
import sys
import zlib
from base64 import b64encode
from collections.abc import Sequence
from pathlib import Path
from typing import cast

from harness.gtp.sandbox_calls import Machine
from harness.gtp.sandbox_filter import MACHINES, call_filter

MEMORY_MIB = 4096  # address space of each process, unless the launch sets a limit; chosen
PROCESSES = 256  # processes and threads of the user; chosen: an engine with a thread per core fits
DISK_MIB = 256  # size of a file, and of all temporary files together; chosen
TRIAL_SECONDS = 30.0  # time limit of the trial; chosen: not reached, even on a busy machine
OWN_PID_MAX = (6, 14)
"""The first Linux in which the largest process id is a setting of each sandbox, and not of the machine."""
MOST_PID = 301  # the smallest value that Linux takes; unlike PROCESSES, it limits root, too

_INIT = Path(__file__).with_name("sandbox_init.py")


def sandbox_command(
    words: Sequence[str],
    program: str,
    folder: str | None = None,
    *,
    memory_mib: int | None = None,
    cpu_seconds: int | None = None,
    hidden: Sequence[Path] = (),
) -> tuple[list[str], str]:
    """Return (words, program), as `resolve` does, of a command that starts a program in a sandbox.

    words         command line of the program in the sandbox
    program       absolute path of the program
    folder        the only folder whose files it can change; None: none. It also has empty temporary folders
    memory_mib    address space of each of its processes; None: MEMORY_MIB
    cpu_seconds   processor time of each of its processes; None: no limit
    hidden        folders that look empty to it
    """
    limits = {"memory_mb": memory_mib or MEMORY_MIB, "processes": PROCESSES, "disk_mb": DISK_MIB}
    if cpu_seconds is not None:
        limits["cpu_seconds"] = cpu_seconds
    options = {
        "folder": folder,
        "hidden": [os.path.realpath(path) for path in hidden],
        "limits": limits,
        "most_pid": MOST_PID if kernel_release() >= OWN_PID_MAX else None,
        "calls": b64encode(zlib.compress(call_filter(cast("Machine", os.uname().machine)))).decode("ascii"),
    }
    return [sys.executable, "-I", "-S", str(_INIT), json.dumps(options), program, *words], sys.executable


def sandbox_means() -> str:
    """Return the parts of Linux that a sandbox on this machine uses, in words for a report."""
    from harness.gtp.sandbox_init import LANDLOCK_MOVES, landlock_version  # it can be imported on Linux only

    means = "the sandbox uses namespaces and a list of system calls"
    if landlock_version() >= LANDLOCK_MOVES:
        means += ", and Landlock against writing into pipes of other programs"
    if os.geteuid() == 0 and kernel_release() < OWN_PID_MAX:
        means += "; as root, it has no limit of processes"
    return means


def kernel_release() -> tuple[int, ...]:
    """Return the first two numbers of the kernel's version."""
    return tuple(map(int, re.findall(r"\d+", os.uname().release)[:2]))


@functools.cache
def sandbox_problem() -> str | None:
    """Try a sandbox once. Return why there can be none on this machine; None if it works."""
    if sys.platform != "linux":
        return "it needs Linux"
    if os.uname().machine not in MACHINES:
        return f"it needs x86-64 or ARM64, and this machine is {os.uname().machine}"
    words, program = sandbox_command(["true"], "/bin/true")
    try:
        done = subprocess.run(
            words, executable=program, capture_output=True, text=True, timeout=TRIAL_SECONDS, check=False
        )
    except subprocess.TimeoutExpired:  # its text would have the whole command: kilobytes
        return f"the trial of one did not end within {TRIAL_SECONDS:g} s"
    except OSError as error:
        return str(error)
    if done.returncode == 0:
        return None
    lines = done.stderr.strip().splitlines()
    return lines[-1] if lines else f"exit code {done.returncode}"
