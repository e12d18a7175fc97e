"""Engines and clients that nobody here wrote; docs/engines.md says what each lacks, and how to get them.

Whatever is not installed is skipped. `CONFORM_FOREIGN` names the folder that `make foreign` fills.
"""

from __future__ import annotations

import os
import shlex
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from harness.checks.execution.findings import Assignment, Findings
from harness.checks.execution.runner import run_checks
from harness.checks.model import REFUSING, Level
from harness.checks.registry import select
from harness.go import IllegalMoveError, Position
from harness.gtp import Launch, Limits, parse_vertex

ENGINES = Path(__file__).parents[2] / "engines"
FOREIGN = Path(os.environ.get("CONFORM_FOREIGN", "no-such-folder")).absolute()
SABAKI = FOREIGN / "npm" / "node_modules" / "@sabaki" / "gtp"
GNUGO = shutil.which("gnugo", path=f"{os.environ.get('PATH', '')}:/usr/games")
LEELAZ = shutil.which("leelaz", path=f"{os.environ.get('PATH', '')}:/usr/games")
LIMITS = Limits(startup=60, answer=20)
SIZE, MOST_LINES = 9, 3 * 81


def needs(path: Path | str | None, what: str) -> pytest.MarkDecorator:
    there = path is not None and Path(path).exists()
    return pytest.mark.skipif(not there, reason=f"{what} is not installed, see docs/engines.md")


def deviations(command: str, *only: str) -> set[str]:
    """The MUST checks that a program fails."""
    findings: Findings = run_checks(Assignment(Launch(command), select(only), limits=LIMITS))
    assert not findings.unusable
    return {r.check.id for r in findings.results if r.outcome in REFUSING and r.check.level is Level.MUST}


@needs(GNUGO, "gnugo")
def test_gnugo_speaks_gtp_as_the_draft_has_it() -> None:
    """It is the draft's reference implementation. It is no reference bot: it passes when it sees fit.

    It accepts `komi nan`, and answers `nan` to get_komi afterwards.
    """
    command = f"{GNUGO} --mode gtp --level 0 --chinese-rules --positional-superko"
    assert deviations(
        command, "gtp.*", "game.capture.*", "game.suicide.*", "game.ko.*", "game.superko.undo*"
    ) == {"gtp.setup.komi-nan", "gtp.explore"}
    assert deviations(command, "game.final-score*") == {"game.final-score-komi"}


@needs(LEELAZ, "leela-zero")
def test_leela_zero(tmp_path: Path) -> None:
    weights = tmp_path / "weights.txt"
    script = str(ENGINES / "leela_weights.py")
    subprocess.run([sys.executable, script, str(weights)], check=True, timeout=60)
    command = f"{LEELAZ} --gtp --cpu-only --noponder -q -w {weights} -v 5 -t 1 -r 0"
    assert deviations(command, "gtp.frame.*", "gtp.admin.*") == {
        "gtp.frame.blank-line",  # which blocks the checks of comments
        "gtp.admin.exact-name",
        "gtp.admin.name-case",
    }
    assert deviations(command, "gtp.play.resign", "game.capture.*", "game.suicide.stone") == {
        "gtp.play.resign",
        "game.suicide.stone",
    }


@needs(SABAKI, "npm's @sabaki/gtp")
def test_the_engine_of_sabaki_gtp() -> None:
    command = f"node {SABAKI}/tests/engines/testEngine.cli.js"
    assert deviations(command, "gtp.frame.*", "gtp.admin.*") == {
        "gtp.frame.every-command-answered",  # an unknown command stops its queue
        "gtp.frame.control-dropped",
    }


@needs(FOREIGN / "pygtp", "PyPI's pygtp")
def test_the_engine_of_pygtp() -> None:
    words = ["env", f"PYTHONPATH={FOREIGN}/pygtp", sys.executable, str(ENGINES / "pygtp_engine.py")]
    assert deviations(shlex.join(words), "gtp.frame.*", "gtp.admin.*") == {
        "gtp.frame.id-zero",
        "gtp.frame.blank-line",
        "gtp.frame.comment-line",
        "gtp.frame.crlf",
        "gtp.frame.control-dropped",
    }


# --- clients ------------------------------------------------------------------------------------------------


def referee(moves: list[tuple[str, str]]) -> None:
    """Every move is legal, and the last two are passes."""
    position = Position(SIZE)
    for colour, vertex in moves:
        try:
            position.play("b" if colour.lower() == "b" else "w", parse_vertex(vertex, SIZE))
        except IllegalMoveError as illegal:
            pytest.fail(f"{colour} {vertex}: {illegal.reason}\n{position.draw()}")
    assert len(moves) < MOST_LINES
    assert [vertex.lower() for _, vertex in moves[-2:]] == ["pass", "pass"]


@needs(SABAKI, "npm's @sabaki/gtp")
def test_sabakis_controller_drives_refbot_through_a_game() -> None:
    words = [
        "node",
        str(ENGINES / "sabaki_client.js"),
        str(SABAKI),
        sys.executable,
        "-m",
        "refbot.cli",
        "gtp",
    ]
    told = subprocess.run(words, capture_output=True, text=True, check=True, timeout=250).stdout
    lines = [[part.strip() for part in line.split("|")] for line in told.splitlines()]
    assert lines[-1] == ["no_such_command", "true", "unknown command"]
    assert lines[-2][0] == "final_score"
    assert {failed for _, failed, _ in lines[:-1]} == {"false"}
    referee([(said.split()[1], answer) for said, _, answer in lines if said.startswith("genmove")])


@needs(FOREIGN / "gtp", "PyPI's gtp")
def test_the_client_of_pypis_gtp_drives_refbot_through_a_game(tmp_path: Path) -> None:
    """It starts a program called gnugo; here that is refbot."""
    gnugo = tmp_path / "gnugo"
    gnugo.write_text(
        f"#!/bin/sh\nunset PYTHONPATH\nexec {shlex.quote(sys.executable)} -m refbot.cli gtp --size {SIZE}\n"
    )
    gnugo.chmod(gnugo.stat().st_mode | stat.S_IXUSR)
    env = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}", "PYTHONPATH": str(FOREIGN / "gtp")}
    words = [sys.executable, str(ENGINES / "gtp_client.py")]
    told = subprocess.run(words, env=env, capture_output=True, text=True, check=True, timeout=250).stdout
    lines = [[part.strip() for part in line.split("|")] for line in told.splitlines()]
    assert ["estimate_score", "? unknown command"] in lines
    moves = [(said.split()[1], answer) for said, answer in lines if said.startswith("genmove")]
    referee([("B", "C3"), *moves])
