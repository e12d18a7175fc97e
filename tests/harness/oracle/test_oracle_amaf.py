"""Choices drawn from the law of the records: the same as from playouts that are played."""

from __future__ import annotations

import random

import numpy as np
import pytest

from harness.go import Colour, Point, Position, random_game
from harness.oracle import choice_shares, enumerate_amaf, enumerate_playouts, rates
from harness.oracle.choice import acceptable_moves

CASES: list[tuple[Position, Colour, float]] = [
    (random_game(4, seed=7, moves=18), "b", 0.5),
    (random_game(4, seed=28, moves=20), "w", 1.0),
]


def shares_by_hand(merits: list[list[float]], slack: float) -> list[float]:
    chosen = [0.0] * len(merits[0])
    for row in merits:
        equal = [merit >= max(row) - slack for merit in row]
        for place, is_equal in enumerate(equal):
            chosen[place] += is_equal / sum(equal)
    return [times / len(merits) for times in chosen]


@pytest.mark.parametrize("slack", [0.0, 0.01])
def test_equals_share_a_choice(slack: float) -> None:
    merits = [[0.5, 0.5, 0.2], [0.499, 0.5, -1.0], [0.3, 0.1, 0.3]]
    assert choice_shares(np.array(merits), slack) == pytest.approx(shares_by_hand(merits, slack))


def test_without_a_visit_there_is_no_rate() -> None:
    assert rates(np.array([[0.0, 4.0]]), np.array([[0.0, 0.0]])).tolist() == [[-1.0, 0.0]]


@pytest.mark.parametrize(("position", "to_move", "komi"), CASES)
def test_records_are_drawn_with_the_exact_means(position: Position, to_move: Colour, komi: float) -> None:
    """Five standard errors: each of some 20 comparisons fails with a chance of 6e-7."""
    spread = enumerate_amaf(position, to_move, cap=40, moves_made=0)
    values = spread.values(komi)
    points: list[Point] = sorted(values)
    visits, wins = spread.records(komi, points).draw(100, 20_000, seed=5)
    for column, point in enumerate(points):
        for drawn, exact in ((visits, values[point].visits), (wins, values[point].wins)):
            error = drawn[:, column].std() / np.sqrt(len(drawn))
            assert abs(drawn[:, column].mean() - 100 * float(exact)) <= 5 * error + 1e-9


@pytest.mark.parametrize(("position", "to_move", "komi"), CASES)
def test_whole_searches_are_drawn_with_the_exact_means(
    position: Position, to_move: Colour, komi: float
) -> None:
    """Five standard errors: each of some 40 comparisons fails with a chance of 6e-7."""
    spread = enumerate_amaf(position, to_move, cap=40, moves_made=0)
    values = spread.values(komi)
    law = enumerate_playouts(position, to_move, cap=40, moves_made=0).at_komi(komi)
    points, generator = sorted(values), np.random.default_rng(6)
    ways = spread.playouts(komi, points)
    searches = [ways.draw_search(100, generator) for _ in range(5_000)]
    exact = [float(law.mean_length), float(law.mean_result) / 100]
    exact += [float(values[point].visits) for point in points]
    exact += [float(values[point].wins) for point in points]
    drawn = np.array([(one.nodes, one.score, *one.visits, *one.wins) for one in searches])
    errors = drawn.std(axis=0) / np.sqrt(len(drawn))
    assert (abs(drawn.mean(axis=0) - 100 * np.array(exact)) <= 5 * errors + 1e-9).all()


def test_two_candidates_of_one_law_are_drawn_together() -> None:
    """Playouts credit points jointly: what is drawn for two is what walking through the law by hand gives."""
    position, to_move, komi = CASES[0]
    spread = enumerate_amaf(position, to_move, cap=40, moves_made=0)
    points = sorted(spread.values(komi))[:2]
    records = spread.records(komi, points)
    ways = list(zip(records.credited.tolist(), records.results.tolist(), strict=True))
    chance = random.Random(3)
    times = [0.0, 0.0]
    searches = 4000
    for _ in range(searches):
        played = chance.choices(ways, records.probabilities.tolist(), k=30)
        visits = [sum(credited[place] for credited, _ in played) for place in (0, 1)]
        wins = [sum(credited[place] * result for credited, result in played) for place in (0, 1)]
        rate = [w / v if v else -1.0 for w, v in zip(wins, visits, strict=True)]
        best = max(rate)
        for place in (0, 1):
            times[place] += (rate[place] == best) / rate.count(best)
    drawn = choice_shares(rates(*records.draw(30, 20_000, seed=1)))
    # Six standard errors of the smaller sample: a chance below 1e-8.
    assert drawn == pytest.approx([t / searches for t in times], abs=6 * 0.5 / np.sqrt(searches))


def test_any_candidate_is_acceptable_if_none_has_a_value() -> None:
    assert acceptable_moves({}, iter([(0, 0), (0, 1)]), 100) == {(0, 0), (0, 1)}
