"""The tables: whole, precise enough, and what other playouts with another seed give."""

from __future__ import annotations

import json
import math
import re
from importlib.resources import files

import pytest

from harness.oracle.expected import stored_moments
from harness.tools.tabulate_playouts import (
    FORMAT,
    RUNS,
    SEED,
    at_half_a_point,
    checksum,
    expected_from,
)
from refbot.playouts import playouts
from refbot.rules import Position

STORED = json.loads(files("harness.oracle").joinpath("data/tables.json").read_text("utf-8"))
SAMPLE = 100_000
ENTRIES = [(size, komi) for size, runs in RUNS.items() for run in runs for komi in run.komis]
LEAST = {9: 40_000_000, 13: 3_000_000, 19: 3_000_000}
"""Playouts of an entry: the error of the table is then below a twentieth of the margin it is used with."""


def test_nobody_has_put_a_hand_to_the_file() -> None:
    assert STORED["format"] == FORMAT
    assert STORED["seed"] == SEED
    assert STORED["checksum"] == checksum(STORED["entries"])


@pytest.mark.parametrize(("size", "komi"), ENTRIES)
def test_an_entry_says_from_how_many_playouts_it_is(size: int, komi: float) -> None:
    entry = stored_moments()[f"{size}x{size} empty, komi {komi:g}"]
    source = rf"(\d+) playouts, (\d+) of them at komi \S+, kernel (?:lanes|gpu), seed {SEED}"
    made = re.match(source, entry.source)
    assert made is not None
    assert int(made[2]) >= LEAST[size]
    assert entry.se_length == pytest.approx(entry.sd_length / math.sqrt(int(made[1])))
    assert entry.se_result == pytest.approx(entry.sd_result / math.sqrt(int(made[2])))


@pytest.mark.parametrize("komi", [komi for size, komi in ENTRIES if size == 9])
def test_other_playouts_agree(komi: float) -> None:
    """6 standard errors of the smaller sample: a chance of 2e-9 each."""
    table = stored_moments()[f"9x9 empty, komi {komi:g}"]
    found = expected_from(playouts(Position.empty(9), SAMPLE, komi=komi, seed=99), "b", 9, "")
    assert abs(found.mean_length - table.mean_length) < 6 * found.se_length
    assert abs(found.mean_result - table.mean_result) < 6 * found.se_result
    # a variance is known to √(2 + kurtosis) / √n of itself, that of a length to about 1.6 / √n
    assert found.sd_length == pytest.approx(table.sd_length, rel=6 * 1.6 / 2 / math.sqrt(SAMPLE))


def test_half_points_about_an_even_komi_are_one_experiment() -> None:
    """On 9x9 the difference in area is odd but for playouts that the cap ends: 5.5, 6 and 6.5 agree."""
    rates = [stored_moments()[f"9x9 empty, komi {komi:g}"].mean_result for komi in (5.5, 6.0, 6.5)]
    assert max(rates) - min(rates) < 6 * stored_moments()["9x9 empty, komi 6"].se_result


@pytest.mark.parametrize("komi", [15.5, 16.5])
def test_games_at_a_whole_komi_are_an_entry_half_a_point_away(komi: float) -> None:
    """On 4x4 about half of the playouts end with all 16 points for Black: a draw at komi 16."""
    whole, here = (playouts(Position.empty(4), 1_000, each, seed=5) for each in (16.0, komi))
    moved = at_half_a_point(whole, 16.0 - komi)
    assert whole.draws > 300
    assert (moved.black_wins, moved.black_wins_squared) == (here.black_wins, here.black_wins_squared)
