"""Bots with two faults: the pairs, and the causes that the diagnosis names first."""

from __future__ import annotations

import pytest

from harness.check.effort import QUICK
from harness.diagnosis.diagnose import diagnose
from harness.selftest.faulty import check_hosted
from harness.selftest.pairs import PairDiagnosis, diagnose_pair, draw_pairs
from harness.suite.registry import select
from refbot.deviations.faults import FAULTS

LEAST_NAMED = 0.85
"""Fraction of the pairs that show both faults, of which both clauses must be named."""


def test_pairs_are_repeatable_and_of_different_clauses() -> None:
    pairs = draw_pairs(7, 50)
    assert pairs == draw_pairs(7, 50)
    assert pairs != draw_pairs(8, 50)
    assert len(set(pairs)) == 50
    assert all(FAULTS[first].clause != FAULTS[second].clause for first, second in pairs)


def test_a_pair_is_named_if_the_first_causes_are_of_both_clauses_in_any_order() -> None:
    faults = ("komi-first-only", "superko-none")
    failing = frozenset({"komi", "superko"})
    assert PairDiagnosis(faults, failing, ("superko", "komi")).names_both
    assert not PairDiagnosis(faults, failing, ("superko", "gtp")).names_both
    assert not PairDiagnosis(faults, failing, ("superko",)).names_both


def test_a_fault_is_hidden_if_no_check_of_its_clause_fails() -> None:
    faults = ("komi-first-only", "superko-none")
    assert PairDiagnosis(faults, frozenset({"komi", "superko", "gtp"}), ()).shows_both
    assert not PairDiagnosis(faults, frozenset({"komi", "gtp"}), ()).shows_both


BOTH_CHANGE_MOST = ("nodes-no-passes", "refscore-black")
"""Both change what is reported of nearly every search."""

ONE_CHANGES_MOVES_ALONE = ("amaf-skip-first", "area-stones-only")
"""The first changes moves alone, the second scores and moves."""


@pytest.mark.parametrize(
    ("pair", "checks"),
    [
        (BOTH_CHANGE_MOST, ("ref.nodes.*", "ref.score.*", "ref.end.*")),
        (ONE_CHANGES_MOVES_ALONE, ("ref.choice.c*", "ref.score.*")),
    ],
)
def test_two_faults_in_the_same_searches_are_both_causes(
    pair: tuple[str, str], checks: tuple[str, ...]
) -> None:
    findings = check_hosted(pair, 1, select(checks), QUICK, playouts=200)
    first, second = diagnose(findings, strict=True).causes[:2]
    assert first.name in pair
    assert {first.clause, second.clause} == {FAULTS[fault].clause for fault in pair}


@pytest.mark.slow
@pytest.mark.parametrize("pair", [BOTH_CHANGE_MOST, ONE_CHANGES_MOVES_ALONE], ids="+".join)
def test_a_check_of_everything_names_both_faults(pair: tuple[str, str]) -> None:
    assert diagnose_pair(pair, 1).names_both


@pytest.mark.slow
def test_both_clauses_of_random_pairs_are_named() -> None:
    shown = [found for found in (diagnose_pair(pair, 5) for pair in draw_pairs(5, 20)) if found.shows_both]
    missed = [(found.faults, found.named) for found in shown if not found.names_both]
    assert len(missed) <= (1.0 - LEAST_NAMED) * len(shown), missed
