"""`ref.choice.midgame-*`: how often a bot chooses which move in mid-game, against what is expected.

Near the end only gross errors of bookkeeping show; here also those that spoil the statistics a little. The
positions were found by `find_midgame`.
"""

from __future__ import annotations

import json
from collections import Counter
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np
import numpy.typing as npt

from harness.checks.judges import judge_moments
from harness.checks.model import Check, Judgement, Level, Outcome
from harness.checks.playing import EMPTY
from harness.checks.probe import Known, Probe, Probing, Series
from harness.oracle.expected import Expected
from harness.oracle.midgame import LEAST_PLAYOUTS, AmafMoments, draw_choices
from harness.stats import judge_against_sample

SEARCHES = 40
"""Searches after which the choices are judged; fewer say too little."""

HASTY = 8
"""The same under a quick budget."""

MOST = 60

DRAWN = 20_000
DRAWING_SEED = 1
BLUR = 0.02
"""Share of the expected choices spread over all candidates: what the normal approximation may be off by."""


@cache
def stored() -> tuple[dict[str, Any], ...]:
    """The entries of the data file."""
    text = files("harness.checks").joinpath("data/midgame.json").read_text("utf-8")
    return tuple(json.loads(text)["probes"])


def probe(number: int) -> Probe:
    """The probe of an entry: a whole game, move by move."""
    entry = stored()[number]
    moves = tuple((colour, vertex) for colour, vertex in entry["moves"])
    known = Known(Expected(**entry["expected"]), {})
    return Probe(f"midgame-{number + 1}", EMPTY, entry["to_move"], entry["komi"], moves, known=known)


def moments(number: int) -> AmafMoments:
    """The AMAF moments of an entry's candidates, in their order."""
    entry = stored()[number]
    mean = np.array(entry["mean"])
    covariance = np.zeros((mean.size, mean.size))
    upper = np.triu_indices(mean.size)
    covariance[upper] = entry["covariance"]
    return AmafMoments(mean, covariance + np.triu(covariance, 1).T)


@cache
def deviant_counts(number: int, playouts: int) -> tuple[tuple[float, ...], ...]:
    """The same for each way of keeping the records that the entry knows to be wrong."""
    right = moments(number)
    wrong = (AmafMoments(np.array(mean), right.covariance) for mean in stored()[number]["deviant"].values())
    return tuple(_blurred(draw_choices(one, playouts, DRAWN, DRAWING_SEED)) for one in wrong)


@cache
def expected_counts(number: int, playouts: int) -> tuple[float, ...]:
    """How often each candidate is chosen in `DRAWN` searches of a conforming bot, a little blurred."""
    return _blurred(draw_choices(moments(number), playouts, DRAWN, DRAWING_SEED))


def _blurred(counts: npt.NDArray[np.int64]) -> tuple[float, ...]:
    return tuple((1.0 - BLUR) * counts + BLUR * DRAWN / counts.size)


def judge_midgame(number: int, series: Series) -> Judgement:
    """Whether the moves are chosen as often as a conforming bot chooses them."""
    if series.playouts < LEAST_PLAYOUTS:
        return Judgement(
            Outcome.SKIP, observed=f"with fewer than {LEAST_PLAYOUTS} playouts a search, choices say little"
        )
    names = stored()[number]["candidates"]
    chosen = Counter(search.move for search in series.searches)
    counts = expected_counts(number, series.playouts)
    likely = sorted(zip(counts, names, strict=True), reverse=True)[:4]
    total = sum(counts)
    wanted = ", ".join(f"{name} {count / total:.0%}" for count, name in likely)
    made = len(series.searches)
    seen = ", ".join(f"{name} {times / made:.0%}" for name, times in chosen.most_common(4)) + f" of {made}"
    strange = [move for move in chosen if move not in names]
    if strange:
        return Judgement(Outcome.FAIL, "a candidate", f"{strange[0]}")
    choices = [names.index(search.move) for search in series.searches]
    evidence = judge_against_sample(choices, counts, deviant_counts(number, series.playouts))
    enough = SEARCHES / series.precision if series.precision <= 1.0 else HASTY
    outcome = Outcome.PASS if made >= enough else Outcome.INCONCLUSIVE
    numbers = {"p_value": evidence.p_value, "distance": evidence.distance, "searches": float(made)}
    if outcome is Outcome.INCONCLUSIVE:
        numbers["playouts_needed"] = float((enough - made) * series.playouts)
    return Judgement(outcome, wanted, seen, numbers=numbers, p_value=evidence.p_value)


def _check(number: int) -> Check:
    def judge(series: Series, expected: Expected) -> Judgement:
        return judge_midgame(number, series)

    return Check(
        id=f"ref.choice.midgame-{number + 1}",
        clause=stored()[number]["clause"],
        level=Level.MUST,
        title="In mid-game, moves are chosen as often as all-moves-as-first statistics let them be.",
        procedure=Probing(probe(number), judge, least=8, most=MOST, needs=()),
        hint="a point counts for the side to move if that side was the first of either to play there; "
        "the highest wins/visits is chosen",
        kills=tuple(stored()[number]["separates"]),
    )


def _moments_check(number: int) -> Check:
    return Check(
        id=f"ref.midgame.{number + 1}",
        clause="uniform",
        level=Level.MUST,
        title="From the middle of a game too, playouts last and end as they must.",
        procedure=Probing(probe(number), judge_moments(0.04, 0.04), least=8, most=MOST),
        hint="start a playout from the whole state of the game: stones, ko, side to move",
    )


CHECKS = tuple(make(number) for make in (_moments_check, _check) for number in range(len(stored())))
