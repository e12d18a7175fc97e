"""The page of a schedule: each bot over all runs, and since which run and version it has changed.

It is made from the rows of `history.csv` alone, so that runs that were removed are in it too.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from harness.arena.folder.history import ChangePoint, HistoryRow
from harness.report.html.charts import Line, line_chart
from harness.report.html.page import render
from harness.report.html.signs import VERDICTS
from harness.report.numbers import amount

FILE = "history.html"
MOST_RUNS = 300
"""The newest runs of a bot are drawn and listed; all are in history.csv."""
MOST_BOTS = 60
NORMAL_95 = 1.959963984540054
"""Half the width of a 95 % interval of a Normal variable with standard deviation 1."""


@dataclass(frozen=True)
class ChangeView:
    """A change in words. `version` names the versions of the run and of the one before it."""

    change: ChangePoint
    version: str
    before: str
    after: str


@dataclass(frozen=True)
class RowView:
    """A run in words. `parities` has opponents with verdicts."""

    row: HistoryRow
    score: str
    parities: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class BotView:
    """Everything that the page shows of one bot. The newest run comes first."""

    bot: str
    version: str
    rows: tuple[RowView, ...]
    charts: tuple[tuple[str, Markup], ...]


@dataclass(frozen=True)
class _Point:
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
    bots = [
        _bot(bot, by_bot[bot][-MOST_RUNS:], [change for change in changes if change.bot == bot])
        for bot in by_bot
        if bot in newest
    ]
    last = max(rows, key=lambda row: row.time).run if rows else ""
    return render(
        "history.html",
        name=name,
        bots=bots,
        runs=len({row.run for row in rows}),
        left_out=len(by_bot) - len(bots),
        changes=[_change(change, by_bot.get(change.bot, [])) for change in reversed(changes)],
        failed=[row.bot for row in rows if row.run == last and row.failures],
        problems=problems,
        signs=VERDICTS,
        up=up,
    )


def _bot(bot: str, rows: Sequence[HistoryRow], changes: Sequence[ChangePoint]) -> BotView:
    return BotView(
        bot=bot,
        version=rows[-1].version,
        rows=tuple(RowView(row, _share(_score(row)), _parity(row)) for row in reversed(rows)),
        charts=tuple(_charts(rows, changes)),
    )


def _charts(rows: Sequence[HistoryRow], changes: Sequence[ChangePoint]) -> Iterable[tuple[str, Markup]]:
    """(name, chart) of each figure that the bot has."""
    places = {row.run: number for number, row in enumerate(rows, 1)}
    references = [row.reference for row in rows if row.reference is not None and _finite(row.reference)]
    for measure, title, points in (
        ("score", "Score", _scores(rows)),
        ("nodes per playout", "Moves per playout, empty board", _nodes(rows)),
        ("seconds per move", "Seconds per move", _speeds(rows)),
    ):
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


def _scores(rows: Sequence[HistoryRow]) -> list[_Point]:
    points = []
    for number, row in enumerate(rows, 1):
        score = _score(row)
        if score is not None and row.games:
            reach = NORMAL_95 * math.sqrt(0.25 / row.games)
            points.append(_Point(number, score, (max(0.0, score - reach), min(1.0, score + reach))))
    return points


def _nodes(rows: Sequence[HistoryRow]) -> list[_Point]:
    """The bounds in the history are those of the deviation from the reference."""
    points = []
    for number, row in enumerate(rows, 1):
        if row.nodes_per_playout is None or not _finite(row.nodes_per_playout):
            continue
        bounds = None
        if row.low is not None and row.high is not None and row.reference is not None:
            bounds = (row.reference + row.low, row.reference + row.high)
            bounds = bounds if all(map(_finite, bounds)) else None
        points.append(_Point(number, row.nodes_per_playout, bounds))
    return points


def _speeds(rows: Sequence[HistoryRow]) -> list[_Point]:
    return [
        _Point(number, row.seconds_per_move)
        for number, row in enumerate(rows, 1)
        if row.seconds_per_move is not None and _finite(row.seconds_per_move)
    ]


def _change(change: ChangePoint, rows: Sequence[HistoryRow]) -> ChangeView:
    place = next((number for number, row in enumerate(rows) if row.run == change.run), None)
    new = rows[place].version if place is not None else ""
    old = rows[place - 1].version if place else ""
    version = f"{new or 'unknown'}, as before"
    if old != new:
        version = f"{old or 'unknown'} → {new or 'unknown'}"
    return ChangeView(
        change, version, *(_shown(change.measure, value) for value in (change.before, change.after))
    )


def _shown(measure: str, value: float) -> str:
    if measure == "score":
        return _share(value)
    return f"{value:.3g} s" if measure == "seconds per move" else f"{value:.3f}"


def _score(row: HistoryRow) -> float | None:
    if row.points is None or not row.games or not 0 <= row.points <= row.games:
        return None
    return row.points / row.games


def _share(score: float | None) -> str:
    return "–" if score is None else f"{100 * score:.1f} %"


def _parity(row: HistoryRow) -> tuple[tuple[str, str], ...]:
    """(opponent, verdict) of a cell such as `two: equal; three: different`."""
    found = (part.rpartition(": ") for part in row.parity.split("; "))
    return tuple((opponent, verdict) for opponent, _, verdict in found if verdict in VERDICTS)


def _finite(value: float) -> bool:
    return math.isfinite(value) and abs(value) < 1e12
