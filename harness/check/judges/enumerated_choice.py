"""Choices at stored probes whose AMAF records are enumerated: known exactly for any number of playouts.

An entry of such a data file has the position, what is expected of its playouts, its candidates, and the ways
in which one playout adds to their records (`records`: probability, result, a digit for each candidate).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np

from harness.check.judges.moves import DRAWING_SEED, DRAWN, judge_shares
from harness.check.model import Judgement
from harness.check.procedures.probe import Known, Probe
from harness.check.procedures.search import SearchProcedure, Series
from harness.check.stored_data import data_of
from harness.oracle import AmafRecords, choice_shares, rates
from harness.oracle.expected import Expected

Entry = Mapping[str, Any]

SEARCHES, QUICK_SEARCHES = 24, 10
"""Searches of a check of one entry, and those of a quick run; chosen."""


@cache
def entries(data: str) -> tuple[Entry, ...]:
    """The entries of a data file."""
    return tuple(data_of(data)["probes"])


def probe_of(entry: Entry) -> Probe:
    """The probe of an entry."""
    tail = tuple((colour, vertex) for colour, vertex in entry["tail"])
    known = Known(Expected(**entry["expected"]), {})
    return Probe(entry["id"], "\n".join(entry["board"]), entry["to_move"], entry["komi"], tail, known=known)


def records_of(entry: Entry) -> AmafRecords:
    """Return the contribution of one playout to the records of the entry's candidates, in their order."""
    ways: Sequence[Sequence[Any]] = entry["records"]
    return AmafRecords(
        np.array([probability for probability, _, _ in ways]),
        np.array([result for _, result, _ in ways]),
        np.array([[float(flag) for flag in credited] for _, _, credited in ways]),
    )


@cache
def expected_shares(data: str, number: int, playouts: int) -> tuple[float, ...]:
    """How often a conforming bot chooses each candidate of an entry, from `DRAWN` searches."""
    visits, wins = records_of(entries(data)[number]).draw(playouts, DRAWN, DRAWING_SEED)
    return tuple(map(float, choice_shares(rates(visits, wins))))


def judge_choices_of(data: str, number: int, series: Series) -> Judgement:
    """Judge whether the moves are chosen as often as a conforming bot chooses them."""
    counts = [DRAWN * share for share in expected_shares(data, number, series.playouts)]
    chosen = [search.move for search in series.searches]
    return judge_shares(chosen, entries(data)[number]["candidates"], counts)


def choice_procedure(data: str, number: int) -> SearchProcedure:
    """The procedure of a check of one entry."""

    def judge(series: Series, expected: Expected) -> Judgement:
        return judge_choices_of(data, number, series)

    def choices(playouts: int) -> dict[str, float]:
        shares = expected_shares(data, number, playouts)
        return dict(zip(entries(data)[number]["candidates"], shares, strict=True))

    return SearchProcedure(
        probe_of(entries(data)[number]),
        judge,
        least=SEARCHES,
        most=SEARCHES,
        least_quick=QUICK_SEARCHES,
        choices=choices,
    )
