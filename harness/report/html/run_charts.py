"""The charts of a run: scores of pairs over their games, playout lengths and times over the move number."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from markupsafe import Markup

from harness.arena.config.tables import MatchConfig
from harness.arena.judge.empty_board import empty_board_moments
from harness.arena.judge.judge import pair_scores
from harness.arena.store.recorded import Sums
from harness.arena.store.store import Store
from harness.arena.verdicts import MatchVerdicts, PairParity
from harness.report.html.charts import Line, line_chart, line_style, range_from_zero, score_chart
from harness.report.html.run_data import RunData
from harness.report.svg import element, picture
from harness.report.text.pairs_table import rank_of_verdict
from harness.stats.parity import CONFIDENCE, mean_interval

MOST_CHARTS = 24
"""Pairs with a chart; the table has all pairs. Chosen: the page stays below a few megabytes."""
MOST_POINTS = 40
"""Most points of a score chart; the number of games grows by a constant factor. Chosen: more points draw the
same line, and each costs the computation of an interval."""
LEAST_SEARCHES = 3
"""Fewest searches behind a mean of a chart, unless all moves have fewer. Chosen: a single long game makes no
peak."""


def pair_charts(
    store: Store, config: MatchConfig, verdicts: MatchVerdicts
) -> list[tuple[PairParity, Markup]]:
    """Return (pair, chart of its score and bounds): verdicts in AGAINST first, then undecided pairs.

    Pairs without a judged couple of games are left out, and those after the first MOST_CHARTS.
    """
    scores = pair_scores(store, config)
    pairs = zip(verdicts.pairs, verdicts.parity, strict=True)
    rows = sorted(pairs, key=lambda pair: rank_of_verdict(pair[1].verdict))
    played = [(row, scores[pair.number]) for pair, row in rows if scores.get(pair.number)]
    return [(row, _pair_chart(row, own)) for row, own in played[:MOST_CHARTS]]


def _pair_chart(row: PairParity, scores: Sequence[float]) -> Markup:
    """The chart of a pair; `scores` are its first bot's points in each couple of games, 0 to 2."""
    per_game = np.array(scores) / 2.0
    counts = sorted({round(n) for n in np.geomspace(1, len(scores), min(MOST_POINTS, len(scores)))})
    means = [(2.0 * n, float(per_game[:n].mean())) for n in counts]
    bounds = [mean_interval(per_game[:n], 1.0 - CONFIDENCE) for n in counts]
    # The y range follows the final bounds, so that a narrow band stays visible: at least 0.4 to 0.6.
    reach = max(0.1, 2.0 * row.proved_margin, 2.0 * row.margin)
    return score_chart(row, means, bounds, (max(0.0, 0.5 - reach), min(1.0, 0.5 + reach)))


def lengths(data: RunData, playouts: Mapping[str, int | None], config: MatchConfig) -> Markup:
    """The mean moves per playout over the move number. A bot has a line if its playouts are known.

    playouts   by bot: the number of playouts per search; None or missing if not known
    """
    lines = []
    for bot, sums in data.by_move.items():
        if count := playouts.get(bot):
            nodes = _means(sums, lambda s: s.nodes / s.with_nodes, "with_nodes")
            lines.append(Line(bot, [(move, mean / count) for move, mean in nodes]))
    reference = empty_board_moments(config.run.size, config.run.komi)
    return line_chart(
        lines,
        "Mean moves a playout over the number of the move, one line a bot",
        "number of the move in the game",
        "moves a playout",
        levels=[(reference.mean_length, "reference, empty board")] if reference else [],
    )


def times(data: RunData) -> Markup:
    """The mean seconds per search over the move number, a line for each bot."""
    lines = [
        Line(bot, _means(sums, lambda s: s.seconds / s.searches, "searches"))
        for bot, sums in data.by_move.items()
    ]
    slowest = max((seconds for line in lines for _, seconds in line.points), default=0.0)
    return line_chart(
        lines,
        "Mean seconds of a search over the number of the move, one line a bot",
        "number of the move in the game",
        "seconds a search",
        y_range=range_from_zero(slowest),
    )


def legend(bots: Sequence[str]) -> list[tuple[str, Markup]]:
    """Return (bot, sample of its line) for each bot, in the order of the lines of a chart."""
    samples = (element("line", x1=0, x2=40, y1=6, y2=6, **line_style(number)) for number in range(len(bots)))
    return [
        (bot, picture(40, 12, "line of the bot", sample)) for bot, sample in zip(bots, samples, strict=True)
    ]


def _means(
    sums: Mapping[int, Sums], mean: Callable[[Sums], float], counted: str
) -> list[tuple[float, float]]:
    """Return (move number, mean) for each move with LEAST_SEARCHES searches or more.

    If all moves have fewer, return the moves with the most searches.

    counted   the attribute of Sums with the number of searches
    """
    most = max((getattr(one, counted) for one in sums.values()), default=0)
    least = max(1, min(LEAST_SEARCHES, most))
    return [(float(move), mean(one)) for move, one in sorted(sums.items()) if getattr(one, counted) >= least]
