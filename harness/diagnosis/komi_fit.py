"""Fit of wrong results by another komi, or by another value of a draw.

A wrong komi changes each result in a way that follows from the margin of the playouts. A wrong count of the
area fits no komi. The fit uses positions in which all playouts end with the same margin.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from harness.check.procedures.probe import Probe
from harness.check.procedures.search import Series
from harness.diagnosis.deviations import PRINTING
from harness.diagnosis.search_statistics import summed
from harness.oracle import StateLimitError, enumerate_playouts

MOST_STATES = 300
"""Most states for which a position is enumerated for the fit. Chosen: a few milliseconds each."""

LEAST_EXPLAINED = 0.95
"""Fraction of the results that an explanation must fit. Chosen: one in twenty may be wrong by chance."""

LEAST_RESULTS = 2
"""Fewest wrong results for a fit. Chosen: a single wrong result always fits some komi."""


@dataclass(frozen=True)
class KomiFit:
    """The explanations that fit nearly all results.

    shifted   another komi fits
    drawn     another value of a draw fits: only results of draws are wrong
    """

    shifted: bool
    drawn: bool


@dataclass(frozen=True)
class _Seen:
    lead: float  # of the side to move, without komi
    komi: float  # as that side sees it: to be subtracted from the lead
    result: float

    @property
    def wrong(self) -> bool:
        return abs(self.result - _result(self.lead - self.komi)) > PRINTING


def komi_fit(found: Iterable[Series]) -> KomiFit | None:
    """Fit the results of positions with one margin; None if too few of these results are wrong."""
    by_komi: defaultdict[float, list[tuple[Probe, _Seen]]] = defaultdict(list)
    for series in found:
        margin = certain_margin(series.probe)
        seen = summed(series)
        if margin is not None and seen.mean:
            sign = 1.0 if series.probe.to_move == "b" else -1.0
            komi = series.probe.komi
            by_komi[komi].append((series.probe, _Seen(sign * margin, sign * komi, seen.mean[1])))
    everything = [seen for group in by_komi.values() for _, seen in group]
    if sum(seen.wrong for seen in everything) < LEAST_RESULTS:
        return None
    drawn = sum(not seen.wrong or seen.lead == seen.komi for seen in everything)
    shifted = sum(_most_explained([(p.to_move == "b", seen) for p, seen in g]) for g in by_komi.values())
    enough = LEAST_EXPLAINED * len(everything)
    return KomiFit(shifted >= enough, drawn >= enough)


def _most_explained(group: list[tuple[bool, _Seen]]) -> int:
    """Return the most results that one komi explains, for pairs (Black is to move, result at one komi)."""
    margins = {seen.lead if black else -seen.lead for black, seen in group}
    tried = {margin + step for margin in margins for step in (-0.5, 0.0, 0.5)}
    return max(
        sum(
            abs(seen.result - _result(seen.lead - (komi if black else -komi))) <= PRINTING
            for black, seen in group
        )
        for komi in tried
    )


def _result(lead: float) -> float:
    return 1.0 if lead > 0 else 0.0 if lead < 0 else 0.5


@cache
def certain_margin(probe: Probe) -> float | None:
    """Return Black's area less White's if it is the same in all playouts; None if not, or if unknown."""
    if probe.table or probe.known is not None or not probe.expected.certain_result:
        return None
    try:
        spread = enumerate_playouts(
            probe.position, probe.to_move, ko=probe.position.ko_ban(probe.to_move), max_states=MOST_STATES
        )
    except StateLimitError:
        return None
    margins = spread.margins
    return float(next(iter(margins))) if len(margins) == 1 else None
