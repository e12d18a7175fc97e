"""Compiled code on disk: in which folder it is kept, and what is there. Loads no compiler.

numba does not notice that a function called from another file has changed, so the name of the folder carries
a hash of all sources of the kernels: a changed source means a new folder.
"""

from __future__ import annotations

import functools
import hashlib
import os
import platform
import sys
import tempfile
from importlib import metadata
from pathlib import Path

from refbot.faults import kernel_bits

PACKAGE = Path(__file__).resolve().parent
_CPU_INFO = Path("/proc/cpuinfo")


@functools.cache
def _sources() -> tuple[Path, ...]:
    """The files on which the meaning of a kernel depends, apart from `refbot.faults`."""
    found = [PACKAGE / "jit.py", PACKAGE / "options.py"]
    for part_of_kernels in ("rules", "playouts"):
        found += (PACKAGE / part_of_kernels).rglob("*.py")
    return tuple(sorted(found))


@functools.cache
def sources_hash() -> str:
    """A short hash of everything on which the meaning of a kernel depends."""
    digest = hashlib.sha256(metadata.version("numba").encode())
    digest.update(repr(kernel_bits()).encode())  # of faults.py the bits alone: its texts mean nothing here
    for source in _sources():
        digest.update(source.relative_to(PACKAGE).as_posix().encode())
        digest.update(source.read_bytes())
    return digest.hexdigest()[:16]


@functools.cache
def folder() -> Path:
    """The folder for these sources, made if need be; a temporary one where nothing is writable."""
    root = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    wanted = root / "conform" / f"kernels-{sources_hash()}"
    try:
        wanted.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=wanted):
            return wanted
    except OSError:
        return Path(tempfile.mkdtemp(prefix="conform-kernels-"))


@functools.cache
def _ready_folder() -> Path:
    """Where it is noted which steps of `refbot.warm` are on disk.

    numba takes compiled code from the disk only for the same processor, the same Python, and source files
    with the same path and time.
    """
    cpu = [os.environ.get("NUMBA_CPU_NAME", ""), os.environ.get("NUMBA_CPU_FEATURES", "")]
    if _CPU_INFO.is_file():
        lines = _CPU_INFO.read_text("utf-8", "replace").splitlines()
        cpu += [next((line for line in lines if line.startswith(key)), "") for key in ("model name", "flags")]
    times = [source.stat().st_mtime_ns for source in _sources()]
    same = repr((platform.machine(), cpu, sys.version_info[:2], str(PACKAGE), times))
    return folder() / f"ready-{hashlib.sha256(same.encode()).hexdigest()[:16]}"


def is_ready(step: str) -> bool:
    """Whether all kernels of a step of `refbot.warm` were stored here for this processor."""
    return (_ready_folder() / step).exists()


def note_ready(step: str) -> None:
    """Notes that all kernels of a step are stored."""
    _ready_folder().mkdir(exist_ok=True)
    (_ready_folder() / step).touch()
