"""The page of `conform compare`: the verdict on each pair of bots, and the tests in which they differ."""

from __future__ import annotations

from harness.compare.agreement import ALPHA, Comparison
from harness.report.html.page import render
from harness.report.text.comparison import conclusions, overall, verdict_table
from harness.report.visible import one_line

VERDICTS = {
    "agree": ("✓", "pass"),
    "differ": ("✗", "fail"),
    "undecided": ("?", "open"),
    "unusable": ("!", "fail"),
}
"""By verdict on a pair of bots: sign, CSS class."""

MOST_SHOWN = 30
"""Differing tests of a pair that are listed; the JSON has all. Chosen: one screen."""


def compare_page(comparison: Comparison, seed: int, started: str) -> str:
    """The page as text."""
    return render(
        "compare.html",
        comparison=comparison,
        overall=overall(comparison),
        conclusions=conclusions(comparison),
        bots=[(one_line(f"{bot.name} {bot.version}".strip() or bot.command), bot) for bot in comparison.bots],
        cells=verdict_table(comparison),
        pairs=[
            (pair, sorted(pair.different, key=lambda t: t.p_value)[:MOST_SHOWN])
            for pair in comparison.pairs
            if pair.different
        ],
        signs=VERDICTS,
        alpha=ALPHA,
        seed=seed,
        started=started,
    )
