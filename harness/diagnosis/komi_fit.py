"""Finds out if another komi, or another value of a draw, explains the wrong results of a bot.

A wrong komi changes each result in a way that follows from the margin of the playouts; a wrong count of the
area does not. The fit uses the searches of positions in which all playouts end with the same margin. For
example, Black leads there by 7 points without komi: with komi 7.5 the result is 0 for Black, with komi 6.5 it
is 1. `clause_marks` reads the fit, from the spectrum of a bot.
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
"""An explanation fits if at least this fraction of the results fits. Chosen: chance spoils one in twenty."""

LEAST_RESULTS = 2
"""Fewest wrong results for a fit. Chosen: a single wrong result always fits some komi."""


@dataclass(frozen=True)
class KomiFit:
    """The explanations that fit nearly all results (LEAST_EXPLAINED).

    shifted   for each komi that the harness set, one komi fits: another one, or the right one
    drawn     another value of a draw fits: nearly all results but those of draws are right
    """

    shifted: bool
    drawn: bool


@dataclass(frozen=True)
class _Seen:
    """The mean result of the searches at one position where all playouts end with the same margin.

    black    True if Black is to move
    lead     points of the side to move less the other side's, without komi
    komi     to be subtracted from the lead: the komi if Black is to move, its negative if White is
    result   the observed mean result for the side to move, from 0 to 1
    """

    black: bool
    lead: float
    komi: float
    result: float

    @property
    def wrong(self) -> bool:
        """True if the result is not the one of this lead and komi."""
        return abs(self.result - _result(self.lead - self.komi)) > PRINTING


def komi_fit(found: Iterable[Series]) -> KomiFit | None:
    """Fit the results of positions with one margin; None if fewer than LEAST_RESULTS of them are wrong."""
    by_komi: defaultdict[float, list[_Seen]] = defaultdict(list)
    for series in found:
        margin = certain_margin(series.probe)
        seen = summed(series)
        if margin is not None and seen.mean:
            black, komi = series.probe.to_move == "b", series.probe.komi
            sign = 1.0 if black else -1.0
            _, mean_result = seen.mean
            by_komi[komi].append(_Seen(black, sign * margin, sign * komi, mean_result))
    everything = [seen for group in by_komi.values() for seen in group]
    if sum(seen.wrong for seen in everything) < LEAST_RESULTS:
        return None
    drawn = sum(not seen.wrong or seen.lead == seen.komi for seen in everything)
    shifted = sum(map(_most_explained, by_komi.values()))
    enough = LEAST_EXPLAINED * len(everything)
    return KomiFit(shifted >= enough, drawn >= enough)


def _most_explained(group: list[_Seen]) -> int:
    """Return the most results that one komi explains, of positions that the harness set to the same komi.

    A komi matters only relative to the margins: it is below one, equal to it (a draw), or above it.
    """
    margins = {seen.lead if seen.black else -seen.lead for seen in group}
    tried = {margin + step for margin in margins for step in (-0.5, 0.0, 0.5)}
    return max(
        sum(
            abs(seen.result - _result(seen.lead - (komi if seen.black else -komi))) <= PRINTING
            for seen in group
        )
        for komi in tried
    )


def _result(lead: float) -> float:
    """Return the result of a game by the lead after komi: 1 for a win, 0 for a loss, ½ for a draw."""
    return 1.0 if lead > 0 else 0.0 if lead < 0 else 0.5


@cache
def certain_margin(probe: Probe) -> float | None:
    """Return Black's area less White's, without komi, if it is the same in all playouts of a right bot.

    None if it is not, or if it is not computed: for more than MOST_STATES states, and for a probe whose
    expectation is stored.
    """
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
