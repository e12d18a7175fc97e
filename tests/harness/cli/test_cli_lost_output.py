"""An output that nobody reads or that fills the disk: files are written, and the verdict counts."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.command_line import CONFORM, bot, conform
from tests.harness.cli.test_cli_streams import SCHEDULED
from tests.parameters import slow_but

FULL = Path("/dev/full")
FEW = ("--only", "gtp.admin.*")
BOTS = {0: bot("pure_bot.py"), 1: bot("instant.py")}
"""By exit code of the check."""
needs_full = pytest.mark.skipif(not FULL.exists(), reason="no /dev/full on this system")


def run_unread(*arguments: object, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run conform with an output whose reader is gone before it starts."""
    reading, writing = os.pipe()
    os.close(reading)
    try:
        return _run(arguments, writing, cwd)
    finally:
        os.close(writing)


def run_into_full_disk(*arguments: object, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run conform with an output that takes nothing."""
    with FULL.open("w") as full:
        return _run(arguments, full.fileno(), cwd)


def _run(arguments: Sequence[object], output: int, cwd: Path) -> subprocess.CompletedProcess[str]:
    words = [CONFORM, *map(str, arguments)]
    return subprocess.run(words, stdout=output, stderr=subprocess.PIPE, text=True, cwd=cwd, check=False)


def verdict_in(path: Path) -> str:
    return str(json.loads(path.read_text("utf-8"))["bots"][0]["verdict"])


@pytest.mark.parametrize("code", slow_but((1,), BOTS))
def test_a_check_that_nobody_reads_writes_its_files_and_has_its_verdict(tmp_path: Path, code: int) -> None:
    done = run_unread("check", BOTS[code], *FEW, "--json", "r.json", "--badge", "b.svg", "-v", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (code, "")
    assert verdict_in(tmp_path / "r.json") == ("deviates" if code else "conforms")
    assert (tmp_path / "b.svg").is_file()


def test_json_that_nobody_reads_costs_no_other_file(tmp_path: Path) -> None:
    done = run_unread("check", BOTS[1], *FEW, "--json", "-", "--junit", "j.xml", cwd=tmp_path)
    assert done.returncode == 1
    assert (tmp_path / "j.xml").is_file()


def test_a_match_that_nobody_reads_is_played(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text(SCHEDULED, encoding="utf-8")
    words = ("match", "config.toml", "--out", "run")
    done = run_unread(*words, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (3, "")  # four games decide nothing
    games = (tmp_path / "run" / "games.csv").read_text("utf-8").splitlines()
    assert len(games) == 1 + 4


@pytest.mark.slow  # the match before it is written to the same output
def test_a_schedule_that_nobody_reads_plays_its_match(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text(SCHEDULED, encoding="utf-8")
    run_unread("schedule", "config.toml", "--once", cwd=tmp_path)
    (games,) = {path.resolve() for path in (tmp_path / "reports").glob("*/*/games.csv")}
    assert len(games.read_text("utf-8").splitlines()) == 1 + 4


@needs_full
def test_a_full_disk_behind_the_output_costs_no_file(tmp_path: Path) -> None:
    done = run_into_full_disk("check", BOTS[1], *FEW, "--json", "r.json", "--badge", "b.svg", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr == "conform: the output cannot be written: no space left on device\n"
    assert verdict_in(tmp_path / "r.json") == "deviates"
    assert (tmp_path / "b.svg").is_file()


@needs_full
def test_a_file_that_cannot_be_written_costs_no_other_file(tmp_path: Path) -> None:
    words = ("check", BOTS[1], *FEW, "--json", FULL, "--html", FULL, "--junit", "j.xml", "--badge", "b.svg")
    done = conform(*words, cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr.count(f"cannot write {FULL}") == 2
    assert (tmp_path / "j.xml").is_file()
    assert (tmp_path / "b.svg").is_file()


@needs_full
def test_errors_that_cannot_be_printed_change_no_verdict(tmp_path: Path) -> None:
    with FULL.open("w") as full:
        words = [CONFORM, "check", BOTS[1], *FEW, "--json", "-"]
        done = subprocess.run(
            words, stdout=subprocess.PIPE, stderr=full, text=True, cwd=tmp_path, check=False
        )
    assert done.returncode == 1
    assert json.loads(done.stdout)["bots"][0]["verdict"] == "deviates"
