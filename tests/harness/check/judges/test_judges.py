"""Judges on made-up searches: no bot, no process, every way to pass, fail and stay open.

Error rates are measured on simulated searches of a right bot. Bounds: with a true rate of at most q, a
binomial count of n trials exceeds the limit written there with the chance written there (computed in the test
with scipy and asserted to be below 1e-8, so that no bound here is a guess).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from harness.check.effort import STANDARD
from harness.check.judges.decimals import judge_decimals, searches_for_decimals
from harness.check.judges.enumerated_choice import choices
from harness.check.judges.moments import judge_moments, length_reference, result_reference
from harness.check.judges.moves import judge_moves, judge_symmetry, judge_ties
from harness.check.judges.repeats import judge_fresh, judge_spread_of_nodes, judge_spread_of_results
from harness.check.model import Judgement, Outcome
from harness.check.positions import DAME, settled
from harness.check.procedures.probe import Probe, empty_board
from harness.check.procedures.search import SearchRecord, Series
from harness.oracle.expected import Expected
from harness.stats import holm

ALPHA = 0.001
P = 1000
DAME_PROBE = Probe("one dame", DAME[1], "b", 7.5)
FOUR_LOST = Probe("four dame, all lost", DAME[4], "b", 400.0)
OPEN = Expected(
    mean_length=111.06, sd_length=16.02, mean_result=0.4214, sd_result=0.4938, shortest=2, longest=243
)
"""A position where nothing is certain: the empty 9x9 board, as published."""

TWO_VALUED = Expected(5.0, 1.0, 0.5, 0.5, 4, 6, skew_length=0.0, excess_kurtosis_length=-2.0)
"""Half of the playouts take 4 moves, half 6, by whether an edge eye is false."""


def series(
    totals: Sequence[tuple[int | None, float | None]], probe: Probe = DAME_PROBE, playouts: int = P
) -> Series:
    """Searches that answered these (ref-nodes, ref-score) and played E9."""
    return Series(probe, playouts, tuple(SearchRecord("E9", nodes, score, 0.0) for nodes, score in totals))


def chosen(moves: Sequence[str], probe: Probe) -> Series:
    """Searches that played these moves and said nothing else."""
    return Series(probe, P, tuple(SearchRecord(move, None, None, 0.0) for move in moves))


# --- where every playout is the same -----------------------------------------------------------------------

CERTAIN = replace(OPEN, mean_length=3, sd_length=0.0, mean_result=1.0, sd_result=0.0, shortest=3, longest=3)


@pytest.mark.parametrize(
    ("searches", "outcome"),
    [
        ([(3000, 1.0)], Outcome.PASS),
        ([(3000, 1.0)] * 5, Outcome.PASS),
        ([(3001, 1.0)], Outcome.FAIL),
        ([(2999, 1.0)], Outcome.FAIL),
        ([(3000, 1.0), (2000, 1.0)], Outcome.FAIL),
        ([(2000, 1.0), (4000, 1.0)], Outcome.FAIL),  # right on average is not right
        ([(3, 1.0)], Outcome.FAIL),  # a mean instead of a sum
        ([(0, 1.0)], Outcome.FAIL),
        ([(3000, 0.0)], Outcome.FAIL),  # the other side's view
        ([(3000, 0.999)], Outcome.FAIL),
        ([(3000, 0.9996)], Outcome.PASS),  # as good as 1 in three decimals
        ([(3000, 0.5)], Outcome.FAIL),
    ],
)
def test_one_search_is_proof(searches: list[tuple[int, float]], outcome: Outcome) -> None:
    judgement = judge_moments()(series(searches), CERTAIN)
    assert judgement.outcome is outcome
    assert judgement.p_value is None
    assert judgement.expected == "3.000 moves a playout, exactly; score 1.0000, exactly"


@given(nodes=st.integers(0, 10**9), score=st.floats(0, 1), playouts=st.integers(1, 10**6))
def test_an_exact_judge_passes_the_exact_answer_alone(nodes: int, score: float, playouts: int) -> None:
    judgement = judge_moments()(series([(nodes, score)], playouts=playouts), CERTAIN)
    right = nodes == 3 * playouts and score >= 1.0 - 0.0005
    assert judgement.outcome is (Outcome.PASS if right else Outcome.FAIL)


def test_only_what_is_asked_is_judged() -> None:
    wrong_length, wrong_score = series([(9, 1.0)]), series([(3000, 0.0)])
    assert judge_moments(lengths=False)(wrong_length, CERTAIN).outcome is Outcome.PASS
    assert judge_moments(results=False)(wrong_score, CERTAIN).outcome is Outcome.PASS
    assert judge_moments(results=False)(wrong_length, CERTAIN).outcome is Outcome.FAIL
    assert judge_moments(lengths=False)(wrong_score, CERTAIN).outcome is Outcome.FAIL


def test_a_draw_is_half_a_win() -> None:
    drawn = replace(CERTAIN, mean_result=0.5)
    outcomes = [judge_moments()(series([(3000, s)]), drawn).outcome for s in (0.0, 0.5, 1.0)]
    assert outcomes == [Outcome.FAIL, Outcome.PASS, Outcome.FAIL]


# --- where they are not ------------------------------------------------------------------------------------


@pytest.mark.parametrize("nodes", [3999, 6001, 0, 10**9])
def test_the_impossible_needs_no_statistics(nodes: int) -> None:
    """Not even one search in which every playout was the shortest or the longest could say it."""
    judgement = judge_moments()(series([(5000, 0.5), (nodes, 0.5)]), TWO_VALUED)
    assert judgement.outcome is Outcome.FAIL
    assert judgement.p_value is None


def spoken(expected: Expected, searches: int, seed: int, *, shift: float = 0.0) -> list[tuple[int, float]]:
    """Searches of a bot whose playouts are those of `expected` but `shift` sd longer."""
    rng = np.random.default_rng(seed)
    mean, sd = P * (expected.mean_length + shift * expected.sd_length), math.sqrt(P) * expected.sd_length
    nodes = np.rint(rng.normal(mean, sd, searches)).astype(int)
    wins = rng.binomial(P, expected.mean_result, searches)
    return list(zip(map(int, nodes), map(float, wins / P), strict=True))


def test_few_searches_leave_it_open_and_say_how_many_would_not() -> None:
    judgement = judge_moments(0.01, 0.01)(series(spoken(OPEN, 3, seed=1)), OPEN)
    assert judgement.outcome is Outcome.INCONCLUSIVE
    assert judgement.p_value is not None
    assert judgement.p_value > ALPHA
    assert judgement.playouts_needed is not None
    assert judgement.playouts_needed > 3 * P


def test_many_searches_prove_that_a_bot_is_within_the_margin() -> None:
    judgement = judge_moments(0.05, 0.05)(series(spoken(OPEN, 100, seed=2)), OPEN)
    assert judgement.outcome is Outcome.PASS
    assert judgement.numbers["length_proved_margin"] <= 0.05 * OPEN.sd_length


@pytest.mark.parametrize("shift", [-0.2, 0.2])
def test_a_shift_beyond_the_margin_is_refused_and_never_passed(shift: float) -> None:
    """20,000 playouts, 0.2 sd off: 28 standard errors. The p-value is far below any share of alpha."""
    judgement = judge_moments(0.05, 0.05)(series(spoken(OPEN, 20, seed=3, shift=shift)), OPEN)
    assert judgement.outcome is Outcome.INCONCLUSIVE  # the budget has the last word
    assert judgement.p_value is not None
    assert judgement.p_value < 1e-50


def test_every_number_can_be_written_as_json() -> None:
    for searches in ([(111_060, 0.42)], spoken(OPEN, 30, seed=4)):
        judgement = judge_moments()(series(searches), OPEN)
        assert all(math.isfinite(value) for value in judgement.numbers.values())


def rate_of(refused: int, runs: int, most: float) -> None:
    """A right bot may be refused with probability `most` a run; assert that it is not refused more often."""
    limit = int(stats.binom.isf(1e-9, runs, most))
    assert stats.binom.sf(limit, runs, most) < 1e-8
    assert refused <= limit


@pytest.mark.parametrize("expected", [OPEN, TWO_VALUED], ids=["open", "two-valued"])
def test_a_right_bot_is_refused_as_seldom_as_promised(expected: Expected) -> None:
    """Looked at after every search, over 150 runs of 12 searches, at alpha = 0.05 for something to count."""
    alpha, runs, judge = 0.05, 150, judge_moments()
    refused = 0
    for seed in range(runs):
        searches = (
            spoken(expected, 12, seed) if expected is OPEN else two_valued(12, np.random.default_rng(seed))
        )
        looks = (judge(series(searches[: n + 1]), expected).p_value for n in range(12))
        refused += any(p is not None and p <= alpha for p in looks)
    rate_of(refused, runs, alpha)


def two_valued(searches: int, rng: np.random.Generator) -> list[tuple[int, float]]:
    """Searches whose playouts take 4 moves and lose, or 6 and win, each with probability one half."""
    wins = rng.binomial(P, 0.5, searches)
    return [(int(4 * P + 2 * won), float(won / P)) for won in wins]


def test_over_many_checks_holm_keeps_the_promise() -> None:
    """20 statistical checks, all of a right bot, 100 times, at alpha = 0.05 for something to count."""
    alpha, runs, refused, judge = 0.05, 100, 0, judge_moments()
    for run in range(runs):
        p_values = {}
        for number in range(20):
            p_value = judge(series(spoken(OPEN, 5, seed=1000 * run + number)), OPEN).p_value
            assert p_value is not None
            p_values[str(number)] = p_value
        refused += bool(holm(p_values, alpha).refused)
    rate_of(refused, runs, alpha)


def test_references_are_those_of_the_oracle() -> None:
    assert length_reference(OPEN).mean == OPEN.mean_length
    # A win or a loss with probability p: skew and kurtosis of Bernoulli(p), by scipy.
    mean, var, skew, kurtosis = map(float, stats.bernoulli(0.3).stats("mvsk"))
    one = result_reference(replace(OPEN, mean_result=0.3, sd_result=math.sqrt(var)))
    assert (one.mean, one.sd**2, one.skew) == pytest.approx((mean, var, skew))
    assert one.kurtosis == pytest.approx(max(0.0, kurtosis))
    assert result_reference(replace(OPEN, mean_result=1.0, sd_result=0.0)).sd == 0.0


# --- spread, repeats ---------------------------------------------------------------------------------------


def nodes_only(nodes: Sequence[float]) -> Series:
    return series([(round(n), 0.42) for n in nodes])


def normal(searches: int, seed: int, factor: float = 1.0) -> list[float]:
    sd = factor * OPEN.sd_length * math.sqrt(P)
    return [float(x) for x in np.random.default_rng(seed).normal(P * OPEN.mean_length, sd, searches)]


@pytest.mark.parametrize(
    ("nodes", "refused"),
    [
        (normal(40, 1), False),
        (normal(40, 2, factor=0.05), True),  # too alike: a seed that hardly changes
        ([P * OPEN.mean_length] * 20, True),  # all the same
        (normal(40, 3, factor=5.0), True),  # every playout counted 25 times
        ([x for x in normal(20, 4) for _ in range(4)], True),  # a new seed every fourth search
    ],
    ids=["right", "narrow", "constant", "wide", "stuttering"],
)
def test_the_spread_of_searches(nodes: list[float], refused: bool) -> None:
    judgement = judge_spread_of_nodes(nodes_only(nodes), OPEN)
    assert judgement.p_value is not None
    assert (judgement.p_value < 1e-6) is refused


def test_the_spread_of_few_searches_is_open() -> None:
    judgement = judge_spread_of_nodes(nodes_only(normal(9, 1)), OPEN)
    assert (judgement.outcome, judgement.p_value) == (Outcome.INCONCLUSIVE, 1.0)


def test_the_spread_of_a_right_bot_is_seldom_refused() -> None:
    runs = 1000
    refused = sum(
        (judge_spread_of_nodes(nodes_only(normal(20, seed)), OPEN).p_value or 0.0) <= 0.05
        for seed in range(runs)
    )
    rate_of(refused, runs, 0.05)


def test_a_repeated_search_is_no_chance() -> None:
    fresh = spoken(OPEN, 20, seed=5)
    assert (judge_fresh(series(fresh), OPEN).p_value or 0.0) > ALPHA
    assert (judge_fresh(series([fresh[0]] * 20), OPEN).p_value or 1.0) < 1e-9
    assert (judge_fresh(series([fresh[n // 2] for n in range(20)]), OPEN).p_value or 1.0) < ALPHA


def test_a_right_bot_seldom_repeats_itself() -> None:
    runs = 1000
    p_values = [judge_fresh(series(spoken(OPEN, 20, seed)), OPEN).p_value or 0.0 for seed in range(runs)]
    rate_of(sum(p <= 0.05 for p in p_values), runs, 0.05)


# --- moves -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("moves", "outcome"),
    [
        (["E9"], Outcome.PASS),
        (["E9"] * 12, Outcome.PASS),
        (["E9", "PASS"], Outcome.FAIL),
        (["RESIGN"], Outcome.FAIL),
        (["A9"], Outcome.FAIL),  # an own eye
    ],
)
@pytest.mark.parametrize("allowed", [("E9",), ()], ids=["written down", "computed"])
def test_the_moves_of_one_dame(allowed: tuple[str, ...], moves: list[str], outcome: Outcome) -> None:
    judged = judge_moves(allowed)(chosen(moves, DAME_PROBE), CERTAIN)
    assert judged.outcome is outcome
    assert judged.expected == "E9"
    assert judged.numbers["strange"] == len(set(moves) - {"E9"})


def test_where_there_is_no_candidate_a_pass_is_all_there_is() -> None:
    probe = Probe("nothing to play", settled("D5 E9", black="E9"), "b")
    judge = judge_moves()
    assert judge(chosen(["PASS"], probe), probe.expected).outcome is Outcome.PASS
    assert judge(chosen(["D5"], probe), probe.expected).outcome is Outcome.FAIL


def ties(moves: Sequence[str]) -> Judgement:
    return judge_ties(chosen(moves, FOUR_LOST), FOUR_LOST.expected)


def a_coin_at_each_tie(rng: np.random.Generator, points: Sequence[str]) -> str:
    """The choice of a loop that keeps the best so far, or takes a tie by a coin."""
    best, *others = points
    for point in others:
        best = point if rng.random() < 0.5 else best
    return best


@pytest.mark.parametrize("order", list(permutations(["E3", "E5", "E7", "E9"]))[::5])
def test_a_coin_at_each_tie_shows_in_whatever_order_the_points_are_taken(order: tuple[str, ...]) -> None:
    rng = np.random.default_rng(3)
    assert (ties([a_coin_at_each_tie(rng, order) for _ in range(120)]).p_value or 1.0) < 1e-4
    assert (ties([str(rng.choice(order)) for _ in range(120)]).p_value or 0.0) > ALPHA


@pytest.mark.parametrize(
    ("scores", "playouts", "refuted"),
    [
        ([0.42, 0.44, 0.4, 0.43, 0.41, 0.42, 0.45, 0.4, 0.39, 0.44, 0.41, 0.42], 1000, True),
        ([0.42, 0.44, 0.4, 0.43, 0.41, 0.42, 0.45, 0.4, 0.39, 0.44, 0.41, 0.421], 1000, False),
        ([0.42, 0.44, 0.4, 0.43, 0.41, 0.42, 0.45, 0.4, 0.39, 0.44, 0.41, 0.42], 100, False),
        ([0.42] * 12, 10**9, False),
        ([], 1000, False),
    ],
)
def test_scores_of_two_decimals_are_refuted_where_chance_does_not_make_them(
    scores: list[float], playouts: int, refuted: bool
) -> None:
    probe = empty_board(7.5)
    searches = tuple(SearchRecord("E5", 1, score, 0.0) for score in scores)
    expected = replace(probe.expected, mean_result=0.42)
    judged = judge_decimals(Series(probe, playouts, searches), expected)
    assert (judged.p_value is not None and judged.p_value < ALPHA / 1000) is refuted


def test_scores_with_draws_show_two_decimals_at_a_hundred_playouts() -> None:
    """Half of the playouts are drawn: a right score has a third decimal in every other search."""
    probe = choices("battery")["choices-02"].probe
    coarse = [SearchRecord("E5", 1, 0.25 + step / 100, 0.0) for step in range(-8, 9)]
    judged = judge_decimals(Series(probe, 100, tuple(coarse)), probe.expected)
    assert judged.p_value == pytest.approx(0.5**17, rel=0.01)
    assert judge_decimals(Series(probe, 50, tuple(coarse)), probe.expected).outcome is Outcome.SKIP
    lost = [replace(search, score=0.0) for search in coarse]  # draws as losses: another check reports it
    assert judge_decimals(Series(probe, 100, tuple(lost)), probe.expected).outcome is Outcome.SKIP


@pytest.mark.parametrize("playouts", [99, 101, 199])
def test_one_score_shows_two_decimals_where_a_right_score_needs_three(playouts: int) -> None:
    """A right score is a multiple of 0.01 only if it is 0, 0.5 or 1, as all or no playouts of 101 make it."""
    probe = choices("battery")["choices-02"].probe
    assert searches_for_decimals(probe)(playouts, STANDARD) == 1


def test_ties_are_broken_at_random() -> None:
    """24 searches, as the check makes: always one of four has the chance 4^-23, scan order likewise."""
    four = ["E3", "E5", "E7", "E9"]
    rng = np.random.default_rng(7)
    assert (ties([str(m) for m in rng.choice(four, 24)]).p_value or 0.0) > ALPHA
    assert (ties(["E3"] * 24).p_value or 1.0) < 1e-9
    assert (ties(["E9"] * 24).p_value or 1.0) < 1e-9
    assert ties(["E3", "PASS"]).outcome is Outcome.FAIL
    assert ties(["E3", "A9"]).outcome is Outcome.FAIL


def test_random_ties_are_seldom_refused() -> None:
    runs, rng, four = 1000, np.random.default_rng(8), ["E3", "E5", "E7", "E9"]
    refused = sum((ties([str(m) for m in rng.choice(four, 24)]).p_value or 0.0) <= 0.05 for _ in range(runs))
    rate_of(refused, runs, 0.05)


# --- symmetry, and the spread of results -------------------------------------------------------------------

EMPTY_9X9 = Probe("empty", "\n".join(". " * 9 for _ in range(9)), turns=False)


def on_empty(moves: Sequence[str]) -> Judgement:
    return judge_symmetry(chosen(moves, EMPTY_9X9), OPEN)


def test_points_that_are_alike_are_chosen_alike() -> None:
    images = ["C3", "C7", "G3", "G7"]
    even = on_empty(images * 5).p_value
    assert even is not None
    assert even > 0.3
    one_corner = on_empty(["C3"] * 20)
    # the best bet against it wins 4^20; the mixture pays for not knowing which
    assert one_corner.p_value is not None
    assert one_corner.p_value < 1e-6
    assert on_empty(["E5"] * 20).p_value == 1.0  # an orbit of its own
    assert on_empty(["E5"] * 19 + ["PASS"]).outcome is Outcome.FAIL
    assert on_empty(["RESIGN"]).outcome is Outcome.FAIL


def test_a_symmetric_choice_is_seldom_refused() -> None:
    rng = np.random.default_rng(12)
    names = [f"{column}{row}" for column in "CDEFG" for row in range(3, 8)]
    found = [on_empty([str(move) for move in rng.choice(names, 20)]).p_value for _ in range(300)]
    refused = sum(p is not None and p < 0.01 for p in found)
    assert stats.binom.sf(15, 300, 0.01) < 1e-7
    assert refused <= 15


@pytest.mark.parametrize(("sd", "refused"), [(0.0, True), (0.1, True), (1.0, False), (4.0, True)])
def test_the_spread_of_results(sd: float, refused: bool) -> None:
    """Draws that are taken in turn hardly differ; correlated ones differ too much."""
    rng = np.random.default_rng(13)
    noise = rng.standard_normal(20) * sd * OPEN.sd_result * math.sqrt(P)
    found = series([(None, round(OPEN.mean_result * P + value) / P) for value in noise])
    assert (judge_spread_of_results(found, OPEN).p_value < 1e-4) is refused  # type: ignore[operator]


def rounded_scores(playouts: int, decimals: int, repeated: int = 1, seed: int = 14) -> Series:
    """Scores of 240 searches of OPEN, printed with some decimals; each playout counts `repeated` times."""
    rng = np.random.default_rng(seed)
    sd = OPEN.sd_result * math.sqrt(repeated / playouts)
    scores = np.round(OPEN.mean_result + sd * rng.standard_normal(240), decimals)
    return replace(series([(None, float(score)) for score in scores]), playouts=playouts)


@pytest.mark.parametrize(("playouts", "decimals"), [(9_000, 2), (900_000, 3)])
def test_rounded_scores_spread_as_those_of_a_right_bot(playouts: int, decimals: int) -> None:
    found = [rounded_scores(playouts, decimals, seed=seed) for seed in range(60)]
    refused = sum((judge_spread_of_results(one, OPEN).p_value or 0.0) < 0.05 for one in found)
    assert stats.binom.sf(15, 60, 0.05) < 1e-7
    assert refused <= 15


@pytest.mark.parametrize(("playouts", "decimals"), [(9_000, 2), (20_000, 3), (900_000, 3)])
def test_rounded_scores_hide_no_playouts_that_count_twice(playouts: int, decimals: int) -> None:
    judged = judge_spread_of_results(rounded_scores(playouts, decimals, repeated=2), OPEN)
    assert judged.p_value is not None
    assert judged.p_value < 1e-3


@pytest.mark.parametrize(("playouts", "decimals"), [(20_000, 2), (2_000_000, 3)])
def test_scores_that_are_too_coarse_to_differ_are_not_judged(playouts: int, decimals: int) -> None:
    judged = judge_spread_of_results(rounded_scores(playouts, decimals), OPEN)
    assert judged.outcome is Outcome.SKIP


# --- a bot that need not search ----------------------------------------------------------------------------

NO_CANDIDATE = Probe("only eyes", settled("D5"), "b")


@pytest.mark.parametrize(
    ("probe", "move", "nodes", "outcome"),
    [
        (NO_CANDIDATE, "PASS", 0, Outcome.SKIP),
        (NO_CANDIDATE, "PASS", 2 * P, Outcome.PASS),
        (NO_CANDIDATE, "PASS", 1 * P, Outcome.FAIL),
        (DAME_PROBE, "PASS", 0, Outcome.FAIL),  # there was something to search for
    ],
)
def test_who_can_only_pass_need_not_search(probe: Probe, move: str, nodes: int, outcome: Outcome) -> None:
    found = Series(probe, P, (SearchRecord(move, nodes, probe.expected.mean_result, 0.0),))
    assert judge_moments(results=nodes > 0)(found, probe.expected).outcome is outcome
