"""Charts: an axis that counts has whole numbers, each once, and both ends of it are near the points."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

from harness.report.html.charts import BOTTOM, HEIGHT, Line, line_chart


def numbers_across(first: int, last: int) -> list[float]:
    """The numbers below a chart whose points have these places."""
    points = [(float(place), 0.5) for place in range(first, last + 1)]
    chart = line_chart([Line("runs", points)], "a chart", "run", "score")
    below = re.findall(rf'<text[^>]* y="{HEIGHT - BOTTOM + 13:g}"[^>]*>([^<]+)<', str(chart))
    return [float(text.replace(",", "")) for text in below]


@pytest.mark.parametrize("first", [0, 1, 40])
@pytest.mark.parametrize("runs", [1, 2, 3, 4, 5, 7, 10, 11, 60, 1000])
def test_an_axis_that_counts_has_whole_numbers(first: int, runs: int) -> None:
    last = first + runs - 1
    shown = numbers_across(first, last)
    assert 1 <= len(shown) <= 7
    assert all(number == round(number) and first <= number <= last for number in shown)
    assert len({after - before for before, after in pairwise(shown)}) <= 1
