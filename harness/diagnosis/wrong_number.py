"""Finds a bot that makes another number of playouts per search than `--playouts` or its ref-playouts says.

All its searches then look wrong, though its playouts may be right. Where all playouts of a position have one
length, `ref-nodes` is a multiple of that length, and shows the number.
"""

from __future__ import annotations

from harness.check.phases.findings import Findings
from harness.check.procedures.search import Series

MOST = 0.5
"""The number is wrong if more than this fraction of the positions with playouts of one length show the same
other number. Chosen: a wrong count of the moves is no equal factor in most positions."""


def wrong_number(findings: Findings) -> int | None:
    """Return the number of playouts that most searches show in place of the one that was said.

    None without a doubt, or if the searches do not confirm it: `PlayoutCount.shown` comes from two positions,
    where a wrong rule of playouts may look the same.
    """
    shown = findings.count.shown
    if shown is None:
        return None
    certain = [one for one in findings.series if one.probe.expected.certain_length and one.searches]
    agreeing = sum(_shows(one, shown) for one in certain)
    return shown if agreeing > MOST * len(certain) else None


def _shows(series: Series, playouts: int) -> bool:
    """Return True if each search of a position with playouts of one length has the moves of `playouts`."""
    moves = playouts * round(series.probe.expected.mean_length)
    return all(search.nodes == moves for search in series.searches)
