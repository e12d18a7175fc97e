"""The folder of a run that a stranger has made: no command deletes, changes or writes a file outside it."""

import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from harness.arena.folder.errors import RunError
from harness.arena.folder.lock import locked
from harness.arena.folder.salvage import salvage_run
from harness.arena.store.errors import StoreError
from harness.arena.store.opening import JOURNAL, SIDE_FILES
from harness.arena.store.salvage import salvage
from harness.arena.store.store import DATABASE, Store
from tests.command_line import conform_forked
from tests.harness.arena.match_helpers import MakeConfig
from tests.harness.arena.stored_runs import GAMES, config, content, stored_run, write_config
from tests.other_user import NOBODY, as_nobody, needs_root, open_folder

MAGIC = bytes.fromhex("d9d505f920a163d7")
PAGE = 4096
SECTOR = 512

KILLED = """
import os, sqlite3, sys
db = sqlite3.connect(sys.argv[1], isolation_level=None)
db.execute("PRAGMA journal_mode = DELETE")
db.execute("PRAGMA cache_size = 1")
db.execute("BEGIN IMMEDIATE")
db.execute("DELETE FROM search")
db.execute("UPDATE game SET winner = NULL")
os._exit(0)
"""
"""Ends in the middle of a transaction: changed pages are in the file, and the old ones in its journal."""


@pytest.fixture
def run(tmp_path: Path, make_config: MakeConfig) -> Path:
    return stored_run(tmp_path / "run", config(make_config))


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    """A folder of the user with a file that nobody may touch."""
    folder = tmp_path / "outside"
    folder.mkdir()
    (folder / "file").write_text("mine")
    return folder


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def super_journal(victim: Path, *, whole: bool) -> bytes:
    """A rollback journal that names a file which SQLite is to delete after it has rolled back.

    whole       with a sound header for no page; otherwise with a header that SQLite gives up at
    """
    name = os.fsencode(victim)
    header = (
        MAGIC + b"".join(number.to_bytes(4, "big") for number in (0, 1, 1, SECTOR, PAGE)) if whole else b"x"
    )
    tail = name + len(name).to_bytes(4, "big") + sum(name).to_bytes(4, "big") + MAGIC
    return header.ljust(SECTOR, b"\0") + b"\0\0\0\1" + tail


@pytest.mark.parametrize("whole", [True, False])
def test_the_attack_works_on_sqlite_itself(run: Path, outside: Path, *, whole: bool) -> None:
    shutil.copy(run / DATABASE, copy := run / "copy.db")
    copy.with_name("copy.db-journal").write_bytes(super_journal(outside / "file", whole=whole))
    with closing(sqlite3.connect(copy)) as db:
        try:
            db.execute("SELECT count(*) FROM sqlite_master").fetchall()
        except sqlite3.DatabaseError:
            assert whole  # it is cut to the one page of the header
    if (outside / "file").exists():
        pytest.skip("this version of SQLite looks at the name of a file before it deletes it")


COMMANDS: dict[str, Callable[[Path, Path], tuple[object, ...]]] = {
    "audit": lambda run, _: ("audit", run, "--positions", "1"),
    "match": lambda run, toml: ("match", toml, "--out", run, "-q"),
    "report": lambda run, _: ("report", run, "-q"),
    "salvage": lambda run, _: ("report", run, "-q", "--salvage"),
    "verify": lambda run, _: ("verify", run),
}


@pytest.mark.parametrize("whole", [True, False])
@pytest.mark.parametrize("name", COMMANDS)
def test_no_command_gives_sqlite_a_journal_that_names_a_file(
    run: Path, outside: Path, tmp_path: Path, name: str, *, whole: bool
) -> None:
    write_config(tmp_path / "config.toml")
    before, database = files(outside), (run / DATABASE).read_bytes()
    (run / f"{DATABASE}{JOURNAL}").write_bytes(super_journal(outside / "file", whole=whole))
    code, text = conform_forked(*COMMANDS[name](run, tmp_path / "config.toml"))
    assert (code, len(text.splitlines())) == (2, 1), text
    assert "names a file that SQLite would delete" in text
    assert files(outside) == before
    assert (run / DATABASE).read_bytes() == database


OPENERS: dict[str, Callable[[Path], Any]] = {
    "reader": lambda run: Store.open(run, read_only=True),
    "writer": Store.open,
    "worker": Store.open_in_worker,
    "create": Store.create,
    "take over": Store.take_over,
    "salvage": lambda run: salvage(run, run / "target"),
}


@pytest.mark.parametrize("name", OPENERS)
def test_every_way_to_open_a_store_looks_at_its_journal(run: Path, outside: Path, name: str) -> None:
    (run / f"{DATABASE}{JOURNAL}").write_bytes(super_journal(outside / "file", whole=False))
    with pytest.raises(StoreError, match="names a file that SQLite would delete"):
        OPENERS[name](run)
    assert (outside / "file").exists()


@pytest.mark.parametrize("ending", ["", *SIDE_FILES])
@pytest.mark.parametrize("kind", ["link", "hard link", "FIFO"])
def test_sqlite_gets_no_odd_file(run: Path, outside: Path, ending: str, kind: str) -> None:
    path = run / f"{DATABASE}{ending}"
    if not ending:
        shutil.move(path, outside / DATABASE)
    else:
        path.unlink(missing_ok=True)
    victim = outside / (DATABASE if not ending else "file")
    before = files(outside)
    if kind == "FIFO":
        os.mkfifo(path)
    elif kind == "link":
        path.symlink_to(victim)
    else:
        path.hardlink_to(victim)
    with pytest.raises(StoreError, match=r"symbolic link|2 names|is a FIFO"):
        Store.open(run)
    assert files(outside) == before


def test_a_backup_of_hard_links_can_be_read(run: Path, tmp_path: Path) -> None:
    before = content(run)
    for path in run.glob(f"{DATABASE}-*"):
        path.unlink()
    shutil.copytree(run, tmp_path / "backup", copy_function=os.link)
    assert content(tmp_path / "backup") == before


def killed_in_a_write(run: Path) -> None:
    """A genuine journal beside the database, as on file systems on which SQLite has no write-ahead log."""
    subprocess.run([sys.executable, "-c", KILLED, str(run / DATABASE)], check=True)
    assert (run / f"{DATABASE}{JOURNAL}").stat().st_size > PAGE


@pytest.mark.parametrize("name", ["writer", "worker", "create", "take over"])
def test_the_unfinished_write_of_a_killed_process_is_undone(run: Path, name: str) -> None:
    before = content(run)
    killed_in_a_write(run)
    with OPENERS[name](run) as store:
        assert len(list(store.searches())) == len(before["searches"])  # type: ignore[arg-type]
    assert content(run) == before
    assert not (run / f"{DATABASE}{JOURNAL}").exists()


def test_a_match_that_was_killed_in_a_write_is_continued(run: Path, tmp_path: Path) -> None:
    write_config(tmp_path / "config.toml")
    killed_in_a_write(run)
    code, text = conform_forked("match", tmp_path / "config.toml", "--out", run)  # without -q it reads first
    assert (code, f"all {GAMES} games" in text) == (1, True), text


def test_a_reader_undoes_the_unfinished_write_in_a_copy(run: Path) -> None:
    before = content(run)
    killed_in_a_write(run)
    left = files(run)
    assert content(run) == before
    assert files(run) == left


@needs_root
def test_a_user_who_may_not_write_reads_a_run_with_an_unfinished_write(run: Path) -> None:
    with open_folder() as folder:
        shutil.move(run, folder)
        killed_in_a_write(folder / "run")
        (folder / "run" / f"{DATABASE}{JOURNAL}").chmod(0o644)
        assert as_nobody({"read": lambda: Store.open(folder / "run", read_only=True)}) == ["read"]


def damage_a_game(run: Path) -> None:
    with closing(sqlite3.connect(run / DATABASE)) as db, db:
        db.execute("UPDATE game SET detail = 'changed' WHERE game_id = 'p001-g00003'")


@pytest.mark.parametrize("ending", ["", *SIDE_FILES])
@pytest.mark.parametrize("dangling", [True, False])
def test_a_salvage_writes_through_no_link(run: Path, outside: Path, ending: str, *, dangling: bool) -> None:
    damage_a_game(run)
    before = files(outside)
    (run / f"{DATABASE}.damaged{ending}").symlink_to(outside / ("new" if dangling else "file"))
    found = salvage_run(run)
    assert found is not None
    assert found[1] == run / f"{DATABASE}.damaged-2"
    assert files(outside) == before
    assert len(content(run)["games"]) == GAMES - 1  # type: ignore[arg-type]
    assert (run / f"{DATABASE}.damaged-2").read_bytes()[:6] == b"SQLite"


def test_a_salvage_leaves_no_journal_beside_the_new_database(run: Path) -> None:
    with closing(sqlite3.connect(run / DATABASE)) as db:
        db.execute("PRAGMA journal_mode = DELETE")
    data = (run / DATABASE).read_bytes()
    (run / f"{DATABASE}{JOURNAL}").write_bytes(bytes(PAGE))  # finished: SQLite does not roll it back
    (run / DATABASE).write_bytes(data.replace(b"p001-g00003", b"p001-gxxxxx", 1))
    code, text = conform_forked("report", run, "--salvage", "-q")
    assert code == 1, text
    assert not (run / f"{DATABASE}{JOURNAL}").exists()
    assert (run / f"{DATABASE}.damaged{JOURNAL}").read_bytes() == bytes(PAGE)


REPLACED = (
    "games.csv", "searches.csv", "standings.csv", "parity.csv", "playouts.csv", "audit.csv", "diagnosis.csv",
    "report.html", "report.json", "junit.xml", "gogui-001.dat", "sgf/p001-g00001.sgf",
    "sgf/void/p001-g00008.sgf", "failures/p001-g00008/failure.txt", "failures/p001-g00008/stderr.txt",
)  # fmt: skip
FORMATS = [
    word for name in ("csv", "sgf", "gogui-dat", "json", "junit", "html") for word in ("--format", name)
]


@pytest.mark.parametrize("kind", ["link", "dangling link", "hard link", "FIFO"])
def test_a_report_replaces_what_a_stranger_put_in_the_place_of_its_files(
    run: Path, outside: Path, kind: str
) -> None:
    before = files(outside)
    for name in REPLACED:
        path = run / name
        path.parent.mkdir(parents=True, exist_ok=True)
        match kind:
            case "FIFO":
                os.mkfifo(path)
            case "hard link":
                if not name.startswith(("sgf", "failures/p001-g00008/failure")):  # those count as written
                    path.hardlink_to(outside / "file")
            case _:
                path.symlink_to(outside / ("new" if kind == "dangling link" else "file"))
    code, text = conform_forked("report", run, "-q", *FORMATS)
    assert code == 1, text
    assert files(outside) == before
    odd = [name for name in REPLACED if (run / name).is_symlink() or not (run / name).is_file()]
    assert odd == []


@pytest.mark.parametrize("name", ["sgf", "sgf/void", "failures", "failures/p001-g00008"])
def test_a_folder_that_is_a_link_is_refused_in_one_line(run: Path, outside: Path, name: str) -> None:
    before = files(outside)
    (run / name).parent.mkdir(exist_ok=True)
    (run / name).symlink_to(outside)
    code, text = conform_forked("report", run, "-q", "--format", "sgf")
    assert (code, len(text.splitlines())) == (2, 1), text
    assert f"{run / name}: is a symbolic link" in text
    assert files(outside) == before


@pytest.mark.parametrize("name", ["sgf", "failures"])
def test_the_files_of_lost_games_are_removed_from_this_folder_only(
    run: Path, outside: Path, name: str
) -> None:
    for path in (outside / "p001-g00003.sgf", outside / "p001-g00003"):
        path.touch()
    before = files(outside)
    damage_a_game(run)
    (run / name).symlink_to(outside)
    code, text = conform_forked("report", run, "--salvage", "-q")
    assert (code, "is a symbolic link" in text) == (2, True), text
    assert files(outside) == before


@pytest.mark.parametrize("kind", ["link", "hard link", "FIFO"])
def test_the_lock_of_a_run_is_written_in_its_own_folder_only(run: Path, outside: Path, kind: str) -> None:
    before = files(outside)
    lock = run / "run.lock"
    if kind == "FIFO":
        os.mkfifo(lock)
    elif kind == "link":
        lock.symlink_to(outside / "file")
    else:
        lock.hardlink_to(outside / "file")
    with pytest.raises(RunError, match=r"run\.lock: (is a|has 2 names)"), locked(run):
        pass
    assert files(outside) == before


@pytest.mark.parametrize("name", ["status.json", "run.db"])
def test_a_status_waits_for_no_fifo(run: Path, name: str) -> None:
    (run / name).unlink(missing_ok=True)
    os.mkfifo(run / name)
    code, text = conform_forked("status", run.parent)
    assert code == 0, text
    assert "FIFO" in text or name == "run.db", text  # a folder without a database is no run


def test_a_run_that_is_reached_by_a_link_is_reported_and_continued(run: Path, tmp_path: Path) -> None:
    write_config(tmp_path / "config.toml")
    (tmp_path / "latest").symlink_to("run")
    code, text = conform_forked("report", tmp_path / "latest", "-q", *FORMATS)
    assert code == 1, text
    code, text = conform_forked("match", tmp_path / "config.toml", "--out", tmp_path / "latest", "-q")
    assert code == 1, text
    assert all((run / name).is_file() for name in REPLACED if name != "status.json")


def test_a_reader_who_may_not_write_reads_the_run_of_another_user(run: Path) -> None:
    before = content(run)
    (run / DATABASE).chmod(0o444)
    run.chmod(0o555)
    try:
        assert content(run) == before
    finally:
        run.chmod(0o755)


def give_to_nobody(*paths: Path) -> None:
    for path in paths:
        os.chown(path, NOBODY, NOBODY)


@needs_root
def test_root_reads_and_continues_the_run_of_a_user(run: Path) -> None:
    before = content(run)
    with locked(run):
        pass
    give_to_nobody(run, *run.iterdir())
    assert content(run) == before
    with locked(run), Store.open(run) as store:
        store.note("resumed", "", "later")
    assert len(content(run)["events"]) == len(before["events"]) + 1  # type: ignore[arg-type]


@needs_root
def test_a_file_that_another_user_put_into_the_folder_is_read_and_not_written(run: Path) -> None:
    before = content(run)
    give_to_nobody(run / DATABASE)
    assert content(run) == before
    with pytest.raises(StoreError, match="belongs to another user"):
        Store.open(run)
    run.chmod(0o775)  # the group shares it
    Store.open(run).close()
