"""Choices: error rates under continuous looking, exact twins, power, impossible outcomes."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from harness.stats import (
    judge_against_sample,
    judge_choices,
    judge_orbits,
    judge_uniform,
    square_orbits,
)
from harness.stats.choice import CONCENTRATIONS, multinomial_log_e


def test_mixture_over_choices_by_the_urn() -> None:
    shares, picks = [0.5, 0.3, 0.2], [0, 2, 2, 1, 2]
    expected = 0.0
    for weight in CONCENTRATIONS:
        urn = [weight * s for s in shares]
        probability = 1.0
        for pick in picks:  # draw a ball, put it back with one more of its colour
            probability *= urn[pick] / sum(urn)
            urn[pick] += 1.0
        expected += probability / len(CONCENTRATIONS)
    expected /= math.prod(shares[p] for p in picks)
    log_e = multinomial_log_e(np.array(picks), np.array(shares))
    assert math.exp(float(log_e[-1])) == pytest.approx(expected)


def test_false_alarms_of_choices(at_most: Any) -> None:
    rng = np.random.default_rng(1)
    shares = np.array([0.7, 0.2, 0.09, 0.01])
    at_most([judge_choices(rng.choice(4, 150, p=shares), shares).p_value <= 0.05 for _ in range(400)], 0.05)
    at_most([judge_uniform(rng.integers(0, 5, 100), 5).p_value <= 0.01 for _ in range(400)], 0.01)
    at_most([judge_uniform(rng.integers(0, 81, 60), 81).p_value <= 0.01 for _ in range(400)], 0.01)


def test_false_alarms_on_orbits_however_orbits_are_favoured(at_most: Any) -> None:
    rng = np.random.default_rng(2)
    orbits = np.array(square_orbits(9))
    favour = rng.dirichlet(np.full(15, 0.3))
    shares = favour[orbits] / np.bincount(orbits)[orbits]
    picks = rng.choice(81, size=(300, 100), p=shares)
    at_most([judge_orbits(row, square_orbits(9)).p_value <= 0.01 for row in picks], 0.01)


def test_false_alarms_against_a_finite_sample(at_most: Any) -> None:
    rng = np.random.default_rng(3)
    refused = []
    for _ in range(400):  # a new truth, with rare moves, and a new sample each time
        shares = rng.dirichlet(np.full(30, 0.15))
        sample = rng.multinomial(500, shares)
        refused.append(judge_against_sample(rng.choice(30, 80, p=shares), sample).p_value <= 0.01)
    at_most(refused, 0.01)


def test_false_alarms_with_known_alternatives(at_most: Any) -> None:
    rng = np.random.default_rng(13)
    refused = []
    for _ in range(300):
        shares = rng.dirichlet(np.full(30, 0.15))
        sample = rng.multinomial(500, shares)
        wrong = [rng.multinomial(500, rng.dirichlet(np.full(30, 0.15))) for _ in range(3)]
        refused.append(judge_against_sample(rng.choice(30, 80, p=shares), sample, wrong).p_value <= 0.01)
    at_most(refused, 0.01)


def test_a_known_alternative_is_found_sooner() -> None:
    """A small change of sixty shares: with a bet on it, one hundred and fifty searches show it."""
    rng = np.random.default_rng(14)
    right = rng.dirichlet(np.full(60, 2.0))
    wrong = right * np.exp(0.5 * rng.standard_normal(60))
    wrong /= wrong.sum()
    samples = [rng.multinomial(20_000, shares) for shares in (right, wrong)]
    blind, directed = [], []
    for _ in range(60):
        choices = rng.choice(60, 150, p=wrong)
        blind.append(judge_against_sample(choices, samples[0]).log_e)
        directed.append(judge_against_sample(choices, samples[0], samples[1:]).log_e)
    assert np.mean(directed) > np.mean(blind) + 5.0


def test_half_of_the_bet_is_on_the_alternatives() -> None:
    """By hand: the mean of the likelihood ratios of the two urns, none of which looks at the choices."""
    sample, wrong, choices = [90, 5, 5], [5, 90, 5], [1, 1]
    null = (6 / 103) * (7 / 104)
    directed = (91 / 103) * (92 / 104) / null
    blind = math.exp(judge_against_sample(choices, sample).log_e)
    found = math.exp(judge_against_sample(choices, sample, [wrong]).log_e)
    assert found == pytest.approx((blind + directed) / 2)


def test_first_of_ties_and_lopsided_orbits_are_found(at_least: Any) -> None:
    rng = np.random.default_rng(4)
    assert judge_uniform([0] * 12, 4).p_value < 1e-4
    orbits = square_orbits(9)
    lowest = {orbit: orbits.index(orbit) for orbit in orbits}  # a scan from A1 takes the first of its orbit
    scanned = [[lowest[orbits[p]] for p in rng.integers(0, 81, 30)] for _ in range(100)]
    at_least([judge_orbits(row, orbits).p_value <= 1e-4 for row in scanned], 0.9)


def test_total_variation_of_two_fifths_is_found_in_sixty_searches(at_least: Any) -> None:
    rng = np.random.default_rng(5)
    right = np.array([0.45, 0.25, 0.15, 0.05, 0.05, 0.03, 0.02, 0.0])
    wrong = np.array([0.15, 0.15, 0.15, 0.25, 0.05, 0.03, 0.02, 0.2])  # half the absolute differences: 0.40
    found = []
    for _ in range(300):
        sample = rng.multinomial(5000, right)
        found.append(judge_against_sample(rng.choice(8, 60, p=wrong), sample).p_value <= 1e-4)
    at_least(found, 0.9)


def test_orbits_of_squares() -> None:
    counts = np.bincount(square_orbits(9))
    assert counts.size == 15
    assert sorted(counts.tolist()) == [1] + [4] * 8 + [8] * 6
    board = np.array(square_orbits(6)).reshape(6, 6)
    for image in (board.T, np.rot90(board), np.flipud(board)):
        assert np.array_equal(image, board)
    assert np.unique(board).size == 6
    assert square_orbits(1) == (0,)


def test_impossible_choices_are_proof() -> None:
    assert judge_choices([0, 1, 2], [0.5, 0.5, 0.0]).p_value == 0.0
    assert judge_choices([0, 1, 0], [0.5, 0.5, 0.0]).p_value > 0.1
    assert judge_uniform([0] * 1000, 1).p_value == 1.0


@pytest.mark.parametrize(
    ("choices", "expected"), [([3], [0.5, 0.5]), ([-1], [1.0]), ([0], [0.5]), ([0], [1.5, -0.5]), ([0], [])]
)
def test_nonsense_choices_are_refused(choices: list[int], expected: list[float]) -> None:
    with pytest.raises(ValueError, match=r"choices|expected"):
        judge_choices(choices, expected)
