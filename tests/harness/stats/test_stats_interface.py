"""Every judge survives no data, one datum, and finds a gross fault; no answer is NaN."""

from __future__ import annotations

import dataclasses
import math
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from harness import stats

REFERENCE = stats.Reference(mean=111.06, sd=16.02, se=0.0016)
P = 1000

JUDGES: dict[str, tuple[Callable[[list[Any]], Any], Any]] = {
    "mean": (lambda data: stats.judge_mean(data, P, REFERENCE, margin=0.28), 111_060.0),
    "exact mean": (lambda data: stats.judge_mean(data, P, stats.Reference(3.0, 0.0), margin=0.0), 3000.0),
    "dispersion": (lambda data: stats.judge_dispersion(data, P, REFERENCE), 111_060.0),
    "serial": (lambda data: stats.judge_serial(data, P, REFERENCE), 111_060.0),
    "repeats": (lambda data: stats.judge_repeats(data, 0.05), 111_060.0),
    "uniform": (lambda data: stats.judge_uniform(data, 5), 3),
    "orbits": (lambda data: stats.judge_orbits(data, stats.square_orbits(9)), 40),
    "sample": (lambda data: stats.judge_against_sample(data, [90, 5, 5, 0]), 0),
}


@pytest.mark.parametrize("name", JUDGES)
@pytest.mark.parametrize("length", [0, 1, 2, 3])
def test_few_data_give_finite_numbers_and_no_verdict(name: str, length: int) -> None:
    judge, datum = JUDGES[name]
    evidence = judge([datum] * length)
    for field in dataclasses.fields(evidence):
        assert not math.isnan(getattr(evidence, field.name)), field.name
    assert evidence.p_value > 1e-5
    if length == 0:
        assert evidence.p_value == 1.0


@pytest.mark.parametrize("name", ["mean", "dispersion", "serial"])
def test_nan_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="finite"):
        JUDGES[name][0]([1.0, math.nan])


def test_gross_faults_are_found_at_once() -> None:
    rng = np.random.default_rng(1)
    right = rng.normal(111_060, 506, size=10)
    assert stats.judge_mean(right - 2 * P, P, REFERENCE, margin=0.28).p_value < 1e-6
    assert stats.judge_dispersion(np.full(10, right[0]), P, REFERENCE).narrow_p < 1e-6
    assert stats.judge_dispersion((right - 111_060) * 6, P, REFERENCE).wide_p < 1e-6
    assert stats.judge_repeats([7] * 10, 1e-3).p_value < 1e-6
    assert stats.judge_uniform([0] * 20, 5).p_value < 1e-6
    assert stats.judge_orbits([0] * 20, stats.square_orbits(9)).p_value < 1e-6
    assert stats.judge_against_sample([3] * 20, [90, 5, 5, 0]).p_value < 1e-6
    assert stats.judge_mean([3001.0], P, stats.Reference(3.0, 0.0), margin=0.0).p_value == 0.0


def test_the_import_does_not_load_scipy() -> None:
    """Every process of the harness imports this package, and most of them compute no probability."""
    code = "import sys, harness.stats; print('scipy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
