"""The soak continues a match that was given up after the kills of the soak, and reports any other death."""

import json
import math
import random
import sqlite3
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

import psutil
import pytest

from tests.interpreter import PYTHON
from tests.soak.ledger import Ledger
from tests.soak.soak_matches import GIVEN_UP, Soak

KILLER = """
import psutil
for parent in psutil.Process().parents():
    if "spawn_main" in " ".join(parent.cmdline()):
        parent.kill()
        break
"""


class KillsOnce(Soak):
    """A soak that kills the workers of the first start until it ends, and leaves later ones alone."""

    def disturb(self, match: subprocess.Popen[str], run: Path, ledger: Ledger, until: float) -> None:
        while match.poll() is None and not self.found.done["games given up"]:
            with suppress(psutil.Error):
                self.act("kill worker", match, run)
            time.sleep(0.01)


@pytest.fixture
def soak(tmp_path: Path) -> Iterator[Soak]:
    """A soak of short runs whose engines behave."""
    before = psutil.Process().children(recursive=True)  # a server that other tests in this process fork from
    made = KillsOnce(tmp_path, 12, math.inf, random.Random(1), math.inf)
    made.calm.touch()
    yield made
    assert set(psutil.Process().children(recursive=True)) <= set(before)


@pytest.mark.parametrize(
    ("died", "killed", "code", "text", "faults"),
    [
        (3, 3, 2, GIVEN_UP, 0),
        (3, 4, 2, GIVEN_UP, 0),
        (3, 2, 2, GIVEN_UP, 1),
        (1, 0, 3, "", 1),
        (0, 0, 3, "", 0),
        (0, 0, 2, "no such file", 1),
    ],
)
def test_no_more_workers_may_die_than_were_killed(
    soak: Soak, tmp_path: Path, died: int, killed: int, code: int, text: str, faults: int
) -> None:
    with closing(sqlite3.connect(tmp_path / "run.db")) as db:
        db.execute("CREATE TABLE event (kind TEXT)")
        db.executemany("INSERT INTO event VALUES (?)", [("start",), *[("lost",)] * died])
        db.commit()
    soak.killed = killed
    match = soak.start(["sh", "-c", f"echo '{text}'; exit {code}"])
    assert soak.is_complete(match, tmp_path) == (code == 3)
    assert len(soak.found.faults) == faults


@pytest.mark.slow
def test_a_run_that_was_given_up_after_kills_is_continued(soak: Soak) -> None:
    soak.play(1, math.inf)
    assert soak.found.faults == []
    assert (soak.found.done["games given up"], soak.found.done["runs"], soak.found.games) == (1, 1, 12)


@pytest.mark.slow
def test_an_engine_that_kills_its_workers_is_a_fault(soak: Soak, tmp_path: Path) -> None:
    (tmp_path / "killer.py").write_text(KILLER)
    first, command, rest = soak.config.read_text().partition("command = ")
    killer = json.dumps(f"{PYTHON} {tmp_path / 'killer.py'}")
    soak.config.write_text(first + command + killer + "\n" + rest.partition("\n")[2])
    soak.found.done["games given up"] += 1  # nothing is killed from outside
    soak.play(1, math.inf)
    (fault,) = soak.found.faults
    assert "workers died, 0 were killed" in fault
