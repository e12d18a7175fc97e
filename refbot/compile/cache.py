"""The cache folder of compiled kernels, and notes in it about this processor. Loads no compiler.

numba does not notice that a function called from another file has changed. So the name of the folder has a
hash of all sources of the kernels: a changed source means a new folder.
"""

from __future__ import annotations

import functools
import hashlib
import os
import stat
import sys
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path

from refbot.deviations.faults import kernel_bits
from refbot.errors import os_reason

PACKAGE = Path(__file__).resolve().parents[1]
_CPU_INFO = Path("/proc/cpuinfo")


@functools.cache
def _sources() -> tuple[Path, ...]:
    """The files that a kernel is compiled from, except `refbot.deviations.faults`."""
    single = ("compile/jit.py", "compile/numba_cache.py", "deviations/options.py", "measure/cycles.py")
    files = [PACKAGE / name for name in (*single, "rules/eye.py")]
    return tuple(sorted([*files, *(PACKAGE / "playouts").rglob("*.py")]))


def _version_of_numba() -> bytes:
    """The content of numba's version file. `importlib.metadata` takes longer to load than all sources."""
    package = find_spec("numba")
    assert package is not None
    assert package.origin is not None
    return Path(package.origin).with_name("_version.py").read_bytes()


@functools.cache
def sources_hash() -> str:
    """A short hash of everything that a kernel is compiled from, numba's version included."""
    digest = hashlib.sha256(_version_of_numba())
    digest.update(repr(kernel_bits()).encode())  # from faults.py only the bits: kernels do not use its texts
    for source in _sources():
        digest.update(source.relative_to(PACKAGE).as_posix().encode())
        digest.update(source.read_bytes())
    return digest.hexdigest()[:16]


def folder_name(file: str) -> str | None:
    """Return the name of the folder for the kernels of a source file, inside the cache folder of all kernels.

    It is "playouts-scalar" for playouts/scalar/kernel.py, wherever the package is installed: all copies of
    the same sources share their kernels. It is None for a file whose content `sources_hash` does not cover.
    """
    source = Path(file).resolve()
    return "-".join(source.relative_to(PACKAGE).parent.parts) if source in _sources() else None


def is_trusted(state: os.stat_result) -> bool:
    """Return True if nobody but this user and root can have written a file or folder."""
    own = state.st_uid in (0, os.geteuid()) if hasattr(os, "geteuid") else True
    return own and not state.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def in_user_cache(name: str) -> Path:
    """Return the path of a folder of ours in the cache of the user. `make_private` creates it."""
    root = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return root / "conform" / name


def make_private(folder: Path) -> None:
    """Create a folder of `in_user_cache` and its parent, for this user alone, if missing. Raises OSError."""
    folder.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    folder.mkdir(mode=0o700, exist_ok=True)


@functools.cache
def make_folder() -> Path | None:
    """Create the cache folder for these sources if it is missing, and return it.

    Print a warning and return None if it cannot be created, if it is a link, or if others can write to it.
    """
    wanted = in_user_cache(f"kernels-{sources_hash()}")
    try:
        make_private(wanted)
        state = wanted.lstat()
    except OSError as error:
        _warn(f"{wanted} cannot be made ({os_reason(error)})")
        return None
    if not stat.S_ISDIR(state.st_mode):
        _warn(f"{wanted} is a link, not a folder; remove the link")
        return None
    if not is_trusted(state):
        _warn(f"others can write to {wanted}; make it yours by chown and chmod go-w, or remove it")
        return None
    return wanted


def warn_once(problem: str) -> None:
    """Print, once for each problem, that it keeps kernels from being stored on disk."""
    if problem not in _warned:
        _warned.add(problem)
        _warn(problem)


_warned: set[str] = set()


def _warn(problem: str) -> None:
    sys.stderr.write(f"refbot: {problem}; kernels are compiled at each start, which takes longer\n")


def _cpu_line(key: str) -> str:
    """The first line of /proc/cpuinfo that begins with a key; empty without such a file or line."""
    if not _CPU_INFO.is_file():
        return ""
    lines = _CPU_INFO.read_text("utf-8", "replace").splitlines()
    return next((line for line in lines if line.startswith(key)), "")


@functools.cache
def processor_features() -> str:
    """The features of the processor as one text: NUMBA_CPU_FEATURES if set, else from /proc/cpuinfo."""
    given = os.environ.get("NUMBA_CPU_FEATURES")
    return _cpu_line("flags") if given is None else given


@functools.cache
def _processor_folder() -> Path | None:
    """The folder of the notes for this processor and these sources; None without a cache folder.

    numba loads compiled code from disk only for the same processor and the same Python. So the name of the
    folder depends on both.
    """
    cpu = [os.environ.get("NUMBA_CPU_NAME", ""), os.environ.get("NUMBA_CPU_FEATURES", "")]
    cpu += [_cpu_line("model name"), _cpu_line("flags")]
    same = repr((os.uname().machine, cpu, sys.version_info[:2]))
    kept = make_folder()
    return kept and kept / f"ready-{hashlib.sha256(same.encode()).hexdigest()[:16]}"


def is_ready(name: str) -> bool:
    """Return True if `note_ready` noted for this processor that all kernels of a KernelSet are on disk."""
    ready = _processor_folder()
    return ready is not None and (ready / name).exists()


def note_ready(name: str) -> None:
    """Record for `is_ready` that all kernels of a KernelSet of `refbot.measure.warm` are on disk."""
    write_note(name, "")


def read_note(name: str) -> str | None:
    """The text that `write_note` stored under a name for this processor; None if it cannot be read."""
    kept = _processor_folder()
    try:
        return (kept / name).read_text("utf-8") if kept is not None else None
    except (OSError, ValueError):
        return None


def write_note(name: str, text: str) -> None:
    """Store a text for this processor under a name, atomically. Does nothing in a read-only folder."""
    kept = _processor_folder()
    if kept is None:
        return
    with suppress(OSError):
        kept.mkdir(exist_ok=True)
        unfinished = kept / f"{name}.{os.getpid()}"
        unfinished.write_text(text, "utf-8")
        unfinished.replace(kept / name)
