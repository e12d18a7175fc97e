"""`ref.choice.midgame-*` and `ref.midgame.*`: choices and playouts in mid-game.

The bot must choose each candidate as often as a conforming bot does. Small errors in the AMAF records show
here; near the end of a game only gross ones do. `harness.tools.find_midgame` found the positions. A position
is an entry of `data/midgame.json`; its `number` counts from 0, and the ids of its two checks from 1.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache, partial
from typing import Any

import numpy as np

from harness.check.effort import Effort
from harness.check.judges.choice_power import DRAWING_SEED, DRAWN
from harness.check.judges.moments import judge_moments
from harness.check.judges.moves import BLUR, judge_shares, with_reporter
from harness.check.model import NODES_AND_SCORE, PLAYOUT_COUNT, Check, Judgement, Outcome
from harness.check.positions import EMPTY
from harness.check.procedures.probe import Probe, StoredExpectation
from harness.check.procedures.search import SearchProcedure, Series
from harness.check.stored_data import data_of
from harness.oracle.expected import Expected
from harness.oracle.midgame import LEAST_PLAYOUTS, AmafMoments, draw_choices_about
from harness.suite.statement import must
from refbot.deviations.faults import FAULTS

SEARCHES, HASTY = 24, 6
"""Searches after which the choices can pass, and those under a quick budget. Chosen: a slow bot has no time
for MOST searches, and gross faults show in few."""

MOST = 60
"""Limit of the searches; chosen: `find_midgame` measured with this number how well each fault shows."""


@cache
def load_entries() -> tuple[dict[str, Any], ...]:
    """The entries of `data/midgame.json`, one a position."""
    return tuple(data_of("midgame")["probes"])


def probe_of(number: int) -> Probe:
    """The probe of a position: a whole game, move by move."""
    entry = load_entries()[number]
    moves = tuple((colour, vertex) for colour, vertex in entry["moves"])
    known = StoredExpectation(Expected(**entry["expected"]), {})
    return Probe(f"midgame-{number + 1}", EMPTY, entry["to_move"], entry["komi"], moves, known=known)


@cache
def simulated_counts(number: int, playouts: int) -> tuple[tuple[float, ...], ...]:
    """How often each candidate is chosen in DRAWN simulated searches: the counts of several bots.

    The first bot conforms. Each other bot has one of the faults of AMAF records that the entry lists. A share
    BLUR of the choices is spread evenly over the candidates. Raises DrawError below LEAST_PLAYOUTS.
    """
    entry = load_entries()[number]
    right = AmafMoments.of(entry["mean"], entry["covariance"])
    means = [right.mean, *(np.array(mean) for mean in entry["deviant"].values())]
    drawn = draw_choices_about(means, right.covariance, playouts, DRAWN, DRAWING_SEED)
    return tuple(tuple((1.0 - BLUR) * counts + BLUR * DRAWN / counts.size) for counts in drawn)


def judge_midgame(number: int, series: Series, expected: Expected) -> Judgement:
    """Judge whether the bot chooses each candidate as often as a conforming bot does.

    Skip below LEAST_PLAYOUTS. A move that is no candidate fails. With fewer searches than the effort asks
    for, the check is undecided.
    """
    if series.playouts < LEAST_PLAYOUTS:
        return Judgement(
            Outcome.SKIP, observed=f"with fewer than {LEAST_PLAYOUTS} playouts a search, choices say little"
        )
    made, candidates = len(series.searches), load_entries()[number]["candidates"]
    right, *deviant = simulated_counts(number, series.playouts)
    judgement = judge_shares([search.move for search in series.searches], candidates, right, deviant)
    if judgement.outcome is Outcome.FAIL:
        return with_reporter(judgement, series, candidates)
    # A smaller margin asks for more searches.
    enough = HASTY if series.effort.quick else SEARCHES / series.effort.margin_factor
    numbers = {**judgement.numbers, "searches": float(made)}
    if made >= enough:
        return replace(judgement, numbers=numbers)
    needed = (enough - made) * series.playouts
    return replace(judgement, outcome=Outcome.INCONCLUSIVE, numbers=numbers, playouts_needed=needed)


def expected_choices(number: int, playouts: int) -> dict[str, float]:
    """By vertex: its share in the choices of a conforming bot, with BLUR; empty below LEAST_PLAYOUTS."""
    if playouts < LEAST_PLAYOUTS:
        return {}
    counts = simulated_counts(number, playouts)[0]
    vertices = load_entries()[number]["candidates"]
    return {vertex: count / DRAWN for vertex, count in zip(vertices, counts, strict=True)}


def shows_fault(fault: str, playouts: int, _effort: Effort) -> bool:
    """Return True if the check shows a fault of AMAF records at this number of playouts.

    False for a wrong rule of choice: how well it shows was measured at one number of playouts alone.
    """
    return playouts >= LEAST_PLAYOUTS and FAULTS[fault].where == "amaf"


def _choice_check(number: int) -> Check:
    """State the check of the chosen moves at a position."""
    entry = load_entries()[number]
    return must(
        f"ref.choice.midgame-{number + 1}",
        "In mid-game, genmove answers each candidate about as often as a conforming bot does.",
        SearchProcedure(
            probe_of(number),
            partial(judge_midgame, number),
            least=8,
            most=MOST,
            least_quick=HASTY,
            choices=partial(expected_choices, number),
            shows=shows_fault,
        ),
        requires=PLAYOUT_COUNT,
        clause=entry["clause"],
        hint="a point counts for the side to move if that side was the first of either to play there; "
        "the highest wins/visits is chosen",
        kills=" ".join(entry["separates"]),
    )


def _playouts_check(number: int) -> Check:
    """State the check of the playouts from a position."""
    return must(
        f"ref.midgame.{number + 1}",
        "In mid-game, playouts have the lengths and results of uniform playouts.",
        SearchProcedure(probe_of(number), judge_moments(0.04, 0.04), least=8, most=MOST, least_quick=HASTY),
        requires=NODES_AND_SCORE,
        clause="uniform",
        hint="start a playout from the whole state of the game: stones, ko, side to move",
    )


NUMBERS = range(len(load_entries()))
CHECKS = (*map(_playouts_check, NUMBERS), *map(_choice_check, NUMBERS))
