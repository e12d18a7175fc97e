"""`ref.choice.opening`: how often a bot chooses each kind of point on the empty board.

A kind is a set of points that symmetries of the board map to each other. Kinds are numbered from 0, and
`square_orbits` has for each point the number of its kind. With hundreds of visits a point, a search prefers
the better kinds; a bot with other records, or with another rule of choice, prefers others. The expected
choices are drawn from moments that `harness.tools.find_midgame --opening` recorded.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import numpy.typing as npt

from harness.check.judges.choice_power import DRAWING_SEED, DRAWN
from harness.check.judges.moves import BLUR, judge_shares, point_of, with_reporter
from harness.check.model import PLAYOUT_COUNT, Judgement, Outcome
from harness.check.procedures.probe import empty_board
from harness.check.procedures.search import SearchProcedure, Series
from harness.check.stored_data import data_of
from harness.go import all_points
from harness.gtp import format_vertex
from harness.oracle.expected import Expected
from harness.oracle.midgame import LEAST_PLAYOUTS, AmafMoments, draw_choices
from harness.stats import square_orbits
from harness.suite.statement import must

SIZE, KOMI = 9, 7.5
PROBE = empty_board(KOMI)
SEARCHES, HASTY = 40, 10
"""Searches, and those under a quick budget. Measured: gross faults get p-values below 1e-5 in 40 searches."""


@cache
def moments() -> AmafMoments:
    """Mean and covariance of what one playout from the empty board adds to the AMAF records of the points."""
    stored = data_of("opening")
    return AmafMoments.of(stored["mean"], stored["covariance"])


@cache
def drawn_points(playouts: int) -> npt.NDArray[np.int64]:
    """How often a conforming bot chooses each point in DRAWN simulated searches.

    The array has shape (81,), in the order A1, B1, and so on. Raises DrawError below LEAST_PLAYOUTS.
    """
    return draw_choices(moments(), playouts, DRAWN, DRAWING_SEED)


@cache
def expected_counts(playouts: int) -> tuple[float, ...]:
    """How often a conforming bot chooses each kind in DRAWN simulated searches, by the number of the kind.

    A share BLUR of the choices is spread evenly over the points.
    """
    orbits, drawn = square_orbits(SIZE), drawn_points(playouts)
    sizes = np.bincount(orbits)
    return tuple((1.0 - BLUR) * np.bincount(orbits, drawn) + BLUR * DRAWN * sizes / sizes.sum())


def judge_opening(series: Series, expected: Expected) -> Judgement:
    """Judge whether each kind of point is chosen as often as a conforming bot chooses it.

    Skip below LEAST_PLAYOUTS. A pass or a resignation fails; another check may report it.
    """
    if series.playouts < LEAST_PLAYOUTS:
        return Judgement(
            Outcome.SKIP, observed=f"with fewer than {LEAST_PLAYOUTS} playouts a search, choices say little"
        )
    counts = expected_counts(series.playouts)
    names = [_named(kind) for kind in range(len(counts))]
    judgement = judge_shares([_kind(search.move) for search in series.searches], names, counts)
    if judgement.outcome is Outcome.FAIL:  # a pass or a resignation, which has no images
        return with_reporter(judgement, series, [format_vertex(point) for point in all_points(SIZE)])
    return replace(judgement, observed=f"{judgement.observed}, with their images")


def expected_choices(playouts: int) -> dict[str, float]:
    """By vertex: its share in the choices of a conforming bot, without BLUR; empty below LEAST_PLAYOUTS."""
    if playouts < LEAST_PLAYOUTS:
        return {}
    return {
        format_vertex(divmod(index, SIZE)): float(times) / DRAWN
        for index, times in enumerate(drawn_points(playouts))
    }


def _kind(move: str) -> str:
    """The name of the kind of a chosen point, such as E1 for E9; PASS and RESIGN stay unchanged."""
    point = point_of(move, SIZE)
    return move if point is None else _named(square_orbits(SIZE)[point[0] * SIZE + point[1]])


def _named(kind: int) -> str:
    """The name of a kind: its first vertex in the order A1, B1, and so on."""
    return format_vertex(divmod(square_orbits(SIZE).index(kind), SIZE))


CHECKS = (
    must("ref.choice.opening",
         "On the empty board, the bot chooses each kind of point as often as a conforming bot does.",
         SearchProcedure(PROBE, judge_opening, least=SEARCHES, most=SEARCHES, least_quick=HASTY,
                         choices=expected_choices), requires=PLAYOUT_COUNT,
         clause="amaf",
         hint="each point of a playout counts for whoever was the first to play there, up to the last move",
         kills="amaf-opponent best-visits best-lowest best-random"),
)  # fmt: skip
