"""Opens files safely in a folder that other users may have written to, such as the folder of a run.

The path of the folder comes from the user and may contain links (`latest`, for example). Inside the folder,
no link is followed. Each path component is opened relative to the descriptor of the one before, so it does no
harm if somebody replaces a folder meanwhile. Only regular files are opened: a FIFO could block, a device
could act.

Files may be read whoever owns them and however many hard links they have (backups have several). A file that
is written in place must pass further checks (`check_in_place`).
"""

from __future__ import annotations

import errno
import os
import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

READ_WRITE = 0o666  # the system applies the user's umask
_FOLDER = getattr(os, "O_PATH", os.O_RDONLY) | os.O_DIRECTORY | os.O_CLOEXEC
_SAFELY = os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY
_WRITING = os.O_WRONLY | os.O_RDWR
LINK = "is a symbolic link, and conform follows no link inside the folder of a run; remove the link"
_KINDS = {
    stat.S_IFDIR: "a folder", stat.S_IFIFO: "a FIFO", stat.S_IFSOCK: "a socket", stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}  # fmt: skip


class UnsafeFileError(OSError):
    """A file of a run cannot be one that `conform` made, so `conform` does not read or write it.

    The reason says what the file is and what to do.
    """

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(errno.ELOOP, reason, str(path))


@contextmanager
def opened_folder(path: Path, *, within: Path | None = None, create: bool = False) -> Iterator[int]:
    """Open a folder and yield its descriptor, to pass as `dir_fd` to functions of `os`.

    within      a folder that contains `path`: it may be a link, but no folder below it, `path` included.
                By default `path` itself, which may then be a link
    create      create the folders that are missing

    Raises UnsafeFileError, and OSError with the path.
    """
    place = path if within is None else within
    parts = path.relative_to(place).parts
    try:
        descriptor = os.open(place, _FOLDER)
    except FileNotFoundError:
        if not create:
            raise
        make_folder(place)
        descriptor = os.open(place, _FOLDER)
    try:
        for part in parts:
            place /= part
            below = _folder_below(descriptor, place, create=create)
            os.close(descriptor)
            descriptor = below
        yield descriptor
    finally:
        os.close(descriptor)


def open_file(
    path: Path, flags: int = os.O_RDONLY, *, within: Path | None = None, mode: int = READ_WRITE
) -> int:
    """Open a regular file and return its descriptor, which child processes do not inherit.

    flags       as for `os.open`; to open for writing, the file must pass `check_in_place`
    within      as for `opened_folder`
    Raises UnsafeFileError, and OSError with the path.
    """
    with _folder_of(path, within) as folder:
        if not flags & os.O_EXCL:
            with suppress(FileNotFoundError):  # before opening: to open a device may have effects
                _check_regular(os.stat(path.name, dir_fd=folder, follow_symlinks=False), path)
        with _named(path):
            descriptor = os.open(path.name, flags | _SAFELY, mode, dir_fd=folder)
        try:
            found = os.fstat(descriptor)
            _check_regular(found, path)
            if flags & _WRITING:
                check_in_place(found, os.fstat(folder), path)
        except BaseException:
            os.close(descriptor)
            raise
    return descriptor


def read_file(path: Path, *, within: Path | None = None, most: int = -1) -> bytes:
    """Return the bytes of a regular file, at most `most` (-1: all). Raises UnsafeFileError and OSError."""
    with os.fdopen(open_file(path, within=within), "rb") as file:
        return file.read(most)


def is_file(path: Path) -> bool:
    """Return True if there is a regular file of this name. False for a link, and if it cannot be checked."""
    try:
        return stat.S_ISREG(path.stat(follow_symlinks=False).st_mode)
    except (OSError, ValueError):
        return False


def remove_file(path: Path, *, within: Path | None = None) -> None:
    """Remove a file or a link, if it exists. Raises UnsafeFileError and OSError."""
    with suppress(FileNotFoundError), _folder_of(path, within) as folder, _named(path):
        os.unlink(path.name, dir_fd=folder)


def remove_folder(path: Path, *, within: Path | None = None) -> None:
    """Remove a folder, if it exists, with its content. Links inside are removed, their targets are not.

    Raises UnsafeFileError and OSError.
    """
    with suppress(FileNotFoundError), _folder_of(path, within) as folder, _named(path):
        if stat.S_ISLNK(os.stat(path.name, dir_fd=folder, follow_symlinks=False).st_mode):
            raise UnsafeFileError(path, LINK)
        shutil.rmtree(path.name, dir_fd=folder)


def make_folder(path: Path) -> None:
    """Create a folder, with its parents, if it does not exist. Raises OSError."""
    path.mkdir(parents=True, exist_ok=True)


def move(path: Path, target: Path) -> None:
    """Rename a file or a folder. Raises FileExistsError if `target` exists, UnsafeFileError and OSError."""
    with _folder_of(path, None) as old, _folder_of(target, None) as new:
        if os.path.lexists(target):  # `exists` is false for a link that leads nowhere
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(target))
        with _named(path):
            os.rename(path.name, target.name, src_dir_fd=old, dst_dir_fd=new)


def check_file(path: Path, *, in_place: bool) -> os.stat_result | None:
    """Check a file that another library will open by its path. Return its status; None if it does not exist.

    in_place    the library may write to it
    Raises UnsafeFileError and OSError. Users who may write into the folder can still replace the file after
    the check.
    """
    try:
        found = path.stat(follow_symlinks=False)
    except FileNotFoundError:
        return None
    _check_regular(found, path)
    if in_place:
        check_in_place(found, path.parent.stat(), path)
    return found


def check_in_place(found: os.stat_result, folder: os.stat_result, path: Path) -> None:
    """Raise UnsafeFileError unless a write to this file can change only a file of this folder.

    The file must have one name: with a second one (a hard link), it could be any file of the user. Its owner
    must be the user, root or the owner of the folder. In a folder that its group, but not everybody, may
    write, any owner is allowed, because the members of the group continue each other's runs.
    """
    if found.st_nlink > 1:
        raise UnsafeFileError(
            path,
            f"has {found.st_nlink} names (hard links), and conform would change the file under all of them; "
            "copy the folder (cp -r) and use the copy",
        )
    shared = folder.st_mode & (stat.S_IWGRP | stat.S_IWOTH) == stat.S_IWGRP
    if not shared and found.st_uid not in (os.geteuid(), 0, folder.st_uid):
        raise UnsafeFileError(
            path,
            f"belongs to another user (number {found.st_uid}) than its folder; conform writes only into your "
            "files and those of root and of the owner of the folder; copy the folder and use the copy",
        )


@contextmanager
def _folder_of(path: Path, within: Path | None) -> Iterator[int]:
    """Open the parent folder of `path`, and yield its descriptor."""
    _check_name(path)
    with opened_folder(path.parent, within=within) as folder:
        yield folder


def _check_name(path: Path) -> None:
    if path.name in ("", ".."):
        raise UnsafeFileError(path, "leads out of the folder; conform follows no such path inside a run")


def _folder_below(parent: int, place: Path, *, create: bool) -> int:
    """Open the folder `place`, whose parent has the descriptor `parent`, and return its descriptor."""
    _check_name(place)
    name = place.name
    with _named(place):
        try:
            return os.open(name, _FOLDER | os.O_NOFOLLOW, dir_fd=parent)
        except FileNotFoundError:
            if not create:
                raise
            with suppress(FileExistsError):  # another process was faster
                os.mkdir(name, dir_fd=parent)
            return _folder_below(parent, place, create=False)
        except NotADirectoryError:
            if stat.S_ISLNK(os.stat(name, dir_fd=parent, follow_symlinks=False).st_mode):
                raise UnsafeFileError(place, LINK) from None
            raise


def _check_regular(found: os.stat_result, path: Path) -> None:
    """Raise UnsafeFileError unless this is the status of a regular file."""
    kind = stat.S_IFMT(found.st_mode)
    if kind == stat.S_IFLNK:
        raise UnsafeFileError(path, LINK)
    if kind != stat.S_IFREG:
        what = _KINDS.get(kind, "something else")
        raise UnsafeFileError(path, f"is {what}, where conform has a file; move it away")


@contextmanager
def _named(path: Path) -> Iterator[None]:
    """Put the whole path into errors of the system, which name its last component alone (`dir_fd`)."""
    try:
        yield
    except UnsafeFileError:
        raise
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise UnsafeFileError(path, LINK) from None
        raise OSError(error.errno, error.strerror, str(path)) from None
