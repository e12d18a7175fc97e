"""`ref.choice.captures-*`: right choices fit them, and the wrong records they were found for do not."""

from __future__ import annotations

import pytest

from harness.check.judges.moves import SEARCHES, entries, judge_choices_of, probe_of
from harness.check.procedures.search import SearchRecord, Series
from harness.gtp import format_vertex
from harness.oracle import choice_shares, enumerate_amaf, rates
from harness.selftest.direct_search import search_all
from harness.tools.find_bookkeeping import MAX_STATES, TOLERANCE, WRONG

DATA = "bookkeeping"
NUMBERS = range(len(entries(DATA)))
PLAYOUTS = 1000
SEPARATED = [(number, name) for number in NUMBERS for name in entries(DATA)[number]["separates"]]


@pytest.mark.parametrize("number", NUMBERS)
def test_a_right_bot_chooses_as_expected(number: int) -> None:
    """Each of eight may fail with a chance of 1e-8; seeded."""
    (series,) = search_all([probe_of(entries(DATA)[number])], "", 100, PLAYOUTS, seed=number)
    p_value = judge_choices_of(DATA, number, series).p_value
    assert p_value is not None
    assert p_value > 1e-8


@pytest.mark.parametrize(("number", "wrong"), SEPARATED)
def test_wrong_records_are_refused(number: int, wrong: str) -> None:
    """The moves that a bot with these records chooses, in the shares in which it chooses them."""
    probe = probe_of(entries(DATA)[number])
    points = probe.position.candidates(probe.to_move)
    enumerated = enumerate_amaf(
        probe.position,
        probe.to_move,
        ko=probe.position.ko_ban(probe.to_move),
        tolerance=TOLERANCE,
        max_states=MAX_STATES,
        rule=WRONG[wrong],
    )
    visits, wins = enumerated.records(probe.komi, points).draw(PLAYOUTS, 400, seed=3)
    shares = choice_shares(rates(visits, wins))
    moves = [
        format_vertex(point)
        for point, share in zip(points, shares, strict=True)
        for _ in range(round(share * SEARCHES))
    ]
    series = Series(probe, PLAYOUTS, tuple(SearchRecord(move, None, None, 0.0) for move in moves))
    p_value = judge_choices_of(DATA, number, series).p_value
    assert p_value is not None
    assert p_value < 1e-4
