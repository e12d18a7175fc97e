"""Probabilities of sets of faults: what two faults predict together, and when a second one is likelier."""

from __future__ import annotations

import pytest

from harness.stats.diagnosis import Counted, Measured, Moments, Observation, Prediction, Shares
from harness.stats.fault_sets import ELSE, rank_sets, tabulate

RIGHT = Moments((100.0, 0.5), ((100.0, 0.0), (0.0, 0.25)))
LONGER = Moments((110.0, 0.5), ((100.0, 0.0), (0.0, 0.25)))
SHORTER = Moments((90.0, 0.5), ((100.0, 0.0), (0.0, 0.25)))
WINNING = Moments((100.0, 0.8), ((100.0, 0.0), (0.0, 0.16)))
PASSES, FAILS = Shares((0.99, 0.01)), Shares((0.01, 0.99))
PASSED, FAILED = Counted((1, 0)), Counted((0, 1))


def means(length: float, result: float) -> Measured:
    """Return the observed means of ten searches."""
    return Measured((length, result), 10_000, (1.0, 0.5))


FAULTS: dict[str, dict[str, Prediction]] = {
    "longer": {"a": LONGER, "b": LONGER, "long": FAILS},
    "shorter": {"a": SHORTER, "b": SHORTER, "short": FAILS},
    "winning": {"a": WINNING, "won": FAILS},
}
CONFORMING: dict[str, Prediction] = {"a": RIGHT, "b": RIGHT, "long": PASSES, "short": PASSES, "won": PASSES}


def best(seen: dict[str, Observation], given: tuple[str, ...] = ()) -> tuple[str, ...]:
    """Return the most probable set of faults."""
    conforming = {name: CONFORMING[name] for name in seen}
    faults = {f: {n: p for n, p in predicted.items() if n in seen} for f, predicted in FAULTS.items()}
    return rank_sets(tabulate(seen, conforming, faults), set(FAULTS) - set(given), given)[0][0]


def test_one_fault_that_explains_everything_is_likelier_than_two() -> None:
    assert best({"a": means(110.0, 0.5), "b": means(110.0, 0.5), "long": FAILED}) == ("longer",)


def test_two_faults_explain_what_none_of_them_does_alone() -> None:
    assert best({"long": FAILED, "won": FAILED, "b": means(110.0, 0.5)}) == ("longer", "winning")


def test_faults_that_change_different_statistics_of_one_search_change_both() -> None:
    seen: dict[str, Observation] = {
        "a": means(110.0, 0.8),
        "b": means(110.0, 0.5),
        "long": FAILED,
        "won": FAILED,
    }
    assert best(seen) == ("longer", "winning")


def test_an_unexplained_search_is_no_second_fault() -> None:
    assert best({"a": means(73.0, 0.31), "b": means(129.0, 0.64)}) == ELSE


def test_a_given_fault_is_part_of_every_set() -> None:
    seen: dict[str, Observation] = {"a": means(110.0, 0.8), "b": means(110.0, 0.5), "won": FAILED}
    assert best(seen, ("longer",)) == ("longer", "winning")


@pytest.mark.parametrize(("length", "counts"), [(100.8, True), (100.05, False), (103.0, False)])
def test_an_imprecise_record_counts_where_it_explains_what_a_right_bot_does_not(
    length: float, counts: bool
) -> None:
    """A mean of 10,000 playouts has an error of 0.1 moves, the mean on record one of 0.3."""
    unsure = Moments(RIGHT.mean, RIGHT.covariance, ((0.09, 0.0), (0.0, 0.0)))
    table = tabulate({"a": means(length, 0.5)}, {"a": RIGHT}, {"unsure": {"a": unsure}})
    assert table.differs.any() == counts
    assert table.fits[0, 0] == (counts or table.right.fits[0])


def test_probabilities_sum_to_one() -> None:
    table = tabulate({"a": means(101.0, 0.6)}, {"a": RIGHT}, FAULTS)
    assert sum(share for _, share in rank_sets(table, FAULTS)) == pytest.approx(1.0)
    assert sum(share for _, share in rank_sets(table, FAULTS, ("winning",))) == pytest.approx(1.0)
