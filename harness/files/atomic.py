"""Replaces a file atomically: readers see the old or the new content, never a part of it.

Each `replaced` has its own temporary file, so several processes may replace one file at once: the last one to
finish wins. It holds a lock on the temporary file. A temporary file without a lock was left by a killed
process, or is a link (see `replace_link`) or a database that SQLite writes (see `remove_leftovers`).
"""

from __future__ import annotations

import errno
import fcntl
import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

from harness.files.guarded import READ_WRITE, UnsafeFileError, opened_folder

SUFFIX = ".part"
_LEFTOVERS = tuple(f"{SUFFIX}{ending}" for ending in ("", "-journal", "-wal", "-shm"))
"""Endings of a temporary file, and of the files that SQLite writes beside a temporary database."""
_NEW = os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | os.O_NOFOLLOW


@contextmanager
def replaced(
    path: Path, *, within: Path | None = None, binary: bool = False, durable: bool = False
) -> Iterator[IO[Any]]:
    """Open a file (text in UTF-8, unless `binary`) that replaces `path` at the end of the block.

    If the block raises, `path` is unchanged. A missing folder is created. If `path` is a symbolic link, the
    link is replaced, and its target is unchanged.

    within      a folder that contains `path`: no folder between the two may be a symbolic link
    durable     the new content survives a power cut

    Raises UnsafeFileError and OSError. An OSError without a path gets `path`, also one that the block raises:
    the system leaves it out for a full disk.
    """
    try:
        with opened_folder(path.parent, within=within, create=True) as folder:
            number, beside = _temporary(path.name, folder)
            try:
                opened = (
                    os.fdopen(number, "wb") if binary else os.fdopen(number, "w", -1, "utf-8", newline="")
                )
                with opened as file:
                    yield file
                    file.flush()
                    if durable:
                        os.fsync(file.fileno())
                    os.replace(beside, path.name, src_dir_fd=folder, dst_dir_fd=folder)
            except BaseException:
                with suppress(FileNotFoundError):
                    os.unlink(beside, dir_fd=folder)
                raise
        if durable:
            sync_folder(path.parent)
    except UnsafeFileError:
        raise
    except OSError as error:
        # A file that the block opens keeps its name.
        if error.errno is not None and _is_of_this_file(error.filename, path):
            raise OSError(error.errno, error.strerror, str(path)) from None
        raise


def _is_of_this_file(name: object, path: Path) -> bool:
    """Return True if the `filename` of an error is missing, or that of the folder or the temporary file."""
    return name is None or name == str(path.parent) or str(name).endswith(SUFFIX)


def replace_link(path: Path, target: str) -> None:
    """Make `path` a symbolic link to `target`, and replace an old link or file atomically. Raises OSError.

    Two processes must not do this to one path at once: they would use the same temporary name.
    """
    with opened_folder(path.parent) as folder:
        beside = f".{path.name}{SUFFIX}"
        with suppress(FileNotFoundError):
            os.unlink(beside, dir_fd=folder)
        os.symlink(target, beside, dir_fd=folder)
        os.replace(beside, path.name, src_dir_fd=folder, dst_dir_fd=folder)


def replace_file(path: Path, target: Path) -> None:
    """Rename `path` to `target`, over an old file, durably. Raises OSError. Both must be in one folder."""
    with opened_folder(path.parent) as folder:
        os.replace(path.name, target.name, src_dir_fd=folder, dst_dir_fd=folder)
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Make the renames and new files of a folder survive a power cut. Raises OSError."""
    number = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(number)
    finally:
        os.close(number)


def check_writable(path: Path) -> None:
    """Raise OSError if `path` cannot be written, or its folder is missing (`replaced` would create it).

    The file itself is not opened, so another process may be writing it.
    """
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, "is a folder", str(path))
    if path.exists() and not os.access(path, os.W_OK):
        raise PermissionError(errno.EACCES, "permission denied", str(path))
    if not path.exists() or stat.S_ISREG(path.stat().st_mode):
        with opened_folder(path.parent) as folder:
            number, beside = _temporary(path.name, folder)
            os.close(number)
            os.unlink(beside, dir_fd=folder)


def remove_leftovers(folder: Path) -> None:
    """Remove the temporary files of killed processes in `folder` and below. Raises OSError.

    Files that a `replaced` has locked stay. A temporary link stays, too: the next `replace_link` replaces it.
    A temporary database of SQLite has no lock: the caller must hold the lock of the run's folder, so that no
    other process writes one.
    """
    with opened_folder(folder) as top:
        for _, _, names, place in os.fwalk(".", dir_fd=top):
            for name in names:
                if name.startswith(".") and name.endswith(_LEFTOVERS):
                    with suppress(OSError):
                        _remove_if_left(name, place)


def _temporary(name: str, folder: int) -> tuple[int, str]:
    """Create a locked temporary file for `name` in the folder. Return its descriptor and its name."""
    while True:
        beside = f".{name[:80]}.{secrets.token_hex(6)}{SUFFIX}"
        number = os.open(beside, _NEW, READ_WRITE, dir_fd=folder)
        fcntl.flock(number, fcntl.LOCK_EX)
        # `remove_leftovers` may have removed the file before it was locked.
        if os.fstat(number).st_nlink:
            return number, beside
        os.close(number)


def _remove_if_left(name: str, folder: int) -> None:
    """Remove a temporary file unless its writer holds the lock. Raises OSError."""
    flags = os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    number = os.open(name, flags, dir_fd=folder)
    try:
        fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
        os.unlink(name, dir_fd=folder)
    finally:
        os.close(number)
