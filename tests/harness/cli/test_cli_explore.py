"""`conform explore` as a user runs it: exit codes, saved cases, JSON, one clear line for a mistake."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from pathlib import Path

import pytest

from tests.command_line import CONFORM, bot, conform, environment

RIGHT = bot("pure_bot.py", "--playouts", 10)
WRONG = bot("wrong_pure.py", "unknown-succeeds", "--playouts", 10)


def test_nothing_is_found_in_a_right_bot() -> None:
    done = conform("explore", RIGHT, "--sessions", "10", "--jobs", "1", "--json", "-")
    assert done.returncode == 0
    report = json.loads(done.stdout)
    assert report["format"] == "conform-exploration/1"
    assert report["coverage"]["sessions"] == 10
    assert report["coverage"]["positions"]
    assert report["deviations"] == []
    assert report["unconfirmed"] == 0
    assert "no deviation found" in done.stderr


def test_a_deviation_is_shown_saved_and_held_again(tmp_path: Path) -> None:
    cases, report = tmp_path / "cases.json", tmp_path / "report.json"
    words = ("--sessions", "10", "--jobs", "1", "--save", str(cases), "--json", str(report))
    found = conform("explore", WRONG, *words)
    assert found.returncode == 1
    shows_the_deviation(report)
    assert "FAIL  gtp.explore" in found.stdout
    assert "DEVIATES" in found.stdout
    assert f'conform explore "{WRONG}" --seed 1' in found.stdout
    (by_hand,) = [line for line in found.stdout.splitlines() if "printf '" in line][:1]
    lines = by_hand.partition("printf '")[2].partition("'")[0].split("\\n")
    assert len(lines) <= 7
    again = conform("check", WRONG, "--only", "gtp.admin.name", "--with", str(cases))
    assert again.returncode == 1
    assert f"--with {cases} --only case.1" in again.stdout
    right = conform("check", RIGHT, "--only", "gtp.admin.name", "--with", str(cases))
    assert right.returncode == 0
    held = conform("explore", WRONG, "--sessions", "1", "--jobs", "1", "--with", str(cases))
    assert held.returncode == 1
    assert "case.1" in held.stdout


def shows_the_deviation(report: Path) -> None:
    """The lines that a report prints for a shell."""
    (deviation,) = json.loads(report.read_text())["deviations"]
    shown = subprocess.run(
        deviation["reproduce"],
        shell=True,
        capture_output=True,
        text=True,
        check=False,
        env=environment(),
    )
    *before, last, quitting = [answer for answer in shown.stdout.split("\n\n") if answer]
    assert all(answer.startswith("=") for answer in [*before, quitting])
    assert last[0] == deviation["observed"].partition("→ ")[2][0]


def test_4_for_what_is_no_engine() -> None:
    done = conform("explore", "cat", "--for", "5")
    assert done.returncode == 4
    assert "cannot be explored" in done.stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--for", "soon"), "a duration is a positive number"),
        (("--with", "nowhere.json"), "cannot read nowhere.json"),
        (("--save", "/nowhere/cases.json"), "cannot write /nowhere/cases.json"),
    ],
)
def test_2_for_a_mistake(words: tuple[str, ...], said: str) -> None:
    done = conform("explore", "refbot gtp", *words)
    assert done.returncode == 2
    assert said in done.stderr
    assert done.stderr.count("\n") == 1


def test_2_for_a_file_that_is_no_list_of_cases(tmp_path: Path) -> None:
    file = tmp_path / "cases.json"
    file.write_text('{"format": "conform-cases/1", "cases": [{"kind": "dialogue"}]}')
    for command in ("explore", "check"):
        done = conform(command, "refbot gtp", "--with", str(file))
        assert done.returncode == 2
        assert "cases.0" in done.stderr
        assert done.stderr.count("\n") == 1


@pytest.mark.slow
def test_130_when_interrupted_with_what_was_found(tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    words = [CONFORM, "explore", "refbot gtp --playouts 100", "--for", "10m", "--jobs", "1"]
    with subprocess.Popen(
        [*words, "--json", str(report)], stdout=subprocess.PIPE, env=environment(), start_new_session=True
    ) as running:
        assert running.stdout is not None
        first = running.stdout.readline()  # of progress: the exploration has begun
        os.killpg(running.pid, signal.SIGINT)
        rest = running.stdout.read()
    assert b"exploring" in first
    assert running.returncode == 130
    assert b"interrupted" in rest
    assert json.loads(report.read_text())["coverage"]["sessions"] > 0
