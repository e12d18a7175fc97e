"""The line about what ends the processes of engines is true of how they are started."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from harness.arena.config.reader import check_config
from harness.cli.forecast import forecast
from harness.gtp import Launch, protection
from harness.gtp.sandbox import sandbox_problem
from harness.gtp.sandbox_init import LANDLOCK_MOVES, landlock_version

PLAIN, BOXED = Launch("./bot"), Launch("./bot", sandbox=True)


@pytest.mark.parametrize(
    ("launches", "words", "absent"),
    [
        ([PLAIN, PLAIN], ["process group", "environment"], ["kernel"]),
        ([BOXED], ["kernel"], ["process group"]),
        ([PLAIN, BOXED, PLAIN], ["kernel", "1 of 3 engines", "those of the others by process group"], []),
    ],
)
def test_it_names_what_is_in_force(launches: list[Launch], words: list[str], absent: list[str]) -> None:
    line = protection(launches)
    assert all(word in line for word in words)
    assert not any(word in line for word in absent)


def test_it_names_the_means_of_the_sandbox() -> None:
    assert "system calls" in protection([BOXED])
    assert ("Landlock" in protection([BOXED])) == (landlock_version() >= LANDLOCK_MOVES)
    assert "system calls" not in protection([PLAIN])


def test_parents_are_no_help_where_the_system_gives_no_orphans(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "parents" in protection([PLAIN]) or sys.platform != "linux"
    monkeypatch.setattr(sys, "platform", "darwin")
    assert "parents" not in protection([PLAIN])


def test_a_match_prints_it_before_the_first_game(tmp_path: Path) -> None:
    engines = [{"name": name, "command": "refbot gtp --playouts 1"} for name in ("a", "b")]
    config = check_config({"run": {"games": 2, "size": 5}, "engine": engines}, "test")
    assert protection([PLAIN, PLAIN]) in forecast(config, tmp_path / "run").splitlines()


@pytest.mark.skipif(sys.platform != "linux", reason="a sandbox needs Linux")
def test_a_trial_of_the_sandbox_that_does_not_end_is_named_in_a_few_words(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def run(words: list[str], *, timeout: float, **_: object) -> None:
        raise subprocess.TimeoutExpired(words, timeout)

    monkeypatch.setattr(subprocess, "run", run)
    problem = sandbox_problem.__wrapped__()  # without its cache
    assert problem == "the trial of one did not end within 30 s"
