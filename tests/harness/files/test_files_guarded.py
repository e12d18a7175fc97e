"""Files in a folder that a stranger has filled: what is refused, what is replaced, what goes on working."""

import os
import socket
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from harness.files import (
    UnsafeFileError,
    check_file,
    is_file,
    move,
    open_file,
    opened_folder,
    read_file,
    remove_file,
    remove_folder,
    remove_leftovers,
    replace_link,
    replaced,
)
from harness.files.guarded import check_in_place

CREATE = os.O_RDWR | os.O_CREAT
STRANGER = 4321
"""The number of a user who is neither the one who runs the tests nor root."""


@pytest.fixture
def victim(tmp_path: Path) -> Path:
    """A file of the user outside the folder."""
    path = tmp_path / "outside" / "file"
    path.parent.mkdir()
    path.write_text("mine")
    return path


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """The folder that a stranger has filled."""
    folder = tmp_path / "run"
    folder.mkdir()
    return folder


def make_socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as listening:
        before = Path.cwd()
        os.chdir(path.parent)  # the name of a socket has at most 100 bytes
        try:
            listening.bind(path.name)
        finally:
            os.chdir(before)


ODD: dict[str, Callable[[Path], object]] = {
    "FIFO": os.mkfifo,
    "folder": os.mkdir,
    "socket": make_socket,
    "device": lambda path: os.mknod(path, stat.S_IFCHR | 0o600, os.makedev(1, 3)),
}


@pytest.mark.parametrize("kind", ODD)
def test_only_regular_files_are_opened_and_nothing_blocks(run: Path, kind: str) -> None:
    try:
        ODD[kind](run / "file")
    except PermissionError:
        pytest.skip(f"this user cannot make a {kind}")
    for flags in (os.O_RDONLY, CREATE, os.O_WRONLY):
        with pytest.raises(UnsafeFileError, match="where conform has a file"):
            open_file(run / "file", flags)
    with pytest.raises(UnsafeFileError, match="where conform has a file"):
        check_file(run / "file", in_place=False)
    assert not is_file(run / "file")


@pytest.mark.parametrize("dangling", [False, True])
def test_no_link_is_followed_to_a_file(run: Path, victim: Path, *, dangling: bool) -> None:
    target = victim.with_name("new") if dangling else victim
    (run / "file").symlink_to(target)
    for flags in (os.O_RDONLY, CREATE):
        with pytest.raises(UnsafeFileError, match="symbolic link") as error:
            open_file(run / "file", flags)
        assert error.value.filename == str(run / "file")
    with pytest.raises(FileExistsError):
        open_file(run / "file", CREATE | os.O_EXCL)
    (run / "other").touch()
    with pytest.raises(FileExistsError):
        move(run / "other", run / "file")
    with replaced(run / "file") as file:
        file.write("new")
    assert (victim.read_text(), os.listdir(victim.parent)) == ("mine", ["file"])
    assert not (run / "file").is_symlink()


def test_no_link_is_followed_to_a_folder(run: Path, victim: Path) -> None:
    (run / "folder").symlink_to(victim.parent)
    inside = run / "folder" / "file"
    attempts: list[Callable[[], object]] = [
        lambda: read_file(inside, within=run),
        lambda: open_file(inside, CREATE, within=run),
        lambda: remove_file(inside, within=run),
        lambda: remove_folder(run / "folder", within=run),
        lambda: remove_folder(run / "folder" / "deep", within=run),
        lambda: opened_folder(run / "folder", within=run, create=True).__enter__(),
        lambda: read_file(run / ".." / "outside" / "file", within=run),
        lambda: remove_folder(run / "deep" / "..", within=run),
        lambda: remove_file(run / "..", within=run),
    ]
    for attempt in attempts:
        with pytest.raises(UnsafeFileError):
            attempt()
    (victim.parent / ".x.part").touch()
    remove_leftovers(run)
    assert sorted(os.listdir(victim.parent)) == [".x.part", "file"]
    assert victim.read_text() == "mine"


def test_the_links_in_a_removed_folder_go_and_their_targets_stay(run: Path, victim: Path) -> None:
    (run / "old" / "deep").mkdir(parents=True)
    (run / "old" / "link").symlink_to(victim)
    (run / "old" / "deep" / "link").symlink_to(victim.parent)
    remove_folder(run / "old", within=run)
    remove_folder(run / "old", within=run)  # it is gone
    assert os.listdir(run) == []
    assert victim.read_text() == "mine"


def test_a_hard_link_can_be_read_and_replaced_but_not_written(run: Path, victim: Path) -> None:
    (run / "file").hardlink_to(victim)
    assert read_file(run / "file") == b"mine"
    assert check_file(run / "file", in_place=False) is not None
    for attempt in (lambda: open_file(run / "file", CREATE), lambda: check_file(run / "file", in_place=True)):
        with pytest.raises(UnsafeFileError, match="2 names"):
            attempt()
    with replaced(run / "file") as file:
        file.write("new")
    assert ((run / "file").read_text(), victim.read_text()) == ("new", "mine")
    os.close(open_file(run / "file", CREATE))


def owned(uid: int, mode: int = 0o755) -> os.stat_result:
    """What the system reports of a file with one name."""
    return os.stat_result((stat.S_IFREG | mode, 0, 0, 1, uid, 0, 0, 0, 0, 0))


@pytest.mark.parametrize(
    ("file", "folder", "mode", "written"),
    [
        (os.geteuid(), os.geteuid(), 0o755, True),
        (0, os.geteuid(), 0o755, True),
        (STRANGER, STRANGER, 0o755, True),  # root continues the run of a user
        (STRANGER, os.geteuid(), 0o775, True),  # a group continues each other's runs
        (STRANGER, os.geteuid(), 0o2770, True),
        (STRANGER, os.geteuid(), 0o755, False),
        (STRANGER, os.geteuid(), 0o777, False),  # anybody may have put it there
        (STRANGER, 0, 0o1777, False),
    ],
)
def test_whose_files_are_written_in_place(file: int, folder: int, mode: int, *, written: bool) -> None:
    if written:
        check_in_place(owned(file), owned(folder, mode), Path("run.db"))
        return
    with pytest.raises(UnsafeFileError, match=f"another user .number {STRANGER}"):
        check_in_place(owned(file), owned(folder, mode), Path("run.db"))


def test_the_folder_itself_may_be_reached_by_a_link(run: Path, tmp_path: Path) -> None:
    latest = tmp_path / "latest"
    replace_link(latest, "elsewhere")
    replace_link(latest, "run")
    assert latest.readlink() == Path("run")
    with replaced(latest / "sgf" / "void" / "a.sgf", within=latest) as file:
        file.write("x")
    assert read_file(latest / "sgf" / "void" / "a.sgf", within=latest) == b"x"
    os.close(open_file(latest / "run.lock", CREATE, mode=0o600))
    assert check_file(latest / "run.lock", in_place=True) is not None
    assert stat.S_IMODE((run / "run.lock").stat().st_mode) == 0o600
    (run / ".left.part").touch()
    remove_leftovers(latest)
    remove_folder(latest / "sgf", within=latest)
    assert os.listdir(run) == ["run.lock"]


def test_a_folder_that_can_be_entered_but_not_listed_is_enough_to_read(run: Path) -> None:
    (run / "file").write_text("x")
    run.chmod(0o311)
    try:
        assert read_file(run / "file") == b"x"
    finally:
        run.chmod(0o755)


def test_errors_of_the_system_name_the_whole_path(run: Path) -> None:
    (run / "file").touch()
    attempts: dict[Path, Callable[[], object]] = {
        run / "none": lambda: read_file(run / "none"),
        run / "gone": lambda: read_file(run / "gone" / "deep", within=run),
        run / "file": lambda: read_file(run / "file" / "deep", within=run),
        run / "full": lambda: remove_folder(run / "full"),
    }
    (run / "full").touch()
    for path, attempt in attempts.items():
        with pytest.raises(OSError, match=r"No such|Not a") as error:
            attempt()
        assert error.value.filename == str(path)


def test_no_program_that_is_started_gets_a_descriptor(run: Path) -> None:
    number = open_file(run / "file", CREATE)
    with opened_folder(run) as folder:
        assert not os.get_inheritable(number)
        assert not os.get_inheritable(folder)
    os.close(number)
