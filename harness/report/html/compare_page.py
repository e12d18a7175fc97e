"""The page of `conform compare`: the bots that agree, and the differences between the others."""

from __future__ import annotations

from collections.abc import Sequence

from harness.compare.agreement import ALPHA, Comparison, Pair, Searched
from harness.report.html.page import render
from harness.report.html.visible import one_line
from harness.report.text.comparison import conclusions, overall

VERDICTS = {
    "agree": ("✓", "pass"),
    "differ": ("✗", "fail"),
    "undecided": ("?", "open"),
    "unusable": ("!", "fail"),
}
"""Of each verdict on two bots: its sign and its style."""

MOST_SHOWN = 30
"""Tests of a pair that are shown; all are in the JSON."""


def compare_page(comparison: Comparison, seed: int, started: str) -> str:
    """The page as text."""
    return render(
        "compare.html",
        comparison=comparison,
        overall=overall(comparison),
        conclusions=conclusions(comparison),
        bots=[_named(bot) for bot in comparison.bots],
        cells=_cells(comparison.pairs, len(comparison.bots)),
        pairs=[
            (pair, sorted(pair.different, key=lambda t: t.p_value)[:MOST_SHOWN]) for pair in comparison.pairs
        ],
        signs=VERDICTS,
        alpha=ALPHA,
        seed=seed,
        started=started,
    )


def _named(bot: Searched) -> tuple[str, Searched]:
    return one_line(f"{bot.name} {bot.version}".strip() or bot.command), bot


def _cells(pairs: Sequence[Pair], bots: int) -> list[list[str]]:
    """The verdict on each two bots; empty on the diagonal and for a bot that could not be compared."""
    verdicts = {frozenset((pair.first, pair.second)): pair.verdict for pair in pairs}
    return [[verdicts.get(frozenset((row, column)), "") for column in range(bots)] for row in range(bots)]
