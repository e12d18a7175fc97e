"""The process that takes over a run is killed between any two steps.

Before: a killed salvage left a database without its log, and the games in the log were lost. After: whichever
step was the last, the next start, the next salvage and every reader find all games.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from harness.arena.folder.salvage import BESIDE, salvage_run
from harness.arena.pairings import Pairing
from harness.arena.store.opening import LOG
from harness.arena.store.store import DATABASE, Store
from tests.harness.arena.stored_runs import GAMES, a_game, content

WRITER = """
import os, sys
from functools import partial
from pathlib import Path
from harness.arena.store.store import Store
from harness.arena.pairings import Pairing
from tests.harness.arena.stored_runs import GAMES, a_game
store = Store.open(Path(sys.argv[1]))
store.add(a_game(Pairing(1, "a", "b").game(GAMES + 1)))
os._exit(0)
"""
"""Stores one more game, in the log, and is killed."""


def killed_at(step: int, act: Callable[[], object]) -> bool:
    """Do this in a process that is killed before its `step`-th change of a name. False: it ended before."""
    child = os.fork()
    if child == 0:  # pragma: no cover
        calls = 0

        def watch(event: str, _: object) -> None:
            nonlocal calls
            calls += event in ("os.rename", "os.remove")
            if calls > step:
                os._exit(1)

        sys.addaudithook(watch)
        try:
            act()
        finally:
            os._exit(0)
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status) == 1


@pytest.fixture
def killed(run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A run whose last game is only in the log."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))  # a killed process leaves its copy
    subprocess.run([sys.executable, "-c", WRITER, str(run)], check=True, cwd=Path(__file__).parents[2])
    assert (run / f"{DATABASE}{LOG}").stat().st_size
    return run


def test_a_start_that_is_killed_loses_no_game(killed: Path, tmp_path: Path) -> None:
    step = 0
    while True:
        copy = shutil.copytree(killed, tmp_path / f"{step}" / "run")
        was_killed = killed_at(step, partial(Store.take_over, copy))
        assert len(content(copy)["games"]) == GAMES + 1  # type: ignore[arg-type]
        with Store.take_over(copy) as store:
            assert len(store.played()) == GAMES + 1
        if not was_killed:
            break
        step += 1
    assert step > 3


def test_a_salvage_that_is_killed_loses_no_game(killed: Path, tmp_path: Path) -> None:
    with Store.open(killed) as store:  # the log goes on with a damaged checksum
        store._db.execute("UPDATE checksum SET digest = x'00' WHERE id = 'p001-g00001'")
        store._db.execute("PRAGMA wal_checkpoint(PASSIVE)")
        store.add(a_game(Pairing(1, "a", "b").game(GAMES + 2)))
        shutil.copytree(killed, tmp_path / "damaged")
    step = 0
    while True:
        copy = shutil.copytree(tmp_path / "damaged", tmp_path / f"{step}" / "run")
        was_killed = killed_at(step, partial(salvage_run, copy))
        if salvage_run(copy) is not None:  # it was killed before the new database had its name
            assert not [path for path in copy.iterdir() if path.name.startswith(BESIDE)]
        assert len(content(copy)["games"]) == GAMES + 1  # type: ignore[arg-type]
        if not was_killed:
            break
        step += 1
    assert step > 3
