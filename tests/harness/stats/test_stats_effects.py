"""Effects that differ from place to place, and pseudo-counts of samples."""

from __future__ import annotations

import numpy as np
import pytest

from harness.stats import StatsError, fitting_concentration, random_effects
from harness.stats.diagnosis import CONCENTRATIONS

PLACES = 400


def estimates(mean: float, sd: float, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Estimates of Normal effects, with errors of different sizes."""
    rng = np.random.default_rng(seed)
    errors = rng.uniform(0.5, 2.0, PLACES)
    return rng.normal(mean, sd, PLACES) + rng.normal(0.0, np.sqrt(errors)), errors


@pytest.mark.parametrize(("mean", "sd"), [(0.0, 0.0), (3.0, 0.0), (-1.0, 2.0), (0.0, 10.0)])
def test_mean_and_variance_are_those_of_the_effects(mean: float, sd: float) -> None:
    found = random_effects(*estimates(mean, sd, seed=1))
    assert abs(found.mean - mean) < 4.0 * ((1.2 + sd**2) / PLACES) ** 0.5
    assert found.variance == pytest.approx(sd**2, rel=0.25, abs=0.25)


def test_one_place_has_no_variance() -> None:
    found = random_effects(np.array([2.0]), np.array([0.5]))
    assert (found.mean, found.variance) == (2.0, 0.0)


@pytest.mark.parametrize(("values", "errors"), [([], []), ([1.0], [0.0]), ([1.0, 2.0], [1.0])])
def test_estimates_without_errors_are_refused(values: list[float], errors: list[float]) -> None:
    with pytest.raises(StatsError):
        random_effects(np.array(values), np.array(errors))


EVEN = [0.1] * 10


def test_samples_of_one_outcome_need_few_pseudo_counts_and_equal_shares_many() -> None:
    rng = np.random.default_rng(1)
    same = [[15 if place == k % 10 else 0 for place in range(10)] for k in range(20)]
    even = [list(rng.multinomial(15, EVEN)) for _ in range(20)]
    assert fitting_concentration(same, [EVEN] * 20)[0] == CONCENTRATIONS[0]
    assert fitting_concentration(even, [EVEN] * 20)[0] >= 64.0


def test_the_likeliest_pseudo_counts_are_those_that_samples_were_drawn_with() -> None:
    rng = np.random.default_rng(2)
    rows = [list(rng.multinomial(15, rng.dirichlet([0.4] * 10))) for _ in range(300)]
    assert fitting_concentration(rows, [EVEN] * 300)[0] == 4.0


def test_the_base_that_samples_were_drawn_from_fits_best() -> None:
    rng = np.random.default_rng(3)
    bases = [list(rng.dirichlet([1.0] * 10)) for _ in range(40)]
    rows = [list(rng.multinomial(15, base)) for base in bases]
    weight, fit = fitting_concentration(rows, bases)
    assert weight >= 64.0
    assert fit > fitting_concentration(rows, [EVEN] * 40)[1]


def test_a_base_of_another_length_is_refused() -> None:
    with pytest.raises(StatsError):
        fitting_concentration([[1, 2]], [[1.0]])
