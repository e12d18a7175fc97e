"""Playouts on larger boards: the positions of 9x9 mean the same there, the tables are what playouts give."""

from __future__ import annotations

import math
import subprocess
import sys
from itertools import chain
from pathlib import Path

import pytest

from harness.check.model import Check
from harness.check.procedures.search import SearchProcedure
from harness.oracle.expected import stored_moments
from harness.suite.families import choice, larger_boards, playout_lengths, playout_rules, playout_scores
from harness.suite.registry import CHECKS, checks_on, find, select
from refbot.playouts import playouts
from refbot.rules import Position
from tests.harness.check.referee_engine import RefereeEngine
from tests.interpreter import PYTHON

CONFORM = str(Path(sys.executable).with_name("conform"))
PLAYOUTS = {13: 20_000, 19: 4_000}
SMALL_FAMILIES = (playout_lengths, playout_scores, playout_rules, choice)
SMALL = {check.id: check for check in chain.from_iterable(family.CHECKS for family in SMALL_FAMILIES)}


def probing(check: Check) -> SearchProcedure:
    assert isinstance(check.procedure, SearchProcedure)
    return check.procedure


STRETCHED = [
    pytest.param(SMALL[check.id.replace(f"{size}x{size}.", "")], check, id=check.id)
    for size in larger_boards.SIZES
    for check in larger_boards.checks(size, CHECKS)
    if check.id.replace(f"{size}x{size}.", "") in SMALL and not probing(check).probe.table
]


@pytest.mark.parametrize(("small", "large"), STRETCHED)
def test_a_stretched_position_means_what_it_means_on_9x9(small: Check, large: Check) -> None:
    """Both are enumerated: settled rows and columns in between change nothing but komi."""
    wanted, found = probing(small).probe.expected, probing(large).probe.expected
    for name in ("mean_length", "sd_length", "mean_result", "sd_result", "shortest", "longest"):
        assert getattr(found, name) == pytest.approx(getattr(wanted, name), abs=1e-9), name


@pytest.mark.parametrize("size", larger_boards.SIZES)
def test_its_lines_lead_to_the_position(size: int) -> None:
    for check in larger_boards.checks(size, CHECKS):
        probe, engine = probing(check).probe, RefereeEngine()
        assert all(engine.ask(line).ok for line in probe.setup())
        assert engine.position.stones() == probe.position.stones()


@pytest.mark.parametrize("size", larger_boards.SIZES)
def test_the_cap_is_where_the_clause_has_it(size: int) -> None:
    for left in (3, 0):
        probe = larger_boards.near_cap(size, left)
        assert (
            0 <= len(probe.moves) - (3 * size * size - left) <= 1
        )  # Black has the turn after an even number
        assert probe.expected.mean_length == max(left, 1)


@pytest.mark.slow
@pytest.mark.parametrize("size", larger_boards.SIZES)
def test_the_table_is_what_other_playouts_give(size: int) -> None:
    # 6 standard errors of this sample: a chance of 2e-9 each; the seed is not the table's
    table = stored_moments()[f"{size}x{size} empty, komi 7.5"]
    stats = playouts(Position.empty(size), PLAYOUTS[size], komi=7.5, seed=13)
    root = math.sqrt(stats.playouts)
    assert abs(stats.mean_moves - table.mean_length) < 6 * table.sd_length / root
    assert abs(stats.black_rate - table.mean_result) < 6 * table.sd_result / root
    assert stats.sd_moves == pytest.approx(table.sd_length, rel=6 / math.sqrt(2 * stats.playouts) * 1.5)


def test_dialogues_are_held_at_every_size_but_playouts_at_one() -> None:
    for size in (9, *larger_boards.SIZES):
        sizes = {probing(c).probe.size for c in checks_on(size) if c.id.startswith("ref.empty.length")}
        assert sizes <= {size}
        assert {c.id for c in CHECKS if not c.id.startswith("ref.")} <= {c.id for c in checks_on(size)}
    assert [c.id for c in select(["ref.13x13.nodes.*"], size=13)] == [
        "ref.13x13.nodes.three",
        "ref.13x13.nodes.six",
    ]
    assert len(find("ref.*.cap.none")) == len(larger_boards.SIZES)


def test_a_size_without_tables_is_a_usage_error() -> None:
    done = subprocess.run(
        [CONFORM, "check", "true", "--size", "11"], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert "--size 9, 13 or 19" in done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("size", larger_boards.SIZES)
def test_the_reference_bot_conforms(size: int) -> None:
    """It may be refused with a chance of 0.001; seeded."""
    command = f"{PYTHON} -m refbot.cli gtp --seed 3"
    done = subprocess.run(
        [CONFORM, "check", command, "--size", str(size), "--budget", "120", "-q"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout


@pytest.mark.slow
@pytest.mark.parametrize("fault", ["eye-edge-as-centre", "uniform-scan-list", "nodes-one-pass", "cap-two"])
def test_a_fault_shows_on_a_larger_board_too(fault: str) -> None:
    command = f"{PYTHON} -m refbot.cli gtp --seed 3 --fault {fault}"
    done = subprocess.run(
        [CONFORM, "check", command, "--size", "13", "--only", "ref.*", "-q"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1, done.stdout
