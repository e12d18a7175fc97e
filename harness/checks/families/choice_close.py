"""`ref.choice.close-*`: the highest rate is chosen also where the next one is less than a hundredth below it.

Found by `find_close`. The law by which one playout adds to the records is known exactly, and so is how often
a conforming bot chooses which move, for any number of playouts.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from harness.checks.judges.shares import DRAWING_SEED, DRAWN, judge_shares
from harness.checks.model import PLAYOUT_COUNT, Check, Judgement, Level
from harness.checks.procedures.probe import Known, Probe
from harness.checks.procedures.search import SearchProcedure, Series
from harness.checks.stored_data import data_of
from harness.oracle import AmafRecords, choice_shares, rates
from harness.oracle.expected import Expected

SEARCHES, HASTY = 24, 10


@cache
def stored() -> tuple[dict[str, Any], ...]:
    """The entries of the data file."""
    return tuple(data_of("close")["probes"])


def probe(number: int) -> Probe:
    """The probe of an entry."""
    entry = stored()[number]
    tail = tuple((colour, vertex) for colour, vertex in entry["tail"])
    known = Known(Expected(**entry["expected"]), {})
    return Probe(entry["id"], "\n".join(entry["board"]), entry["to_move"], entry["komi"], tail, known=known)


def records(number: int) -> AmafRecords:
    """What one playout adds to the records of the entry's candidates, in their order."""
    ways = stored()[number]["records"]
    return AmafRecords(
        np.array([probability for probability, _, _ in ways]),
        np.array([result for _, result, _ in ways]),
        np.array([[float(flag) for flag in credited] for _, _, credited in ways]),
    )


@cache
def expected_shares(number: int, playouts: int) -> tuple[float, ...]:
    """How often a conforming bot chooses each candidate, from `DRAWN` searches."""
    visits, wins = records(number).draw(playouts, DRAWN, DRAWING_SEED)
    return tuple(map(float, choice_shares(rates(visits, wins))))


def judge_close(number: int, series: Series) -> Judgement:
    """Whether the moves are chosen as often as a conforming bot chooses them."""
    counts = [DRAWN * share for share in expected_shares(number, series.playouts)]
    return judge_shares([search.move for search in series.searches], stored()[number]["candidates"], counts)


def _check(number: int) -> Check:
    def judge(series: Series, expected: Expected) -> Judgement:
        return judge_close(number, series)

    return Check(
        id=f"ref.choice.close-{number + 1}",
        clause="best-rate",
        level=Level.MUST,
        title="The highest rate is chosen, also where another is less than a hundredth below it.",
        procedure=SearchProcedure(probe(number), judge, least=SEARCHES, most=SEARCHES, least_quick=HASTY),
        requires=PLAYOUT_COUNT,
        hint="compare wins / visits as they are: not rounded, no tolerance, nothing added",
        kills=tuple(stored()[number]["separates"]),
    )


CHECKS = tuple(_check(number) for number in range(len(stored())))
