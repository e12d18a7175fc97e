"""Charts of growing evidence: a check of a mean is judged again after 2, 3, … and all of its searches.

A trail is one statistic (mean playout length or result): its deviation and interval over the playouts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from markupsafe import Markup

from harness.check.model import Result
from harness.check.phases.findings import Findings
from harness.check.procedures.search import SearchProcedure, Series
from harness.report.html.charts import Line, line_chart
from harness.report.html.check_pictures import LEAST_PLOTTED, Deviation
from harness.report.numbers import signed_beside

MOST_TRAILS = 8
"""Most trails on a page. Chosen: each costs up to MOST_POINTS judgements."""
MOST_POINTS = 40
"""Most points of a trail, roughly. Chosen: each is a judgement, and more points draw the same line."""
LEAST_SEARCHES = 2
"""Searches behind the first point: the interval after a single search is too wide to draw."""
MARGINS = 2.5
"""Least range of the y axis, in margins to either side of 0. Chosen: the shaded margin fills two fifths."""


class Sample(NamedTuple):
    """The deviation and its interval after `playouts` playouts, per playout, in the unit of the statistic."""

    playouts: int
    deviation: float
    low: float
    high: float


class Trail(NamedTuple):
    """The evidence about one statistic of one check, and its chart with a sentence."""

    result: Result
    points: list[Sample]
    sentence: str
    chart: Markup


def trails(findings: Findings, deviations: Iterable[Deviation]) -> Iterator[Trail]:
    """Yield the trails of the first MOST_TRAILS deviations with enough points, in the given order.

    Deviations without searches in the findings have no trail.
    """
    series = {one.probe.id: one for one in findings.series}
    drawn = 0
    for item in deviations:
        procedure = item.result.check.procedure
        if drawn == MOST_TRAILS:
            return
        if not isinstance(procedure, SearchProcedure) or procedure.probe.id not in series:
            continue
        points = _points(procedure, series[procedure.probe.id], item.statistic)
        if len(points) < LEAST_PLOTTED:
            continue
        drawn += 1
        sentence = _sentence(points, item)
        yield Trail(item.result, points, sentence, _chart(points, item, sentence))


def _points(procedure: SearchProcedure, series: Series, statistic: str) -> list[Sample]:
    """Judge growing parts of a series. A part whose judgement lacks the statistic gives no point."""
    names = [f"{statistic}_{key}" for key in ("deviation", "low", "high")]
    points = []
    for searches in numbers_of_searches(len(series.searches)):
        numbers = procedure.judge(replace(series, searches=series.searches[:searches])).numbers
        if all(name in numbers for name in names):
            points.append(Sample(searches * series.playouts, *(numbers[name] for name in names)))
    return points


def numbers_of_searches(total: int) -> list[int]:
    """About MOST_POINTS numbers or fewer, up to `total`: denser at first, where the interval narrows faster.

    Empty if `total` is below LEAST_SEARCHES.
    """
    if total < LEAST_SEARCHES:
        return []
    # Chosen: parts that differ by less than a twentieth have nearly the same interval.
    growth = max(1.05, (total / LEAST_SEARCHES) ** (1.0 / MOST_POINTS))
    numbers = [LEAST_SEARCHES]
    while numbers[-1] < total:
        numbers.append(min(total, max(numbers[-1] + 1, round(numbers[-1] * growth))))
    return numbers


def _sentence(points: Sequence[Sample], item: Deviation) -> str:
    """The last interval, and from when on it excludes 0 or lies within the margin."""
    last, margin = points[-1], item.margin
    low, high = signed_beside(last.low, margin), signed_beside(last.high, margin)
    sentence = f"{last.playouts:,} playouts: {low} to {high} {item.unit}."
    outside = _holds_from([point.low > 0 or point.high < 0 for point in points])
    inside = _holds_from([-margin <= point.low and point.high <= margin for point in points])
    if outside is not None:
        sentence += f" The interval leaves 0 out from {points[outside].playouts:,} playouts on."
    if inside is not None:
        sentence += f" It lies within the margin from {points[inside].playouts:,} playouts on."
    return sentence


def _holds_from(holds: Sequence[bool]) -> int | None:
    """The first index from which all values up to the end are True; None if the last one is False."""
    index = len(holds)
    while index and holds[index - 1]:
        index -= 1
    return index if index < len(holds) else None


def _chart(points: Sequence[Sample], item: Deviation, sentence: str) -> Markup:
    """The chart of a trail, with the margin shaded."""
    last, margin = points[-1], item.margin
    line = Line(
        "deviation",
        [(float(point.playouts), point.deviation) for point in points],
        band=[(point.low, point.high) for point in points],
    )
    # Chosen: 1.3 leaves room beyond the last interval; earlier and wider ones may leave the chart.
    return line_chart(
        [line],
        f"Deviation of {item.result.check.id} over the playouts. {sentence}",
        "playouts",
        item.unit,
        levels=[(0.0, "reference")],
        within=(-margin, margin),
        y_range=(min(-MARGINS * margin, 1.3 * last.low), max(MARGINS * margin, 1.3 * last.high)),
    )
