"""Tests of comparing bots: on searches that are made up."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from harness.check.phases.playout_count import PlayoutCount
from harness.check.procedures.late_probes import FOUR, ONE
from harness.check.procedures.probe import Probe, empty_board
from harness.check.procedures.search import SearchRecord, Series
from harness.compare.agreement import SearchedBot, judge

EMPTY = empty_board(7.5)
PLAYOUTS = 1000
COUNT = PlayoutCount(PLAYOUTS, "given")


def series(probe: Probe, lengths: np.ndarray, move: str = "E5", score: float = 0.5) -> Series:
    searches = tuple(SearchRecord(move, int(length), score, 0.0) for length in lengths)
    return Series(probe, PLAYOUTS, searches)


def bot(
    rng: np.random.Generator, *, mean: float = 111.06, move: str = "E9", searches: int = 32
) -> SearchedBot:
    lengths = rng.normal(mean * PLAYOUTS, 16.0 * PLAYOUTS**0.5, searches)
    shown = {
        EMPTY.id: series(EMPTY, lengths),
        ONE.id: series(ONE, np.full(searches, 3 * PLAYOUTS), move),
    }
    return SearchedBot("bot", count=COUNT, series=shown, refused={})


def test_bots_that_are_the_same_agree() -> None:
    rng = np.random.default_rng(1)
    found = judge([bot(rng), bot(rng), bot(rng)])
    assert [pair.verdict for pair in found.pairs] == ["agree"] * 3
    assert (found.groups, found.odd) == (((0, 1, 2),), None)


@pytest.mark.parametrize("change", [{"mean": 114.0}, {"move": "A1"}])
@pytest.mark.parametrize("place", [0, 1, 2])
def test_the_odd_one_out_is_named(change: dict[str, float], place: int) -> None:
    rng = np.random.default_rng(2)
    found = judge([bot(rng, **(change if number == place else {})) for number in range(3)])  # type: ignore[arg-type]
    assert found.odd == place
    assert len(found.groups[0]) == 2


def test_two_camps_have_no_odd_one() -> None:
    rng = np.random.default_rng(3)
    found = judge([bot(rng), bot(rng, move="A1"), bot(rng), bot(rng, move="A1")])
    assert (found.groups, found.odd) == (((0, 2), (1, 3)), None)


def test_few_searches_leave_it_open() -> None:
    rng = np.random.default_rng(4)
    found = judge([bot(rng, searches=3), bot(rng, searches=3)])
    assert [pair.verdict for pair in found.pairs] == ["undecided"]


def test_another_number_of_playouts_is_no_difference_by_itself() -> None:
    rng = np.random.default_rng(5)
    many = replace(
        bot(rng),
        count=PlayoutCount(4000, "given"),
        series={ONE.id: Series(ONE, 4000, tuple(SearchRecord("E9", 12000, 0.5, 0.0) for _ in range(32)))},
    )
    found = judge([bot(rng), many])
    assert found.pairs[0].verdict == "agree"
    assert {test.statistic for test in found.pairs[0].tests} == {"length", "result"}


def test_a_fixed_seed_differs_from_fresh_randomness() -> None:
    rng = np.random.default_rng(6)
    fixed = bot(rng)
    assert fixed.series is not None
    first = fixed.series[EMPTY.id].searches[:1]
    shown = {**fixed.series, EMPTY.id: replace(fixed.series[EMPTY.id], searches=first * 32)}
    found = judge([bot(rng), replace(fixed, series=shown)])
    assert "spread" in {test.statistic for test in found.pairs[0].different}


def test_a_bot_that_cannot_be_searched_somewhere_differs_there() -> None:
    rng = np.random.default_rng(7)
    refusing = replace(bot(rng), refused={FOUR.id: "? illegal move"})
    searching = bot(rng)
    assert searching.series is not None
    able = replace(searching, series={**searching.series, FOUR.id: series(FOUR, np.full(32, 6 * PLAYOUTS))})
    found = judge([able, refusing])
    assert [(test.probe, test.statistic) for test in found.pairs[0].different] == [(FOUR.id, "answers")]


def test_bots_without_private_commands_are_compared_by_their_moves() -> None:
    rng = np.random.default_rng(8)
    silent = []
    for move in ("E9", "A1"):
        shown = {ONE.id: Series(ONE, 1, tuple(SearchRecord(move, None, None, 0.0) for _ in range(32)))}
        silent.append(SearchedBot("silent", series=shown, refused={}))
    assert judge([silent[0], silent[1]]).odd is None
    assert judge(silent).pairs[0].verdict == "differ"
    assert judge([silent[0], silent[0]]).pairs[0].verdict == "agree"
    assert judge([silent[0], bot(rng)]).pairs[0].tests == ()


def test_a_bot_that_could_not_be_run_is_left_out() -> None:
    rng = np.random.default_rng(9)
    found = judge([bot(rng), SearchedBot("dead", reason="it exited with 1"), bot(rng)])
    assert [(pair.first, pair.second) for pair in found.pairs] == [(0, 2)]
    assert found.groups == ((0, 2),)


@pytest.mark.slow
def test_same_bots_rarely_differ() -> None:
    # Promised 0.01 a comparison; more than 17 of 400 come with a chance of 1e-6, more than 21 with 1e-8
    rng = np.random.default_rng(10)
    different = sum(bool(judge([bot(rng), bot(rng)]).pairs[0].different) for _ in range(400))
    assert different <= 21
