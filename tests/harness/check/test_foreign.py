"""Engines and clients that nobody here wrote; docs/engines.md says what each lacks, and how to get them."""

from __future__ import annotations

import os
import shlex
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from harness.check.model import REFUSING, Level
from harness.check.phases.settings import RunSettings
from harness.go import IllegalMoveError, Position
from harness.gtp import Launch, Limits, parse_vertex
from harness.suite.registry import select
from tests.foreign_engines import (
    GNUGO,
    LEELAZ,
    PYGTP,
    PYPI_GTP,
    SABAKI,
    SABAKI_ENGINE,
    SCRIPTS,
    needs,
    needs_engine,
)
from tests.harness.check.idle_machine import findings_about

LIMITS = Limits(startup=60, answer=20)
SIZE, MOST_LINES = 9, 3 * 81


def deviations(command: str, *only: str) -> set[str]:
    """The MUST checks that a program fails."""
    findings = findings_about(RunSettings(Launch(command), select(only), limits=LIMITS))
    assert not findings.unusable
    return {r.check.id for r in findings.results if r.outcome in REFUSING and r.check.level is Level.MUST}


@needs_engine(GNUGO)
def test_gnugo_speaks_gtp_as_the_draft_has_it(tmp_path: Path) -> None:
    """It is the draft's reference implementation. It is no reference bot: it passes when it sees fit.

    It accepts `komi nan`, and answers `nan` to get_komi afterwards. A loadsgf of an empty file ends it.
    """
    command = GNUGO.command(tmp_path)
    assert deviations(
        command, "gtp.*", "game.capture.*", "game.suicide.*", "game.ko.*", "game.superko.undo*"
    ) == {"gtp.setup.komi-nan", "gtp.record.broken"}
    assert deviations(command, "game.final-score*") == {"game.final-score-komi"}


@needs_engine(LEELAZ)
def test_leela_zero(tmp_path: Path) -> None:
    command = LEELAZ.command(tmp_path)
    assert deviations(command, "gtp.frame.*", "gtp.admin.*") == {
        "gtp.frame.blank-line",  # which blocks the checks of comments
        "gtp.admin.exact-name",
        "gtp.admin.name-case",
    }
    assert deviations(command, "gtp.play.resign", "game.capture.*", "game.suicide.stone") == {
        "gtp.play.resign"  # it accepts suicide, which its rules allow
    }
    assert deviations(command, "gtp.shown.*", "gtp.score.*", "gtp.record.*") == {"gtp.record.print-undone"}
    assert deviations(command, "gtp.analysis.*") == set()


@needs_engine(SABAKI_ENGINE)
def test_the_engine_of_sabaki_gtp(tmp_path: Path) -> None:
    assert deviations(SABAKI_ENGINE.command(tmp_path), "gtp.frame.*", "gtp.admin.*") == {
        "gtp.frame.every-command-answered",  # an unknown command stops its queue
        "gtp.frame.control-dropped",
    }


@needs_engine(PYGTP)
def test_the_engine_of_pygtp(tmp_path: Path) -> None:
    assert deviations(PYGTP.command(tmp_path), "gtp.frame.*", "gtp.admin.*") == {
        "gtp.frame.id-zero",
        "gtp.frame.blank-line",  # which blocks the checks of comments
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


@needs_engine(SABAKI_ENGINE)
def test_sabakis_controller_drives_refbot_through_a_game() -> None:
    words = [
        "node",
        str(SCRIPTS / "sabaki_client.js"),
        str(SABAKI),
        sys.executable,
        "-m",
        "refbot.cli",
        "gtp",
    ]
    printed = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    lines = [[part.strip() for part in line.split("|")] for line in printed.splitlines()]
    assert lines[-1] == ["no_such_command", "true", "unknown command"]
    assert lines[-2][0] == "final_score"
    assert {failed for _, failed, _ in lines[:-1]} == {"false"}
    referee([(said.split()[1], answer) for said, _, answer in lines if said.startswith("genmove")])


@needs(PYPI_GTP, "PyPI's gtp")
def test_the_client_of_pypis_gtp_drives_refbot_through_a_game(tmp_path: Path) -> None:
    """It starts a program called gnugo; here that is refbot."""
    gnugo = tmp_path / "gnugo"
    gnugo.write_text(
        f"#!/bin/sh\nunset PYTHONPATH\nexec {shlex.quote(sys.executable)} -m refbot.cli gtp --size {SIZE}\n"
    )
    gnugo.chmod(gnugo.stat().st_mode | stat.S_IXUSR)
    env = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}", "PYTHONPATH": str(PYPI_GTP)}
    words = [sys.executable, str(SCRIPTS / "gtp_client.py")]
    printed = subprocess.run(words, env=env, capture_output=True, text=True, check=True).stdout
    lines = [[part.strip() for part in line.split("|")] for line in printed.splitlines()]
    assert ["estimate_score", "? unknown command"] in lines
    moves = [(said.split()[1], answer) for said, answer in lines if said.startswith("genmove")]
    referee([("B", "C3"), *moves])
