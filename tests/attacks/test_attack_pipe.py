"""A file that a command reads is a pipe into which no program writes, or a device without an end.

Before: the command waited for ever, and `/dev/zero` filled the memory. After: it ends with one line, whether
the file is named by the user or lies in the folder of a run or of a schedule.
"""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from harness.files import read_named
from harness.schedule.state import read_state
from tests.command_line import conform_forked

NAMED: dict[str, tuple[object, ...]] = {
    "config": ("match",),
    "schedule": ("schedule", "--once"),
    "control file": ("init", "--from"),
    "saved cases": ("check", "true", "--no-config", "--with"),
    "earlier report": ("check", "true", "--no-config", "--diff"),
    "known failures": ("check", "true", "--no-config", "--known-failures"),
    "settings": ("explore", "true", "--config"),
    "report": ("report", "--site", "site"),
}


@pytest.mark.parametrize("path", ["pipe", "/dev/zero"])
@pytest.mark.parametrize("name", NAMED)
def test_a_command_does_not_wait_for_a_file_that_the_user_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, path: str
) -> None:
    monkeypatch.chdir(tmp_path)
    os.mkfifo("pipe")
    code, text = conform_forked(*NAMED[name], path)
    assert (code, len(text.splitlines())) == (2, 1), text
    assert path in text


def test_a_pipe_with_a_writer_is_read(tmp_path: Path) -> None:
    reader, writer = os.pipe()
    os.write(writer, b"text")
    os.close(writer)
    assert read_named(Path(f"/dev/fd/{reader}")) == b"text"
    os.close(reader)
    assert read_named(Path(os.devnull)) == b""


STORED = (
    "run.db",
    "run.db-journal",
    "run.db-wal",
    "run.db-shm",
    "status.json",
    "run.lock",
    "games.csv",
    "sgf",
)
COMMANDS: dict[str, Callable[[Path], tuple[object, ...]]] = {
    "report": lambda run: ("report", run, "-q", "--format", "csv"),
    "verify": lambda run: ("verify", run, "-q"),
    "status": lambda run: ("status", run.parent),
    "match": lambda run: ("match", run.parent / "config.toml", "--out", run, "-q"),
    "salvage": lambda run: ("report", run, "-q", "--salvage"),
}


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_does_not_wait_for_a_file_in_the_folder(run: Path, tmp_path: Path, command: str) -> None:
    for name in STORED:
        copy = shutil.copytree(run, tmp_path / name / "run")
        shutil.copy(run.parent / "config.toml", copy.parent)
        (copy / name).unlink(missing_ok=True)
        os.mkfifo(copy / name)
        code, text = conform_forked(*COMMANDS[command](copy))
        assert code in (0, 1, 2), text
        assert code != 2 or text.splitlines()[-1].startswith("conform: "), text


def test_a_schedule_does_not_wait_for_its_state(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "schedule.json")
    with pytest.raises(Exception, match="FIFO"):
        read_state(tmp_path)
