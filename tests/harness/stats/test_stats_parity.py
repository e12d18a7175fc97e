"""Parity: error rates under continuous looking, games needed."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from harness.stats import judge_parity
from harness.stats.parity import EQUAL_SHARES, MIXED, different_log_e, equal_log_e, mean_interval
from harness.stats.parity_errors import games_to_difference
from tests.parameters import slow_but

LN20 = math.log(20.0)


def pairs(rng: np.random.Generator, p: float, number: int, black: float = 0.0) -> Any:
    """Scores of pairs, each a game as Black and one as White, with Black's advantage."""
    return (rng.random(number) < p + black) * 1.0 + (rng.random(number) < p - black)


@pytest.mark.parametrize(
    ("p", "black", "draws"),
    slow_but((0.47,), [(0.53, 0.0, 0.0), (0.47, 0.3, 0.0), (0.53, 0.0, 0.6)]),
)
def test_bots_at_the_margin_are_rarely_called_equal_or_different(
    at_most: Any, p: float, black: float, draws: float
) -> None:
    rng = np.random.default_rng(4)
    equal, different = [], []
    for _ in range(200):
        x = pairs(rng, p, 2500, black) / 2.0
        # of pairs with a draw, as many are won (¾) as keeps the mean at p: ½ + ¼ · 4 (p − ½)
        half = np.where(rng.random(x.size) < 4 * (p - 0.5), 0.75, 0.5)
        x = np.where(rng.random(x.size) < draws, half, x)
        more, less = equal_log_e(x, 0.03)
        equal.append((more.max() >= LN20) and (less.max() >= LN20))
        different.append(different_log_e(x, 0.03).max() >= math.log(100.0))
    at_most(equal, 0.05)
    at_most(different, 0.01)


def test_band_covers_at_all_times(at_most: Any) -> None:
    rng = np.random.default_rng(5)
    outside = []
    for _ in range(150):
        x = pairs(rng, 0.5, 1000) / 2.0
        outside.append(
            any(
                not low <= 0.5 <= high
                for low, high in (mean_interval(x[:n], 0.05) for n in (10, 50, 200, 1000))
            )
        )
    at_most(outside, 0.05)


def test_verdicts_and_games_needed() -> None:
    rng = np.random.default_rng(6)
    games = []
    for _ in range(100):
        evidence = judge_parity(pairs(rng, 0.5, 3000), margin=0.05)
        assert evidence.verdict != "different"  # 100 chances of less than 1e-13: ½ is far inside the margin
        if evidence.decided_after is not None:
            games.append(2 * evidence.decided_after)
    assert len(games) > 85
    # About 920 games on average (deviation about 450: ± 45), the 860 of fixed-n figures being out of reach
    assert 660 < np.mean(games) < 1180
    stronger = judge_parity(pairs(rng, 0.6, 2000))
    assert stronger.verdict == "different"
    assert stronger.low > 0.53
    assert stronger.games_needed == 0.0


def test_plan_is_about_right() -> None:
    start = judge_parity([], margin=0.05)
    assert (start.verdict, start.low, start.high, start.proved_margin) == ("undecided", 0.0, 1.0, 0.5)
    assert 600 < start.games_needed < 1000
    uneven = judge_parity([2.0, 1.0, 1.0, 1.5] * 10)
    further = math.ceil(uneven.to_different / 8)
    assert judge_parity([2.0, 1.0, 1.0, 1.5] * (10 + further)).verdict == "different"
    assert judge_parity([2.0, 1.0, 1.0, 1.5] * (9 + further)).verdict == "undecided"


def test_verdict_stands_and_depends_on_order_only() -> None:
    rng = np.random.default_rng(7)
    scores = pairs(rng, 0.5, 2000)
    evidence = judge_parity(scores, margin=0.05)
    assert evidence.decided_after is not None
    assert judge_parity(scores[: evidence.decided_after], margin=0.05).verdict == evidence.verdict
    assert judge_parity(scores[: evidence.decided_after - 1], margin=0.05).verdict == "undecided"
    drifted = np.concatenate([scores, np.full(500, 2.0)])
    assert judge_parity(drifted, margin=0.05).decided_after == evidence.decided_after


@pytest.mark.parametrize("score", [0.0, 0.5, 1.0, 1.5, 2.0])
@pytest.mark.parametrize("number", [1, 2, 500])
def test_one_sided_matches_survive(score: float, number: int) -> None:
    evidence = judge_parity([score] * number)
    assert evidence.games == 2 * number
    assert 0.0 <= evidence.low <= score / 2 <= evidence.high <= 1.0
    assert not any(math.isnan(v) for v in (evidence.to_equal, evidence.to_different))
    if number == 500:
        assert evidence.verdict == ("equal" if score == 1.0 else "different")
    mirrored = judge_parity([2.0 - score] * number)
    assert (mirrored.low, mirrored.high) == pytest.approx((1 - evidence.high, 1 - evidence.low))


@pytest.mark.parametrize(
    "kwargs", [{"margin": 0.0}, {"margin": 0.5}, {"alpha": 0.0}, {"beta": 1.0}, {"confidence": math.nan}]
)
def test_nonsense_is_refused(kwargs: dict[str, float]) -> None:
    with pytest.raises(ValueError, match=r"margin|below 1"):
        judge_parity([1.0], **kwargs)
    with pytest.raises(ValueError, match="pair"):
        judge_parity([2.5])


@pytest.mark.parametrize("score", [0.0, 2.0])
def test_forty_wins_of_forty_are_decided_in_a_run_of_six_pairs(score: float) -> None:
    assert judge_parity([score] * 20, alpha=0.001 / 6).verdict == "different"
    assert judge_parity([score] * 15).verdict == "different"  # 30 games of a single pair


def test_large_stakes_decide_gross_differences_sooner_and_small_ones_hardly_later() -> None:
    for score, most in ((0.65, 1.1), (0.8, 0.95), (0.95, 0.85)):
        before, _ = games_to_difference(score, EQUAL_SHARES, matches=60)
        now, _ = games_to_difference(score, MIXED, matches=60)
        assert now < most * before


def test_a_mixture_of_stakes_is_a_fair_bet() -> None:
    """At the margin the expected capital after one pair is what it was before."""
    assert np.exp(MIXED.log_shares).sum() == pytest.approx(1.0)
    assert MIXED.fractions.max() < 1.0  # a lost pair never takes everything
    won, lost = (math.exp(different_log_e(np.array([x]), 0.03, MIXED)[0]) for x in (1.0, 0.0))
    # for each half of the capital: p · factor of a win + (1 − p) · factor of a loss = 1 at its bound
    ups, downs = 1 / 0.53 - 1.0, -1.0
    mean = float(np.exp(MIXED.log_shares) @ MIXED.fractions)
    assert won == pytest.approx(0.5 * (1 + mean * ups) + 0.5 * (1 + mean * downs))
    assert lost == pytest.approx(won)  # both sides alike
