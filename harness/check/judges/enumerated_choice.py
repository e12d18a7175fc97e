"""Judges of choices with enumerated AMAF records: each candidate has a known share at any number of playouts.

The positions are entries of data files. An entry has the board, the expected moments of its playouts, the
candidates, and `records`: the possible contributions of one playout to the AMAF records of the candidates.
An example with the candidates D5, E5 and F5:

    [0.125, 1.0, "101"]    with probability 1/8 the side to move wins, and the playout counts for D5 and F5
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from types import MappingProxyType
from typing import Any

import numpy as np

from harness.check.effort import Effort
from harness.check.judges.choice_power import (
    MOST,
    POWER_Z,
    ChoicePlan,
    Shares,
    plan_choices,
    shares_at,
)
from harness.check.judges.moves import judge_moves, judge_shares, with_reporter
from harness.check.model import Judgement, Outcome
from harness.check.procedures.probe import Probe, StoredExpectation
from harness.check.procedures.search import SearchProcedure, Series, search_cost
from harness.check.stored_data import data_of
from harness.go import Point
from harness.gtp import format_vertex, parse_vertex
from harness.oracle import AmafRecords, AmafValue, enumerate_amaf
from harness.oracle.expected import Expected

Entry = Mapping[str, Any]

DATA = ("close", "bookkeeping", "battery")
"""The data files with enumerated records; some entries of `battery` have none."""

CACHED = 256
"""Size of the caches; chosen: a run needs some thirty positions at one number of playouts."""


@dataclass(frozen=True, eq=False)
class EnumeratedChoice:
    """A position with the AMAF records of all its playouts; `enumerate_records` makes them at first use."""

    probe: Probe
    enumerate_records: Callable[[], AmafRecords]

    @cached_property
    def records(self) -> AmafRecords:
        """The possible contributions of one playout to the records of the candidates."""
        return self.enumerate_records()

    @cached_property
    def candidates(self) -> tuple[str, ...]:
        """The vertices of the candidates, in the order of the records."""
        return tuple(map(format_vertex, self.probe.position.candidates(self.probe.to_move)))

    @lru_cache(CACHED)  # noqa: B019 (the positions live as long as the program)
    def shares(self, playouts: int) -> Shares:
        """Return the share of each candidate in the choices, by the right and by wrong rules of choice."""
        return shares_at(self.records, playouts)

    def expected(self, playouts: int) -> dict[str, float]:
        """Return how often a conforming bot chooses each vertex, at this number of playouts; the sum is 1."""
        return dict(zip(self.candidates, map(float, self.shares(playouts).right), strict=False))

    def shows(self, rule: str, playouts: int, effort: Effort) -> bool:
        """Return True if few enough searches refuse a bot with a wrong rule of choice."""
        return self.shares(playouts).searches_for(rule, POWER_Z[effort.quick]) <= MOST[effort.quick]

    def judge(self, series: Series) -> Judgement:
        """Judge whether a bot chooses each candidate as often as a conforming bot does."""
        shares = self.shares(series.playouts)
        chosen = [search.move for search in series.searches]
        alternatives = [shares.counts(rule) for rule in shares.wrong]
        judgement = judge_shares(chosen, self.candidates, shares.counts(), alternatives)
        return with_reporter(judgement, series, self.candidates)

    def judge_exactly(self, series: Series, expected: Expected) -> Judgement:
        """Judge as `judge` does; but a move that no conforming bot chooses fails at once."""
        exact = judge_moves()(series, expected)
        return exact if exact.outcome is Outcome.FAIL else self.judge(series)


@cache
def entries(data: str) -> tuple[Entry, ...]:
    """Return the entries of the data file with this name (without `.json`), in the order of the file."""
    return tuple(data_of(data)["probes"])


@cache
def choices(data: str) -> Mapping[str, EnumeratedChoice]:
    """Return the positions with enumerated records of a data file, by the id of their entry."""
    return {entry["id"]: _read(entry) for entry in entries(data) if "records" in entry}


def probe_of(entry: Entry, amaf: Mapping[Point, AmafValue] | None = None) -> Probe:
    """Return the position of an entry as a probe; `amaf`: the exact values of its candidates, if known."""
    tail = tuple((colour, vertex) for colour, vertex in entry["tail"])
    known = StoredExpectation(Expected(**entry["expected"]), amaf or {})
    return Probe(entry["id"], "\n".join(entry["board"]), entry["to_move"], entry["komi"], tail, known=known)


def _read(entry: Entry) -> EnumeratedChoice:
    records = _records(entry["records"])
    amaf = _values(records, entry["candidates"], len(entry["board"]))
    return EnumeratedChoice(probe_of(entry, amaf), lambda: records)


def _records(ways: Sequence[Sequence[Any]]) -> AmafRecords:
    """Read the `records` of an entry (see the docstring of the module)."""
    return AmafRecords(
        np.array([probability for probability, _, _ in ways]),
        np.array([result for _, result, _ in ways]),
        np.array([[float(flag) for flag in credited] for _, _, credited in ways]),
    )


def _values(records: AmafRecords, candidates: Sequence[str], size: int) -> dict[Point, AmafValue]:
    """Return the mean visits and wins that one playout adds to the record of each candidate."""
    visits = records.probabilities @ records.credited
    wins = (records.probabilities * records.results) @ records.credited
    points = [parse_vertex(vertex, size) for vertex in candidates]
    return {
        point: AmafValue(float(tried), float(won))
        for point, tried, won in zip(points, visits, wins, strict=True)
        if point is not None and tried
    }


def choice_at(probe: Probe) -> EnumeratedChoice:
    """Return a position whose records are enumerated when they are needed: its playouts must be short."""

    def records() -> AmafRecords:
        position = probe.position
        playouts = enumerate_amaf(position, probe.to_move, ko=position.ko_ban(probe.to_move))
        return playouts.records(probe.komi, position.candidates(probe.to_move))

    return EnumeratedChoice(probe, records)


@lru_cache(CACHED)
def plan_for(playouts: int, effort: Effort) -> ChoicePlan:
    """Return the searches that show the wrong rules of choice at a number of playouts."""
    every = {name: choice for data in DATA for name, choice in choices(data).items()}
    costs = {name: search_cost(choice.probe, playouts) for name, choice in every.items()}
    return plan_choices({name: choice.shares(playouts) for name, choice in every.items()}, costs, effort)


def choice_procedure(
    choice: EnumeratedChoice,
    least: int,
    least_quick: int,
    *,
    exact: bool = False,
    rules: Mapping[str, str] = MappingProxyType({}),
) -> SearchProcedure:
    """Make the procedure of the check at one position.

    least         searches at least; more if `plan_for` or `rules` need more at the bot's number of playouts,
                  up to MOST, also for a rule that no number of searches shows
    least_quick   the same under a quick budget
    exact         a move that no conforming bot chooses is proof
    rules         by fault: its rule of choice, which this position has to show even if another one shows it
                  sooner
    """

    def judge(series: Series, expected: Expected) -> Judgement:
        return choice.judge_exactly(series, expected) if exact else choice.judge(series)

    def needed(playouts: int, effort: Effort) -> int:
        planned = plan_for(playouts, effort).searches.get(choice.probe.id, 0)
        own = (choice.shares(playouts).searches_for(rule, POWER_Z[effort.quick]) for rule in rules.values())
        return max([planned, *(math.ceil(min(MOST[effort.quick], searches)) for searches in own)])

    def shows(fault: str, playouts: int, effort: Effort) -> bool:
        if fault in rules:
            return choice.shows(rules[fault], playouts, effort)
        return fault not in plan_for(playouts, effort).untested

    return SearchProcedure(
        choice.probe,
        judge,
        least=least,
        most=least,
        least_quick=least_quick,
        choices=choice.expected,
        needed=needed,
        shows=shows,
    )
