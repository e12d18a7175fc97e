"""The conclusions of a comparison: a bot differs from those alone with which a test shows a difference."""

from __future__ import annotations

from itertools import combinations

import pytest

from harness.compare import agreement
from harness.compare.agreement import Comparison, Pair, SearchedBot
from harness.report.text.comparison import conclusions
from harness.stats import holm

TEST = agreement.Test("empty", "length", 0.0)


@pytest.mark.parametrize(
    ("groups", "differing", "ends"),
    [
        (((0, 2), (1,)), [(0, 1), (1, 2)], "bot 2 is the odd one out"),
        (((0, 2), (1,)), [(0, 1)], "bot 2 differs from bot 1"),
        (((0, 1), (2,), (3,)), [(0, 2), (1, 2), (2, 3), (0, 3)], "bot 3 differs from all others"),
        (
            ((0, 1), (2,), (3,)),
            [(0, 2), (1, 2), (2, 3), (0, 3), (1, 3)],
            "bots 3 and 4 differ from all others",
        ),
        (((0,), (1,)), [(0, 1)], "every bot differs from every other one"),
    ],
)
def test_a_bot_differs_from_those_that_it_was_shown_to_differ_from(
    groups: tuple[tuple[int, ...], ...], differing: list[tuple[int, int]], ends: str
) -> None:
    bots = tuple(SearchedBot("bot", series={}) for group in groups for _ in group)
    pairs = tuple(
        Pair(*pair, (TEST,), (TEST,) if pair in differing else ())
        for pair in combinations(range(len(bots)), 2)
    )
    lines = conclusions(Comparison(bots, pairs, holm({}, 0.01), groups, 1, 0.0))
    assert lines[-1] == ends
    if len(differing) == 4:
        assert "bot 4 differs from bots 1 and 3" in lines
