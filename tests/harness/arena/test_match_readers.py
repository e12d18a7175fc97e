"""Programs that read a run while it is played, or write its files at the same time, disturb nobody."""

import subprocess
from pathlib import Path

import pytest

from tests.harness.arena.match_helpers import PROGRAM, Command, count, wait_for_games

RESULTS = (0, 1, 3)
"""Exit codes of a report: the verdicts so far."""
FORMATS = ("csv", "sgf", "gogui-dat", "json", "junit", "html")


def report(run: Path) -> subprocess.Popen[str]:
    formats = [word for name in FORMATS for word in ("--format", name)]
    return subprocess.Popen(
        [*PROGRAM, "report", str(run), "--quiet", *formats],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def files(run: Path) -> dict[str, bytes]:
    """The files of a run, apart from the database and the lock."""
    found = (path for path in run.rglob("*") if path.is_file() and not path.name.startswith("run."))
    return {str(path.relative_to(run)): path.read_bytes() for path in found}


@pytest.mark.slow
def test_reports_during_a_match_disturb_neither_it_nor_each_other(tmp_path: Path, player: Command) -> None:
    run, engines = tmp_path / "run", ("a", "b", "c")
    command = [*PROGRAM, "match", "--out", str(run), "--size", "5", "--games", "120", "--workers", "1", "-q"]
    for number, name in enumerate(engines):
        command += ["--engine", f"{name}={player(first=number)}"]
    match = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    wait_for_games(match, run)
    reports = 0
    while match.poll() is None or not reports:
        both = [report(run), report(run)]
        texts = [one.communicate()[0] for one in both]
        assert [one.returncode in RESULTS for one in both] == [True, True], texts
        reports += 2
    text, _ = match.communicate()
    assert match.returncode in RESULTS, text
    assert count(run) == 360
    last = report(run)
    last.communicate()
    written = files(run)
    assert len(written["games.csv"].splitlines()) == 361
    assert [name for name in written if name.endswith(".part")] == []
    assert len([name for name in written if name.endswith(".sgf")]) == 360
