"""`ref.choice.midgame-*` and `ref.midgame.*`: choices and playouts in mid-game.

The bot must choose each candidate as often as a conforming bot does. Small errors in the AMAF records show
here; near the end of a game only gross ones do. `harness.tools.find_midgame` found the positions.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

from harness.check.effort import Effort
from harness.check.judges.choice_power import DRAWING_SEED, DRAWN
from harness.check.judges.moments import judge_moments
from harness.check.judges.moves import BLUR, attributed, judge_shares
from harness.check.model import NODES_AND_SCORE, PLAYOUT_COUNT, Check, Judgement, Outcome
from harness.check.positions import EMPTY
from harness.check.procedures.probe import Probe, StoredExpectation
from harness.check.procedures.search import SearchProcedure, Series
from harness.check.stored_data import data_of
from harness.oracle.expected import Expected
from harness.oracle.midgame import LEAST_PLAYOUTS, AmafMoments, draw_choices_about
from harness.suite.statement import must
from refbot.deviations.faults import FAULTS

SEARCHES = 24
"""Searches after which the choices can pass; chosen: a slow bot has no time for MOST searches."""

HASTY = 6
"""Searches under a quick budget; chosen: gross faults show in them."""

MOST = 60
"""Limit of the searches; chosen: `find_midgame` measured with this number how well each fault shows."""


@cache
def load_entries() -> tuple[dict[str, Any], ...]:
    """The entries of `data/midgame.json`, one a position."""
    return tuple(data_of("midgame")["probes"])


def probe(number: int) -> Probe:
    """The probe of an entry: a whole game, move by move."""
    entry = load_entries()[number]
    moves = tuple((colour, vertex) for colour, vertex in entry["moves"])
    known = StoredExpectation(Expected(**entry["expected"]), {})
    return Probe(f"midgame-{number + 1}", EMPTY, entry["to_move"], entry["komi"], moves, known=known)


def moments(number: int) -> AmafMoments:
    """The AMAF moments of an entry's candidates, in their order."""
    entry = load_entries()[number]
    return AmafMoments.of(entry["mean"], entry["covariance"])


@cache
def _drawn(number: int, playouts: int) -> tuple[tuple[float, ...], ...]:
    """How often each candidate is chosen in `DRAWN` simulated searches: without a fault, then with each.

    A share BLUR of the choices is spread over all candidates.
    """
    right = moments(number)
    means = [right.mean, *(np.array(mean) for mean in load_entries()[number]["deviant"].values())]
    drawn = draw_choices_about(means, right.covariance, playouts, DRAWN, DRAWING_SEED)
    return tuple(tuple((1.0 - BLUR) * counts + BLUR * DRAWN / counts.size) for counts in drawn)


def expected_counts(number: int, playouts: int) -> tuple[float, ...]:
    """How often a conforming bot chooses each candidate in `DRAWN` searches, see `_drawn`."""
    return _drawn(number, playouts)[0]


def deviant_counts(number: int, playouts: int) -> tuple[tuple[float, ...], ...]:
    """Counts like `expected_counts` for a bot with each of the faults of AMAF records that the entry has."""
    return _drawn(number, playouts)[1:]


def judge_midgame(number: int, series: Series) -> Judgement:
    """Judge whether the bot chooses each candidate as often as a conforming bot does."""
    if series.playouts < LEAST_PLAYOUTS:
        return Judgement(
            Outcome.SKIP, observed=f"with fewer than {LEAST_PLAYOUTS} playouts a search, choices say little"
        )
    made, candidates = len(series.searches), load_entries()[number]["candidates"]
    judgement = judge_shares(
        [search.move for search in series.searches],
        candidates,
        expected_counts(number, series.playouts),
        deviant_counts(number, series.playouts),
    )
    if judgement.outcome is Outcome.FAIL:
        return attributed(judgement, series, candidates)
    enough = HASTY if series.effort.quick else SEARCHES / series.effort.margin_factor
    numbers = {**judgement.numbers, "searches": float(made)}
    if made >= enough:
        return replace(judgement, numbers=numbers)
    needed = (enough - made) * series.playouts
    return replace(judgement, outcome=Outcome.INCONCLUSIVE, numbers=numbers, playouts_needed=needed)


def _check(number: int) -> Check:
    def judge(series: Series, expected: Expected) -> Judgement:
        return judge_midgame(number, series)

    def choices(playouts: int) -> dict[str, float]:
        if playouts < LEAST_PLAYOUTS:
            return {}
        counts = expected_counts(number, playouts)
        vertices = load_entries()[number]["candidates"]
        return {vertex: count / DRAWN for vertex, count in zip(vertices, counts, strict=True)}

    def shows(fault: str, playouts: int, effort: Effort) -> bool:
        """True for wrong records: wrong rules of choice were measured at one number of playouts alone."""
        return playouts >= LEAST_PLAYOUTS and FAULTS[fault].where == "amaf"

    return must(
        f"ref.choice.midgame-{number + 1}",
        "In mid-game, genmove answers each candidate about as often as a conforming bot does.",
        SearchProcedure(
            probe(number), judge, least=8, most=MOST, least_quick=HASTY, choices=choices, shows=shows
        ),
        requires=PLAYOUT_COUNT,
        clause=load_entries()[number]["clause"],
        hint="a point counts for the side to move if that side was the first of either to play there; "
        "the highest wins/visits is chosen",
        kills=" ".join(load_entries()[number]["separates"]),
    )


def _moments_check(number: int) -> Check:
    return must(
        f"ref.midgame.{number + 1}",
        "In mid-game, playouts have the lengths and results of uniform playouts.",
        SearchProcedure(probe(number), judge_moments(0.04, 0.04), least=8, most=MOST, least_quick=HASTY),
        requires=NODES_AND_SCORE,
        clause="uniform",
        hint="start a playout from the whole state of the game: stones, ko, side to move",
    )


CHECKS = tuple(make(number) for make in (_moments_check, _check) for number in range(len(load_entries())))
