"""The command that starts an engine in a sandbox of Linux namespaces, and a trial of it on this machine.

`sandbox_init.py` is the program that sets up the sandbox. docs/security.md says what a sandbox promises.
"""

from __future__ import annotations

import functools
import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

MEMORY_MB = 4096  # MiB of address space of each process, unless the launch sets a limit; chosen
PROCESSES = 256  # processes and threads of the user; chosen: an engine with a thread per core fits
DISK_MB = 256  # MiB of a file, and of all temporary files; chosen
TRIAL_SECONDS = 30.0  # time limit of the trial; chosen: not reached, even on a busy machine

_INIT = Path(__file__).with_name("sandbox_init.py")


def sandboxed(
    words: Sequence[str], program: str, folder: str | None, memory_mb: int | None, cpu_seconds: int | None
) -> tuple[list[str], str]:
    """The words and the program that start `program` in a sandbox, where it can write only in `folder`."""
    limits = {"memory_mb": memory_mb or MEMORY_MB, "processes": PROCESSES, "disk_mb": DISK_MB}
    if cpu_seconds is not None:
        limits["cpu_seconds"] = cpu_seconds
    options = json.dumps({"folder": folder, "limits": limits})
    return [sys.executable, "-I", "-S", str(_INIT), options, program, *words], sys.executable


@functools.cache
def sandbox_problem() -> str | None:
    """Try a sandbox once. Return why there can be none on this machine; None if it works."""
    if sys.platform != "linux":
        return "it needs Linux"
    words, program = sandboxed(["true"], "/bin/true", None, None, None)
    try:
        done = subprocess.run(
            words, executable=program, capture_output=True, text=True, timeout=TRIAL_SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    lines = done.stderr.strip().splitlines()
    return None if done.returncode == 0 else lines[-1] if lines else f"exit code {done.returncode}"
