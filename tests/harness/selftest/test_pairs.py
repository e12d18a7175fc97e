"""Bots with two faults: the pairs, and the causes that the diagnosis names first."""

from __future__ import annotations

from harness.selftest.pairs import PairDiagnosis, pairs_of
from refbot.deviations.faults import FAULTS


def test_pairs_are_repeatable_and_of_different_clauses() -> None:
    pairs = pairs_of(7, 50)
    assert pairs == pairs_of(7, 50)
    assert pairs != pairs_of(8, 50)
    assert len(set(pairs)) == 50
    assert all(FAULTS[first].clause != FAULTS[second].clause for first, second in pairs)


def test_a_pair_is_named_if_the_first_causes_are_of_both_clauses_in_any_order() -> None:
    faults = ("komi-first-only", "superko-none")
    assert PairDiagnosis(faults, ("superko", "komi")).names_both
    assert not PairDiagnosis(faults, ("superko", "gtp")).names_both
    assert not PairDiagnosis(faults, ("superko",)).names_both
