"""Delta debugging: what is kept shows it, and nothing in it can be taken away."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from harness.check.shrink import Attempts, shortest, simplest

UNLIMITED = 10**6


@given(st.lists(st.integers(0, 30), max_size=40), st.sets(st.integers(0, 30), max_size=4))
def test_exactly_the_items_that_are_needed_are_kept(items: list[int], needed: set[int]) -> None:
    items = [*items, *needed]

    def shows(rest: tuple[int, ...]) -> bool:
        return needed <= set(rest)

    kept = shortest(items, shows, Attempts(UNLIMITED, 60.0))
    assert sorted(kept) == sorted(needed)


def test_order_is_kept() -> None:
    kept = shortest(
        "xaxbxcx", lambda rest: "abc" in "".join(rest).replace("x", ""), Attempts(UNLIMITED, 60.0)
    )
    assert kept == tuple("abc")


def test_what_is_left_shows_it_when_the_attempts_run_out() -> None:
    asked = []

    def shows(rest: tuple[int, ...]) -> bool:
        asked.append(rest)
        return 77 in rest

    kept = shortest(range(100), shows, Attempts(3, 60.0))
    assert len(asked) == 3
    assert 77 in kept
    assert len(kept) < 100


def test_items_that_must_stay_odd_stay_odd() -> None:
    kept = simplest("AbC", str.lower, lambda rest: "C" in rest, Attempts(UNLIMITED, 60.0))
    assert kept == tuple("abC")
