"""The sandbox of an engine, by Linux namespaces: whether there is one here, and the command that enters it.

`sandbox_init` is the program that sets it up. docs/security.md says what a sandbox promises.
"""

from __future__ import annotations

import functools
import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

MEMORY_MB = 4096  # address space of each process, where the launch sets no limit; chosen
PROCESSES = 256  # chosen: threads count too
DISK_MB = 256  # size of a file, and of all temporary files; chosen
TRIAL_SECONDS = 30.0  # for the trial of the sandbox; chosen: never reached on a busy machine

_INIT = Path(__file__).with_name("sandbox_init.py")


def sandboxed(
    words: Sequence[str], program: str, folder: str | None, memory_mb: int | None, cpu_seconds: int | None
) -> tuple[list[str], str]:
    """The words and the program that start `program` in a sandbox in which only `folder` can be written."""
    limits = {"memory_mb": memory_mb or MEMORY_MB, "processes": PROCESSES, "disk_mb": DISK_MB}
    if cpu_seconds is not None:
        limits["cpu_seconds"] = cpu_seconds
    options = json.dumps({"folder": folder, "limits": limits})
    return [sys.executable, "-I", "-S", str(_INIT), options, program, *words], sys.executable


@functools.cache
def sandbox_problem() -> str | None:
    """Why there can be no sandbox on this machine; None if there can."""
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
