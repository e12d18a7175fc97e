"""Every file of a run that Python opens, renames or removes while a command works.

Before: some files were opened by their path, through any link on the way. After: each is reached by its name
relative to the descriptor of its folder, through `harness.files`; only the process that plays opens the
database by its path.
"""

import os
import sys
from pathlib import Path

import pytest

from tests.command_line import conform_forked
from tests.harness.arena.stored_runs import write_config

EVENTS = {
    "open", "os.rename", "os.remove", "os.rmdir", "os.mkdir", "os.link", "os.symlink", "os.truncate",
    "os.chmod", "os.chown", "os.utime", "sqlite3.connect",
}  # fmt: skip
FORMATS = [
    word for name in ("csv", "sgf", "html", "json", "junit", "gogui-dat") for word in ("--format", name)
]
COMMANDS: dict[str, tuple[object, ...]] = {
    "report": ("report", "run", "-q", *FORMATS),
    "verify": ("verify", "run", "-q"),
    "status": ("status", "."),
    "match": ("match", "config.toml", "--out", "run", "-q"),
}


def reached_by_path(run: Path, *words: object) -> set[str]:
    """The audited events of a command with a path inside the run, as `event name`."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:  # pragma: no cover
        code = 1

        def watch(event: str, arguments: tuple[object, ...]) -> None:
            if event in EVENTS:
                for path in arguments[:2]:
                    text = os.fsdecode(path) if isinstance(path, str | bytes | os.PathLike) else ""
                    place = os.path.abspath(text.removeprefix("file://").partition("?")[0])
                    if os.path.dirname(place).startswith(str(run)):
                        os.write(writer, f"{event} {os.path.basename(place)}\n".encode())

        try:
            sys.addaudithook(watch)
            code = conform_forked(*words)[0]
        finally:
            os._exit(code)
    os.close(writer)
    with os.fdopen(reader) as file:
        found = set(file.read().splitlines())
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) in (0, 1)
    return found


@pytest.mark.parametrize("command", COMMANDS)
def test_files_are_reached_relative_to_their_folder(
    run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    monkeypatch.chdir(tmp_path)
    write_config(tmp_path / "config.toml")
    found = reached_by_path(run, *COMMANDS[command])
    assert found == ({"sqlite3.connect run.db"} if command == "match" else set())


def test_the_search_finds_a_path(run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("harness.cli.status.read_newest", lambda *_: ((run / "run.db").read_bytes()[:0], 0))
    assert reached_by_path(run, "status", ".") == {"open run.db"}
