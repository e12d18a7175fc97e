"""Finds a bot that makes another number of playouts per search than `--playouts` or its ref-playouts says.

All its searches then look wrong, though its playouts may be right. Where all playouts of a position have one
length, `ref-nodes` is a multiple of that length, and shows the number.
"""

from __future__ import annotations

from collections import Counter

from harness.check.phases.findings import Findings
from harness.check.phases.playout_count import SAID
from harness.check.procedures.search import Series

MOST = 0.5
"""The number is wrong if more than this fraction of the positions with playouts of one length show another
one, the same. Chosen: a wrong count of the moves is no equal factor in most positions."""


def number_shown(findings: Findings) -> int | None:
    """Return the number of playouts that the searches show in place of the one that was said.

    None if no number was said, if most searches agree with it, or if they show no one number. A number of 1
    is the sign of a mean in place of a sum, so it does not count either.
    """
    if findings.count.source not in SAID:
        return None
    certain = [one for one in findings.series if one.probe.expected.certain_length and one.searches]
    numbers = Counter(filter(None, map(_number_at, certain)))
    for number, times in numbers.most_common(1):
        if times > MOST * len(certain) and number not in (1, findings.count.playouts):
            return number
    return None


def _number_at(series: Series) -> int | None:
    """Return the number of playouts that each search of a position shows; None if they show no one number."""
    length = round(series.probe.expected.mean_length)
    seen = {search.nodes for search in series.searches}
    nodes = seen.pop() if len(seen) == 1 else None
    return nodes // length if nodes and nodes % length == 0 else None
