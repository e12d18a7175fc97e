import errno
import os
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from harness.files import UnsafeFileError, check_writable, remove_leftovers, replaced

WRITER = """
import sys
from pathlib import Path
from harness.files import replaced
for _ in range(int(sys.argv[3])):
    with replaced(Path(sys.argv[1])) as file:
        for _ in range(100):
            file.write(sys.argv[2] * 100)
"""
"""A process that replaces a file by 10,000 times one letter, again and again."""

HOLDER = """
import sys
from pathlib import Path
from harness.files import replaced
with replaced(Path(sys.argv[1])) as file:
    file.write("half")
    file.flush()
    print("open", flush=True)
    sys.stdin.read()
"""


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def holder(path: Path) -> subprocess.Popen[str]:
    """A process that has the file open to replace it."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "open\n"
    return process


def test_processes_that_replace_one_file_never_mix_or_fail(tmp_path: Path) -> None:
    path = tmp_path / "file"
    writers = [subprocess.Popen([sys.executable, "-c", WRITER, str(path), letter, "60"]) for letter in "abc"]
    seen = set()
    while any(writer.poll() is None for writer in writers):
        remove_leftovers(tmp_path)
        if path.exists():
            text = path.read_text()
            assert len(text) == 10_000
            assert len(set(text)) == 1
            seen.add(text[0])
    assert [writer.returncode for writer in writers] == [0, 0, 0]
    assert seen
    assert names(tmp_path) == ["file"]


def test_what_sqlite_left_beside_a_temporary_file_is_removed_too(tmp_path: Path) -> None:
    """A process that is killed while SQLite writes a new database leaves the database and its journal."""
    kept = {"run.db", "run.db-journal", ".part-journal-of-mine", "file.part"}
    for name in {*kept, ".run.db.0123456789ab.part", ".run.db.0123456789ab.part-journal"}:
        (tmp_path / name).touch()
    remove_leftovers(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == kept


def test_a_block_that_raises_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("old")
    with pytest.raises(TypeError), replaced(path) as file:
        file.write(b"not text")
    assert path.read_text() == "old"
    assert names(tmp_path) == ["file"]


def test_the_file_of_a_killed_process_is_removed_and_that_of_a_living_one_stays(tmp_path: Path) -> None:
    killed, living = holder(tmp_path / "a"), holder(tmp_path / "folder" / "b")
    killed.send_signal(signal.SIGKILL)
    killed.communicate()
    remove_leftovers(tmp_path)
    assert names(tmp_path) == ["folder"]
    assert len(names(tmp_path / "folder")) == 1
    living.communicate("")
    assert living.returncode == 0
    assert (tmp_path / "folder" / "b").read_text() == "half"


def test_a_new_file_has_the_rights_that_the_user_chose(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        with replaced(tmp_path / "file") as file:
            file.write("x")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "file").stat().st_mode) == 0o640


def test_a_link_is_replaced_and_a_linked_folder_refused(tmp_path: Path) -> None:
    run, outside = tmp_path / "run", tmp_path / "outside"
    run.mkdir()
    outside.mkdir()
    (outside / "file").write_text("mine")
    (run / "file").symlink_to(outside / "file")
    (run / "folder").symlink_to(outside)
    with replaced(run / "file", within=run) as file:
        file.write("new")
    for path in (run / "folder" / "x", run / "folder" / "deep" / "x", run / ".." / "outside" / "x"):
        with pytest.raises(UnsafeFileError), replaced(path, within=run):
            pass
    assert (outside / "file").read_text() == "mine"
    assert names(outside) == ["file"]
    assert (run / "file").read_text() == "new"


def test_an_error_of_the_system_names_the_file(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="file") as error, replaced(tmp_path / "file"):
        raise OSError(errno.ENOSPC, "No space left on device")
    assert error.value.filename == str(tmp_path / "file")


def test_whether_a_file_can_be_written_is_asked_without_a_trace(tmp_path: Path) -> None:
    (tmp_path / "old").write_text("old")
    for name in ("old", "new"):
        check_writable(tmp_path / name)
    assert (names(tmp_path), (tmp_path / "old").read_text()) == (["old"], "old")
    check_writable(Path("/dev/null"))
    for path in (tmp_path, tmp_path / "none" / "file"):
        with pytest.raises(OSError, match=path.name):
            check_writable(path)


def test_an_error_about_another_file_keeps_its_name(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError) as raised, replaced(tmp_path / "report"):
        Path("no-such-input").read_text()
    assert raised.value.filename == "no-such-input"
