"""The page of a schedule: each bot over all runs, and since which run and version it has changed.

It is made from the rows of `history.csv` alone, so that runs that were removed are in it too.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from markupsafe import Markup

from harness.arena.folder.history import ChangePoint, HistoryRow
from harness.report.html.charts import Line, line_chart
from harness.report.html.page import render
from harness.report.numbers import amount
from harness.report.signs import PARITY_SIGNS

FILE = "history.html"
MOST_RUNS = 300
"""The newest runs of a bot are drawn and listed; all are in history.csv. Chosen: a point a pixel."""

MOST_BOTS = 60
"""Bots on the page, those of the newest runs. Chosen: each has three charts."""

NORMAL_95 = 1.959963984540054
"""Half the width of a 95 % interval of a Normal variable with standard deviation 1."""


MEASURES = {
    "score": "Score",
    "nodes per playout": "Moves per playout, empty board",
    "seconds per move": "Seconds per move",
}
"""The title of the chart of each measure."""


class _Point(NamedTuple):
    """A figure of a bot in its run number `run`, with the bounds of 95 % where they are known."""

    run: int
    value: float
    bounds: tuple[float, float] | None = None


def history_page(
    name: str,
    rows: Sequence[HistoryRow],
    changes: Sequence[ChangePoint],
    problems: Sequence[str] = (),
    up: str = "",
) -> str:
    """The page as text. `rows` come oldest first; `up` is the address of the page above, if there is one."""
    by_bot: dict[str, list[HistoryRow]] = {}
    for row in rows:
        by_bot.setdefault(row.bot, []).append(row)
    newest = sorted(by_bot, key=lambda bot: by_bot[bot][-1].time, reverse=True)[:MOST_BOTS]
    bots = []  # (bot, its rows with the newest first, its charts)
    for bot in (name for name in by_bot if name in newest):
        own = by_bot[bot][-MOST_RUNS:]
        charts = _charts(own, [change for change in changes if change.bot == bot])
        bots.append((bot, own[::-1], list(charts)))
    last = max(rows, key=lambda row: row.time).run if rows else ""
    return render(
        "history.html",
        name=name,
        bots=bots,
        runs=len({row.run for row in rows}),
        left_out=len(by_bot) - len(bots),
        changes=[
            (change, _versions(change, by_bot.get(change.bot, [])), _shown(change.measure))
            for change in reversed(changes)
        ],
        share=lambda row: _share(_score(row)),
        parities=_parity,
        failed=[row.bot for row in rows if row.run == last and row.failures],
        problems=problems,
        signs=PARITY_SIGNS,
        up=up,
    )


def _charts(rows: Sequence[HistoryRow], changes: Sequence[ChangePoint]) -> Iterable[tuple[str, Markup]]:
    """(name, chart) of each figure that the bot has."""
    places = {row.run: number for number, row in enumerate(rows, 1)}
    references = [row.reference for row in rows if row.reference is not None and _finite(row.reference)]
    for measure, title in MEASURES.items():
        found = (_point(measure, number, row) for number, row in enumerate(rows, 1))
        points = [point for point in found if point is not None]
        marks = [places[one.run] - 0.5 for one in changes if one.measure == measure and one.run in places]
        levels = [(references[-1], "reference")] if measure == "nodes per playout" and references else []
        chart = _chart(title, points, marks, levels, percent=measure == "score")
        if chart:
            yield title, chart


def _chart(
    title: str,
    points: Sequence[_Point],
    marks: Sequence[float],
    levels: Sequence[tuple[float, str]],
    *,
    percent: bool,
) -> Markup:
    line = [(float(point.run), point.value) for point in points]
    bounds = [point.bounds for point in points if point.bounds is not None]
    changed = f"; {amount(len(marks), 'change')}" if marks else ""
    return line_chart(
        [
            Line("runs", line, band=bounds if len(bounds) == len(points) else ()),
            Line("each run", line, dots=True),
        ],
        f"{title} over {len(points)} runs, the oldest first{changed}",
        "run",
        title.partition(",")[0].lower(),
        levels=levels,
        percent=percent,
        marks=marks,
    )


def _point(measure: str, number: int, row: HistoryRow) -> _Point | None:
    """The figure of a row; None where it is not known. The bounds of a row are those of its deviation."""
    if measure == "score":
        score = _score(row)
        if score is None or not row.games:
            return None
        reach = NORMAL_95 * math.sqrt(0.25 / row.games)
        return _Point(number, score, (max(0.0, score - reach), min(1.0, score + reach)))
    value = row.nodes_per_playout if measure == "nodes per playout" else row.seconds_per_move
    if value is None or not _finite(value):
        return None
    bounds = None
    if (
        measure == "nodes per playout"
        and row.low is not None
        and row.high is not None
        and row.reference is not None
    ):
        bounds = (row.reference + row.low, row.reference + row.high)
    return _Point(number, value, bounds if bounds and all(map(_finite, bounds)) else None)


def _versions(change: ChangePoint, rows: Sequence[HistoryRow]) -> str:
    """The versions of the run of a change and of the run before it, in words."""
    place = next((number for number, row in enumerate(rows) if row.run == change.run), None)
    new = rows[place].version if place is not None else ""
    old = rows[place - 1].version if place else ""
    return f"{old or 'unknown'} → {new or 'unknown'}" if old != new else f"{new or 'unknown'}, as before"


def _shown(measure: str) -> Callable[[float], str]:
    """The function that writes a figure of this measure."""
    if measure == "score":
        return _share
    return "{:.3g} s".format if measure == "seconds per move" else "{:.3f}".format


def _score(row: HistoryRow) -> float | None:
    if row.points is None or not row.games or not 0 <= row.points <= row.games:
        return None
    return row.points / row.games


def _share(score: float | None) -> str:
    return "–" if score is None else f"{100 * score:.1f} %"


def _parity(row: HistoryRow) -> tuple[tuple[str, str], ...]:
    """(opponent, verdict) of a cell such as `two: equal; three: different`."""
    found = (part.rpartition(": ") for part in row.parity.split("; "))
    return tuple((opponent, verdict) for opponent, _, verdict in found if verdict in PARITY_SIGNS)


def _finite(value: float) -> bool:
    return math.isfinite(value) and abs(value) < 1e12
