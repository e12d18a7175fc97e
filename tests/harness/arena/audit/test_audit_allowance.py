"""The processor time of an audit: what it counts, and from when."""

from __future__ import annotations

import time

from harness.arena.audit.audit import Allowance


def work() -> None:
    """Use a little processor time."""
    began = time.process_time()
    while time.process_time() == began:
        sum(range(1000))


def test_what_comes_before_the_first_result_is_not_counted() -> None:
    allowance = Allowance(1e-9)
    work()
    assert not allowance.is_used_up
    allowance.count()
    work()
    assert allowance.is_used_up


def test_a_second_result_does_not_begin_anew() -> None:
    allowance = Allowance(1e-9)
    allowance.count()
    work()
    allowance.count()
    assert allowance.is_used_up


def test_no_time_at_all_is_used_up_before_the_first_result() -> None:
    assert Allowance(0.0).is_used_up


def test_without_a_limit_it_is_never_used_up() -> None:
    allowance = Allowance(None)
    allowance.count()
    work()
    assert not allowance.is_used_up
    assert not allowance.has_limit
    assert Allowance(1.0).has_limit
