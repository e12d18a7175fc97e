"""No bet is worth more than its stake against a right bot: held exactly, value by value."""

from __future__ import annotations

import itertools
import math
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.explore.choices import choice_key, choice_law
from harness.explore.evidence import (
    BETS,
    FIRST_POSITIONS,
    Account,
    Ledger,
    length_ratios,
    repeat_ratio,
    sum_distribution,
)
from harness.explore.laws import LengthLaw, ResultLaw, laws_at, search_key
from harness.go import Position

Lengths = tuple[tuple[int, float], ...]


@st.composite
def lengths(draw: st.DrawFn) -> Lengths:
    """The law of a length: a few values, each with a weight."""
    values = draw(st.lists(st.integers(1, 12), min_size=1, max_size=4, unique=True))
    weights = [draw(st.integers(1, 9)) for _ in values]
    return tuple(
        (value, weight / sum(weights)) for value, weight in sorted(zip(values, weights, strict=True))
    )


def sums(law: Lengths, playouts: int) -> dict[int, float]:
    """The distribution of the total length, by going through every sequence of playouts."""
    found: dict[int, float] = {}
    for ways in itertools.product(law, repeat=playouts):
        total = sum(length for length, _ in ways)
        found[total] = found.get(total, 0.0) + math.prod(p for _, p in ways)
    return found


@given(lengths(), st.integers(1, 5))
def test_the_distribution_of_a_sum_is_that_of_all_sequences(law: Lengths, playouts: int) -> None:
    computed = sum_distribution(LengthLaw(law), playouts)
    assert computed is not None
    step = max(1, math.gcd(*(length - law[0][0] for length, _ in law)))
    by_value = {law[0][0] * playouts + step * place: p for place, p in enumerate(computed)}
    for total, probability in sums(law, playouts).items():
        assert by_value[total] == pytest.approx(probability, abs=1e-12)


@settings(deadline=None)
@given(lengths(), st.sampled_from((1, 2, 4)))
def test_bets_on_lengths_have_an_expectation_of_at_most_one(law: Lengths, playouts: int) -> None:
    playout = LengthLaw(law)
    worth: dict[str, float] = {}
    for total, probability in sums(law, playouts).items():
        assert playout.is_possible(total, playouts)
        for name, ratio in length_ratios(playout, total, playouts).items():
            worth[name] = worth.get(name, 0.0) + probability * math.exp(ratio)
    assert worth
    assert set(worth) <= set(BETS)
    assert all(value <= 1.0 + 1e-9 for value in worth.values())


@given(lengths(), st.sampled_from((1, 3)), st.data())
def test_the_bet_on_repeats_has_an_expectation_of_at_most_one(
    law: Lengths, playouts: int, data: st.DataObject
) -> None:
    totals = sums(law, playouts)
    earlier = data.draw(st.lists(st.sampled_from(sorted(totals)), min_size=1, max_size=5))
    playout = LengthLaw(law)
    worth = 0.0
    for total, probability in totals.items():
        for ratio in repeat_ratio(playout, total, playouts, earlier.count(total) / len(earlier)).values():
            worth += probability * math.exp(ratio)
    assert worth <= 1.0 + 1e-9


def test_bets_on_choices_have_an_expectation_of_at_most_one() -> None:
    position = Position(2)
    candidates = position.candidates("b")
    law = choice_law(choice_key(position, "b"), 0.5, 100)
    assert law is not None
    assert sum(law.shares) == pytest.approx(1.0)
    for before in (None, candidates[0]):
        for rule in law.ratios(candidates[0], before):
            by_symmetry = [math.exp(law.ratios(point, before)[rule]) for point in candidates]
            assert sum(by_symmetry) / len(candidates) <= 1.0


def test_impossible_numbers_of_moves_are_no_numbers_of_a_right_bot() -> None:
    law, lost = LengthLaw(((4, 0.5), (6, 0.5))), ResultLaw(((0.0, 1.0),))
    assert [law.is_possible(nodes, 10) for nodes in (50, 51, 38, 62)] == [True, False, False, False]
    assert [lost.is_possible(score, 10) for score in (0.0, 0.5)] == [True, False]


def test_the_capital_of_a_ledger_begins_with_one_and_follows_the_bets() -> None:
    ledger = Ledger()
    assert ledger.log_e == pytest.approx(0.0)
    account = ledger.open_account()
    assert ledger.log_e == pytest.approx(0.0)
    ledger.add(account, {BETS[0]: 40.0})
    other = ledger.open_account()
    ledger.add(other, {BETS[0]: -30.0})
    assert ledger.p_value < 1e-10
    assert account.best == BETS[0]


def test_the_capital_of_a_ledger_is_the_mean_of_its_halves() -> None:
    ledger, accounts, bets = Ledger(), [], random.Random(7)
    for _ in range(FIRST_POSITIONS + 6):
        accounts.append(ledger.open_account())
        for account in accounts[-3:]:
            ledger.add(account, {name: bets.uniform(-1.0, 1.0) for name in bets.sample(BETS, 5)})
    opened = len(accounts)
    shares = [math.exp(one.log_e) / ((place + 1) * (place + 2)) for place, one in enumerate(accounts)]
    each = math.fsum(shares) + 1.0 / (opened + 1)
    assert ledger.log_e == pytest.approx(math.log((each + math.exp(ledger.everywhere.log_e)) / 2.0))


def test_the_best_bet_is_one_that_was_made() -> None:
    account = Account()
    account.add({BETS[3]: 0.0, BETS[4]: -2.0, BETS[5]: -1.0})
    assert account.best == BETS[5]
    assert [account.was_made(bet) for bet in BETS[3:7]] == [False, True, True, False]


def test_every_reading_of_the_cap_is_a_law() -> None:
    position = Position(2)
    position.play("b", (0, 0))
    position.play("b", (0, 1))
    either = laws_at(search_key(position, "w"), None)
    of_game = laws_at(search_key(position, "w", cap_of_game=True), None)
    assert either is not None
    assert of_game is not None
    assert len(Account().capital) == len(BETS)
    assert set(of_game) < set(either)
    assert len(of_game) == 2  # with and without a pass between Black's two moves
