"""`ref.choice.opening`: how often a bot chooses which point of the empty board, alike points taken together.

With hundreds of visits a point, a search sees which points are the better ones; with the few that are left
where records are cut short, it hardly does. The moments come from `find_midgame --opening`, which makes those
of alike points the same.
"""

from __future__ import annotations

import json
from collections import Counter
from functools import cache
from importlib.resources import files

import numpy as np
import numpy.typing as npt

from harness.checks.judges import point_of
from harness.checks.midgame import BLUR, DRAWING_SEED, DRAWN
from harness.checks.model import Check, Judgement, Level, Outcome
from harness.checks.playing import empty_board
from harness.checks.probe import Probing, Series
from harness.gtp import format_vertex
from harness.oracle.expected import Expected
from harness.oracle.midgame import LEAST_PLAYOUTS, AmafMoments, draw_choices
from harness.stats import judge_against_sample, square_orbits

SIZE, KOMI = 9, 7.5
PROBE = empty_board(KOMI)
SEARCHES, HASTY = 60, 20
NAMED = 4
"""Kinds of points that are told with their share."""


@cache
def moments() -> AmafMoments:
    """What one playout from the empty board adds to the records of the 81 points."""
    stored = json.loads(files("harness.checks").joinpath("data/opening.json").read_text("utf-8"))
    mean = np.array(stored["mean"])
    covariance = np.zeros((mean.size, mean.size))
    covariance[np.triu_indices(mean.size)] = stored["covariance"]
    return AmafMoments(mean, covariance + np.triu(covariance, 1).T)


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
    """Whether each kind of point is chosen as often as a conforming bot chooses it."""
    if series.playouts < LEAST_PLAYOUTS:
        return Judgement(
            Outcome.SKIP, observed=f"with fewer than {LEAST_PLAYOUTS} playouts a search, choices say little"
        )
    points = [point_of(search.move, SIZE) for search in series.searches]
    chosen = [square_orbits(SIZE)[row * SIZE + column] for row, column in filter(None, points)]
    if len(chosen) < len(points):
        return Judgement(Outcome.FAIL, "a point of the board", "a pass or a resignation")
    counts, made = expected_counts(series.playouts), len(chosen)
    likely = sorted(((share, kind) for kind, share in enumerate(counts)), reverse=True)[:NAMED]
    wanted = ", ".join(f"{_named(kind)} {share / DRAWN:.0%}" for share, kind in likely)
    seen = ", ".join(
        f"{_named(kind)} {times / made:.0%}" for kind, times in Counter(chosen).most_common(NAMED)
    )
    evidence = judge_against_sample(chosen, counts)
    numbers = {"p_value": evidence.p_value, "distance": evidence.distance}
    return Judgement(
        Outcome.PASS,
        wanted,
        f"{seen} of {made}, with their images",
        numbers=numbers,
        p_value=evidence.p_value,
    )


def _named(kind: int) -> str:
    """A point of a kind."""
    return format_vertex(divmod(square_orbits(SIZE).index(kind), SIZE))


CHECKS = (
    Check(
        id="ref.choice.opening",
        clause="amaf",
        level=Level.MUST,
        title="On the empty board, points are chosen as often as all-moves-as-first statistics let them be.",
        procedure=Probing(PROBE, judge_opening, least=SEARCHES, most=SEARCHES, hasty=HASTY, needs=()),
        hint="each point of a playout counts for whoever was the first to play there, up to the last move",
        kills=("amaf-opponent", "best-visits", "best-lowest", "best-random"),
    ),
)
