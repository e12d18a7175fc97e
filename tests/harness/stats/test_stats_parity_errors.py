"""What the judge of parity promises, held against two thousand simulated matches at each score."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from harness.stats.parity import ALPHA, BETA, MARGIN
from harness.stats.parity_errors import MATCHES, ErrorRates, simulate, table


def events(rate: float, matches: int) -> Any:
    """So many matches of which this share ended so."""
    return np.arange(matches) < round(rate * matches)


@pytest.mark.slow
@pytest.mark.parametrize("margin", [MARGIN, 0.05])
def test_errors_stay_within_their_levels(margin: float, at_most: Any, at_least: Any) -> None:
    rates = {shift: simulate(shift, margin=margin) for shift in (-2, -1, 0, 1, 2)}
    assert {r.matches for r in rates.values()} == {MATCHES}
    assert MATCHES >= 2000
    for shift, r in rates.items():
        if abs(shift) >= 1:  # at the margin or beyond: not to be called equal
            at_most(events(r.equal, MATCHES), BETA)
        if abs(shift) <= 1:  # at the margin or inside: not to be called different
            at_most(events(r.different, MATCHES), ALPHA)
    # Within 8,000 games nearly all equal bots and most bots far outside the margin get their verdict.
    at_least(events(rates[0].equal, MATCHES), 0.99)
    for shift in (-2, 2):
        at_least(events(rates[shift].different, MATCHES), 0.80)


def test_a_few_matches_make_the_table() -> None:
    fair = simulate(0, margin=0.1, matches=40, pairs=1000)
    assert fair == simulate(0, margin=0.1, matches=40, pairs=1000)  # seeded
    assert isinstance(fair, ErrorRates)
    assert (fair.score, fair.different) == (0.5, 0.0)
    assert fair.equal + fair.undecided == 1.0
    # Some 230 games are needed; 2,000 are more than eight times that.
    assert fair.equal == 1.0
    never = simulate(-1, margin=0.4, matches=3, pairs=1)  # one pair decides nothing
    assert never.undecided == 1.0
    assert np.isnan(never.games)
    lines = table((0.1,), matches=4, pairs=10, seed=2).splitlines()
    assert len(lines) == 2 + 5
    assert all(line.count("|") == 5 for line in lines)
    assert lines[4].startswith("| 0.1 | 0.50 | ")
    assert lines[4].endswith(" 100.00 %, - |")
    assert lines[4].count(" 100.00 %, -") == 2  # with either design, ten pairs decide nothing
