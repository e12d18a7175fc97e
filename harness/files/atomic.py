"""Replaces a file as a whole. Readers see the old or the new content, never a part of it.

Each writer has a temporary file of its own, so that several processes may replace one file at once: the last
one to finish wins. A writer holds a lock on its temporary file. A temporary file without a lock was left by a
killed process.
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

from harness.files.errors import LinkedPathError

SUFFIX = ".part"
READ_WRITE = 0o666  # the system removes what the user's mask forbids


@contextmanager
def replaced(
    path: Path, *, within: Path | None = None, binary: bool = False, durable: bool = False
) -> Iterator[IO[Any]]:
    """Open a file (text in UTF-8, unless `binary`) that replaces `path` at the end of the block.

    If the block raises, `path` stays as it was. A missing folder is created.
    within      a folder that contains `path`: no folder between the two may be a symbolic link
    durable     the new content survives a power cut
    Raises OSError with the path, also where the system gives an error without one (a full disk), and
    LinkedPathError.
    """
    try:
        if within is not None:
            refuse_links(path.parent, within)
        path.parent.mkdir(parents=True, exist_ok=True)
        number, beside = _temporary(path)
        try:
            with _opened(number, binary=binary) as file:
                yield file
                file.flush()
                if durable:
                    os.fsync(file.fileno())
                os.replace(beside, path)
        except BaseException:
            beside.unlink(missing_ok=True)
            raise
        if durable:
            sync_folder(path.parent)
    except OSError as error:
        if error.filename is None and error.errno is not None:
            raise OSError(error.errno, error.strerror, str(path)) from None
        raise


def sync_folder(folder: Path) -> None:
    """Make the renames and new files of a folder survive a power cut."""
    number = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)


def check_writable(path: Path) -> None:
    """Raise OSError if `path` cannot be written. Changes nothing, also while another process writes it."""
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, "is a folder", str(path))
    if path.exists() and not os.access(path, os.W_OK):
        raise PermissionError(errno.EACCES, "permission denied", str(path))
    if not path.exists() or stat.S_ISREG(path.stat().st_mode):
        number, beside = _temporary(path)
        os.close(number)
        beside.unlink()


def remove_leftovers(folder: Path) -> None:
    """Remove the temporary files of killed processes in `folder` and below; other writers keep theirs."""
    for path in folder.rglob(f".*{SUFFIX}"):
        with suppress(OSError):
            _remove_if_left(path)


def _temporary(path: Path) -> tuple[int, Path]:
    """A new locked file beside `path`: its descriptor and its path."""
    while True:
        beside = path.with_name(f".{path.name[:80]}.{secrets.token_hex(6)}{SUFFIX}")
        number = os.open(beside, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, READ_WRITE)
        fcntl.flock(number, fcntl.LOCK_EX)
        # `remove_leftovers` may have removed the file before it was locked.
        if os.fstat(number).st_nlink:
            return number, beside
        os.close(number)


def _opened(number: int, *, binary: bool) -> IO[Any]:
    if binary:
        return os.fdopen(number, "wb")
    return os.fdopen(number, "w", encoding="utf-8", newline="")


def _remove_if_left(path: Path) -> None:
    number = os.open(path, os.O_RDWR | os.O_NOFOLLOW)
    try:
        fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
        path.unlink()
    finally:
        os.close(number)


def refuse_links(folder: Path, within: Path) -> None:
    """Raise LinkedPathError if a folder between `within` and `folder` is a symbolic link."""
    place = within
    for part in folder.relative_to(within).parts:
        if part == "..":
            raise LinkedPathError(folder)
        place /= part
        if place.is_symlink():
            raise LinkedPathError(place)
