"""Charts: an axis that counts has whole numbers, each once, and both ends of it are near the points."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

from harness.report.html.charts import BOTTOM, HEIGHT, TOP, Line, line_chart, line_style


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


def labels_up(chart: str) -> list[str]:
    """The labels of the y axis."""
    return re.findall(r'class="tick end"[^>]*>([^<]+)<', chart)


@pytest.mark.parametrize(("low", "cut"), [(0.0, False), (2.0, False), (9.0, True), (-1.0, False)])
def test_an_axis_without_zero_is_marked_as_cut(low: float, cut: bool) -> None:
    chart = str(line_chart([Line("one", [(1.0, low), (2.0, 10.0)])], "a chart", "run", "moves"))
    assert ("(axis cut)" in chart) is cut
    assert ("does not begin at 0" in chart) is cut
    assert ("0" in labels_up(chart)) is not cut


def test_equal_values_have_an_axis_that_can_be_read() -> None:
    """Means of equal times differ by rounding alone."""
    points = [(1.0, 0.01), (2.0, 0.01 + 1e-17), (3.0, 0.009999999999999998)]
    labels = labels_up(str(line_chart([Line("one", points)], "a chart", "move", "seconds")))
    assert len(labels) > 2
    assert len(set(labels)) == len(labels)


def test_the_interval_of_a_single_point_is_drawn() -> None:
    line = Line("one", [(1.0, 0.5)], band=[(0.25, 1.0)], dots=True, joined=False)
    chart = str(line_chart([line], "a chart", "run", "score", y_range=(0.0, 1.0)))
    ((x, low), (also_x, high)) = [
        tuple(map(float, point.split(",")))
        for point in re.findall(r'<polyline points="([^"]+)"', chart)[0].split()
    ]
    assert x == also_x
    assert low - high == pytest.approx(0.75 * (HEIGHT - TOP - BOTTOM), abs=0.2)


def test_lines_of_one_colour_have_different_dashes() -> None:
    styles = [tuple(sorted(line_style(number).items(), key=str)) for number in range(30)]
    assert len(set(map(str, styles))) == 30
    assert len({line_style(number)["class_"] for number in range(30)}) == 6


@pytest.mark.parametrize("joined", [True, False])
def test_dots_are_drawn_with_or_without_their_line(joined: bool) -> None:
    line = Line("one", [(1.0, 0.0), (2.0, 1.0)], dots=True, joined=joined)
    chart = str(line_chart([line], "a chart", "run", "score"))
    assert chart.count("<circle") == 2
    assert chart.count("<polyline") == joined
