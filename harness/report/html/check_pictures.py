"""Pictures of the statistics of a check: deviations of means, playout lengths by search, chosen moves."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from markupsafe import Markup

from harness.check.model import REFUSING, Outcome, Result
from harness.check.phases.findings import Findings
from harness.check.procedures.search import SearchProcedure, Series
from harness.report.html.board import board_picture
from harness.report.html.charts import Line, interval_picture, line_chart
from harness.report.html.positions import point_at
from harness.report.numbers import amount, decimals_beside, signed_beside
from harness.report.records.check import BotReport

STATISTICS = {"length": "moves a playout", "result": "score (0 to 1)"}
"""The statistics that are judged against a margin, with their units."""

LEAST_PLOTTED = 4
"""Least number of dots in a chart. Chosen: fewer dots show no pattern."""


class Deviation(NamedTuple):
    """The deviation of one statistic of one check from the reference. All numbers are per playout."""

    result: Result
    statistic: str  # a key of STATISTICS
    unit: str
    deviation: float
    low: float
    high: float
    margin: float
    picture: Markup

    @property
    def figures(self) -> tuple[str, str]:
        """The texts (deviation, margin), with as many decimals as the margin needs."""
        return signed_beside(self.deviation, self.margin), f"± {self.margin:.{decimals_beside(self.margin)}f}"

    @property
    def in_margins(self) -> float:
        """The size of the deviation as a multiple of the margin; inf for a margin of 0."""
        return abs(self.deviation) / self.margin if self.margin else math.inf


class ChoicePicture(NamedTuple):
    """Two heat maps of one position: the moves that the bot chose, and those of a conforming bot.

    A map is empty if no move is on the board; `expected` also if the moves of a conforming bot are not known.
    """

    result: Result
    occasion: str
    searches: int
    observed: Markup
    expected: Markup
    elsewhere: str  # the shares of the bot's passes and resignations, in words


def deviations(bot: BotReport) -> list[Deviation]:
    """Each statistic that is judged against a margin: first of failed checks, then by size in margins."""
    found = []
    for result in bot.findings.results:
        numbers, ended = result.judgement.numbers, bot.ending(result)
        style = "fail" if ended in REFUSING else "pass" if ended == Outcome.PASS else "open"
        for name, unit in STATISTICS.items():
            keys = [f"{name}_{key}" for key in ("deviation", "low", "high", "margin")]
            if not all(key in numbers for key in keys):
                continue
            deviation, low, high, margin = (numbers[key] for key in keys)
            title = (
                f"{result.check.id}: deviation {signed_beside(deviation, margin)} {unit}, "
                f"95 % interval {signed_beside(low, margin)} to {signed_beside(high, margin)}, "
                f"margin {margin:.{decimals_beside(margin)}f}, {ended}"
            )
            picture = interval_picture(deviation, low, high, margin, style, title)
            found.append(Deviation(result, name, unit, deviation, low, high, margin, picture))
    return sorted(found, key=lambda item: (item.result.outcome not in REFUSING, -item.in_margins))


def spreads(findings: Findings) -> Iterator[tuple[str, str, Markup]]:
    """Yield (check, sentence, chart of the mean length in each search) for some probes; failed checks first.

    A probe is charted under its first check, or its first failed one. Probes with few searches that report
    their nodes, and probes at which every playout has the same length, are left out.
    """
    first_checks: dict[str, str] = {}  # id of the check by that of its probe
    for result in sorted(findings.results, key=lambda r: r.outcome not in REFUSING):
        plan = result.check.procedure.search_plan
        if plan is not None:
            first_checks.setdefault(plan.probe.id, result.check.id)
    by_probe = {one.probe.id: one for one in findings.series}
    for probe, check in first_checks.items():
        if probe in by_probe and (spread := _spread(by_probe[probe], check)) is not None:
            yield check, *spread


def _spread(series: Series, check: str) -> tuple[str, Markup] | None:
    """The sentence and the chart of the searches of one probe; None if it is left out."""
    lengths = [(number, s.nodes) for number, s in enumerate(series.searches, 1) if s.nodes is not None]
    expected = series.probe.expected
    if len(lengths) < LEAST_PLOTTED or not series.playouts or expected.certain_length:
        return None
    radius = 2.0 * expected.sd_length / math.sqrt(series.playouts)  # about 95 % of the searches
    points = [(float(number), nodes / series.playouts) for number, nodes in lengths]
    mean = math.fsum(y for _, y in points) / len(points)
    sentence = (
        f"{amount(len(points), 'search')} of {amount(series.playouts, 'playout')}: "
        f"{mean:.3f} moves a playout; a conforming bot makes {expected.mean_length:.3f}."
    )
    chart = line_chart(
        [Line("searches", points, dots=True, joined=False)],
        f"Playout lengths of {check}: {sentence}",
        "search",
        "moves a playout",
        levels=[(expected.mean_length, "reference")],
        within=(max(0.0, expected.mean_length - radius), expected.mean_length + radius),
    )
    return sentence, chart


def choices(findings: Findings) -> Iterator[ChoicePicture]:
    """The pictures of the checks that judge chosen moves: failures first, then known expected choices."""
    series = {one.probe.id: one for one in findings.series}
    results = [
        (result, result.check.procedure)
        for result in findings.results
        if result.check.id.startswith("ref.choice.") and isinstance(result.check.procedure, SearchProcedure)
    ]
    for result, procedure in sorted(
        results, key=lambda pair: (pair[0].outcome not in REFUSING, pair[1].choices is None)
    ):
        made = series.get(procedure.probe.id)
        if made is None or not made.searches:
            continue
        counted = Counter(search.move for search in made.searches)
        shares = {move: times / len(made.searches) for move, times in counted.items()}
        elsewhere = ", ".join(
            f"{move.lower()} {share:.0%}"
            for move, share in shares.items()
            if point_at(move, made.probe.size) is None
        )
        wanted = procedure.expected_choices(made.playouts)
        yield ChoicePicture(
            result,
            made.probe.occasion,
            len(made.searches),
            _heat(made, shares, f"Moves of the bot in {result.check.id}"),
            _heat(made, wanted, f"Moves of a conforming bot in {result.check.id}") if wanted else Markup(""),
            elsewhere,
        )


def _heat(series: Series, shares: dict[str, float], title: str) -> Markup:
    """A board with the share of each move; empty if no move is on the board."""
    probe = series.probe
    on_board = {
        point: share for move, share in shares.items() if (point := point_at(move, probe.size)) is not None
    }
    if not on_board:
        return Markup("")
    return board_picture(probe.size, probe.position.stones(), title, shares=on_board)
