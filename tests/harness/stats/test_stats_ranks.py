"""Ranks of a bot's answers among the reference's: the level for right bots, and what the bets find."""

from __future__ import annotations

import numpy as np
import pytest

from harness.stats import HIGH, Rank, RankEvidence, p_of_any, rank_of
from harness.stats.ranks import EITHER


@pytest.mark.parametrize("bets", [EITHER, HIGH])
@pytest.mark.parametrize("values", [2, 4, 1000])
def test_a_draw_from_the_same_answers_is_seldom_refused(bets: tuple, values: int) -> None:  # type: ignore[type-arg]
    rng = np.random.default_rng(5)
    refused = 0
    for _ in range(120):
        evidence = RankEvidence(bets)
        for _ in range(30):
            drawn = rng.integers(0, values, 16).astype(float)  # few values: many are equal
            evidence.add(rank_of(drawn[0], list(drawn[1:])))
        refused += evidence.p_value <= 0.02
    assert refused <= 12


@pytest.mark.parametrize("bets", [EITHER, HIGH])
def test_every_bet_has_the_mean_one_over_all_ranks(bets: tuple) -> None:  # type: ignore[type-arg]
    for equal in (0, 3, 15):
        width = (equal + 1) / 16
        for bet in bets:
            blocks = [k * width for k in range(round(1 / width))]
            gains = [(bet(low + width) - bet(low)) / width for low in blocks]
            assert np.mean(gains) == pytest.approx(1.0)


def test_ranks_of_lower_and_of_higher_answers_are_found() -> None:
    rng = np.random.default_rng(6)
    for shift in (-1.5, 1.5):
        evidence = RankEvidence()
        for _ in range(60):
            evidence.add(rank_of(rng.normal() + shift, list(rng.normal(size=15))))
        assert evidence.p_value < 1e-4
        assert (evidence.mean < 0.5) == (shift < 0)


def test_a_few_answers_above_all_others_are_found_by_bets_on_high_ranks_alone() -> None:
    rng = np.random.default_rng(7)
    either, high = RankEvidence(), RankEvidence(HIGH)
    for number in range(500):
        rank = Rank(15, 0, 15) if number % 10 == 0 else rank_of(rng.normal(), list(rng.normal(size=15)))
        either.add(rank)
        high.add(rank)
    assert high.p_value < 1e-6
    assert high.log_e > either.log_e


def test_equal_answers_say_nothing() -> None:
    evidence = RankEvidence()
    for _ in range(100):
        evidence.add(rank_of(1.0, [1.0] * 15))
    assert evidence.log_e == pytest.approx(0.0)
    assert evidence.mean == 0.5


def test_one_of_several_bets_is_enough() -> None:
    rng = np.random.default_rng(8)
    sure, idle = RankEvidence(HIGH), RankEvidence(HIGH)
    for _ in range(100):
        sure.add(Rank(15, 0, 15))
        idle.add(rank_of(rng.normal(), list(rng.normal(size=15))))
    assert p_of_any([sure, idle]) == pytest.approx(sure.p_value / 2, rel=0.01)


def test_a_rank_lies_between_those_below_and_those_above() -> None:
    assert (rank_of(2.0, [1.0, 2.0, 3.0]).low, rank_of(2.0, [1.0, 2.0, 3.0]).high) == (0.25, 0.75)
    assert (rank_of(9.0, [1.0, 2.0, 3.0]).low, rank_of(9.0, [1.0, 2.0, 3.0]).high) == (0.75, 1.0)
