"""Which time limit holds for which command, and what an exchange says of the limit that it reached."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from harness.gtp import Engine, Launch, Limits, TimeLimit

Hostile = Callable[..., Launch]

LIMITS = Limits(startup=30.0, answer=10.0, search=20.0)


@pytest.mark.parametrize(
    ("line", "name"),
    [
        (b"genmove b\n", "search"),
        (b"12 genmove b\n", "search"),
        (b"\t 12\treg_genmove w # comment\n", "search"),
        (b"genmove\n", "search"),
        (b"play b A1\n", "answer"),
        (b"known_command genmove\n", "answer"),
        (b"genmoves b\n", "answer"),
        (b"# genmove b\n", "answer"),
        (b"", "answer"),
    ],
)
def test_searches_have_a_limit_of_their_own(line: bytes, name: str) -> None:
    assert LIMITS.for_command(line, first=False).name == name


def test_without_a_search_limit_searches_have_the_limit_of_every_answer() -> None:
    limits = replace(LIMITS, search=None)
    assert limits.for_command(b"genmove b\n", first=False) == TimeLimit("answer", 10.0)


def test_the_first_answer_has_the_start_up_limit_unless_a_search_may_take_longer() -> None:
    assert LIMITS.for_command(b"name\n", first=True) == TimeLimit("startup", 30.0)
    assert LIMITS.for_command(b"genmove b\n", first=True) == TimeLimit("startup", 30.0)
    slow = replace(LIMITS, search=300.0)
    assert slow.for_command(b"genmove b\n", first=True) == TimeLimit("search", 300.0)
    assert slow.for_command(b"name\n", first=True) == TimeLimit("startup", 30.0)
    hasty = replace(LIMITS, startup=1.0)  # shorter than that of later answers: taken as it is
    assert hasty.for_command(b"name\n", first=True) == TimeLimit("startup", 1.0)


@pytest.mark.parametrize(
    ("line", "timeout", "limit"),
    [
        ("genmove b", None, TimeLimit("search", 0.02)),
        ("name", None, TimeLimit("answer", 0.01)),
        ("genmove b", 0.03, TimeLimit("call", 0.03)),
    ],
)
def test_a_timeout_says_which_limit_was_reached(
    hostile: Hostile, brief: Limits, line: str, timeout: float | None, limit: TimeLimit
) -> None:
    with Engine(hostile("hang", at=2), replace(brief, answer=0.01, search=0.02)) as engine:
        assert engine.ask("name").limit is None
        exchange = engine.ask(line, timeout=timeout)
    assert (exchange.ending, exchange.limit) == ("timeout", limit)


def test_a_silent_engine_reaches_the_limit_of_the_start(hostile: Hostile, brief: Limits) -> None:
    with Engine(hostile("silent"), replace(brief, startup=0.01)) as engine:
        exchange = engine.ask("name")
        assert exchange.limit == TimeLimit("startup", 0.01)
        assert str(exchange.limit) == "0.01 s, the limit of the first answer"
        assert engine.receive(0.0).limit == TimeLimit("call", 0.0)


def test_other_endings_reached_no_limit(hostile: Hostile, patient: Limits) -> None:
    with Engine(hostile("die"), patient) as engine:
        assert engine.ask("name").limit is None
    with Engine(hostile("one-newline"), patient) as engine:
        assert engine.ask("name", blank_line=0.01).limit is None


def test_a_limit_may_be_longer_than_the_longest_wait_of_the_system(hostile: Hostile) -> None:
    """`poll` takes milliseconds in an int of C, which holds 24 days."""
    years = 1e9
    with Engine(hostile(), Limits(startup=years, answer=years)) as engine:
        assert engine.ask("name").ok
