"""`ref.choice.opening`: how often a bot chooses which point of the empty board, alike points taken together.

With hundreds of visits a point, a search sees which points are the better ones; with the few that are left
where records are cut short, it hardly does. The moments come from `find_midgame --opening`, which makes those
of alike points the same.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import numpy.typing as npt

from harness.check.judges.moves import BLUR, DRAWING_SEED, DRAWN, judge_shares, point_of
from harness.check.model import PLAYOUT_COUNT, Check, Judgement, Level, Outcome
from harness.check.procedures.probe import empty_board
from harness.check.procedures.search import SearchProcedure, Series
from harness.check.stored_data import data_of
from harness.gtp import format_vertex
from harness.oracle.expected import Expected
from harness.oracle.midgame import LEAST_PLAYOUTS, AmafMoments, draw_choices
from harness.stats import square_orbits

SIZE, KOMI = 9, 7.5
PROBE = empty_board(KOMI)
SEARCHES, HASTY = 40, 10


@cache
def moments() -> AmafMoments:
    """Return the contribution of one playout from the empty board to the records of the 81 points."""
    stored = data_of("opening")
    return AmafMoments.of(stored["mean"], stored["covariance"])


@cache
def drawn_points(playouts: int) -> npt.NDArray[np.int64]:
    """How often each point, row x size + column, is chosen in `DRAWN` searches of a conforming bot."""
    return draw_choices(moments(), playouts, DRAWN, DRAWING_SEED)


@cache
def expected_counts(playouts: int) -> tuple[float, ...]:
    """How often each kind of point is chosen in `DRAWN` searches of a conforming bot, a little blurred."""
    orbits, drawn = square_orbits(SIZE), drawn_points(playouts)
    sizes = np.bincount(orbits)
    return tuple((1.0 - BLUR) * np.bincount(orbits, drawn) + BLUR * DRAWN * sizes / sizes.sum())


def judge_opening(series: Series, expected: Expected) -> Judgement:
    """Judge whether each kind of point is chosen as often as a conforming bot chooses it."""
    if series.playouts < LEAST_PLAYOUTS:
        return Judgement(
            Outcome.SKIP, observed=f"with fewer than {LEAST_PLAYOUTS} playouts a search, choices say little"
        )
    counts = expected_counts(series.playouts)
    names = [_named(kind) for kind in range(len(counts))]
    judgement = judge_shares([_kind(search.move) for search in series.searches], names, counts)
    return replace(judgement, observed=f"{judgement.observed}, with their images")


def expected_choices(playouts: int) -> dict[str, float]:
    """The share of each point in the choices of a conforming bot."""
    if playouts < LEAST_PLAYOUTS:
        return {}
    return {
        format_vertex(divmod(index, SIZE)): float(times) / DRAWN
        for index, times in enumerate(drawn_points(playouts))
    }


def _kind(move: str) -> str:
    """The first of the points that are like a chosen one; a pass and a resignation stay what they are."""
    point = point_of(move, SIZE)
    return move if point is None else _named(square_orbits(SIZE)[point[0] * SIZE + point[1]])


def _named(kind: int) -> str:
    """The first point of a kind."""
    return format_vertex(divmod(square_orbits(SIZE).index(kind), SIZE))


CHECKS = (
    Check(
        id="ref.choice.opening",
        clause="amaf",
        level=Level.MUST,
        title="On the empty board, the bot chooses each kind of point as often as a conforming bot does.",
        procedure=SearchProcedure(
            PROBE,
            judge_opening,
            least=SEARCHES,
            most=SEARCHES,
            least_quick=HASTY,
            choices=expected_choices,
        ),
        requires=PLAYOUT_COUNT,
        hint="each point of a playout counts for whoever was the first to play there, up to the last move",
        kills=("amaf-opponent", "best-visits", "best-lowest", "best-random"),
    ),
)
