"""Rate at which a check passes simulated bots that deviate by exactly its margin.

The promise is a rate of at most `BETA` (harness.check.judges.moments) for each margin of each check.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import cycle
from zlib import crc32

import numpy as np

from harness.check.model import Check, Outcome
from harness.check.phases.judged_searches import plan_of
from harness.check.phases.search_planner import SearchPlanner
from harness.check.procedures.search import Series
from harness.selftest.simulation import (
    NO_SHIFT,
    PATIENCE,
    PLAYOUTS,
    Shift,
    SimulatedSearcher,
    able_to_simulate,
)

STATISTICS = ("length", "result")


@dataclass(frozen=True)
class PassRate:
    """Numbers of simulated bots for one margin of a check, and of those that it passed and refused."""

    check: str
    statistic: str  # length or result
    runs: int  # simulated bots; those neither passed nor refused stayed undecided
    passed: int
    refused: int


def pass_rates(
    checks: Sequence[Check], runs: int, seed: int, playouts: int = PLAYOUTS, *, shifted: bool = True
) -> list[PassRate]:
    """Simulate `runs` bots for each margin of each check, and count how the check judges them.

    Each bot's mean length, or mean result, is off by exactly the margin; if both directions are possible,
    they alternate. If `shifted` is False, no mean is off: the bots are right. Checks without a margin are
    left out. The random numbers of a run come from `seed`, the id of the check and the number of the run.
    """
    found = []
    for check in able_to_simulate(checks):
        for statistic, shifts in _shifts(check, playouts).items():
            rngs = map(np.random.default_rng, ((seed, crc32(check.id.encode()), n) for n in range(runs)))
            outcomes = [
                _outcome(check, rng, playouts, shift if shifted else NO_SHIFT)
                for rng, shift in zip(rngs, cycle(shifts), strict=False)
            ]
            passed, refused = outcomes.count(Outcome.PASS), outcomes.count(Outcome.FAIL)
            found.append(PassRate(check.id, statistic, runs, passed, refused))
    return found


def _shifts(check: Check, playouts: int) -> dict[str, list[Shift]]:
    """Return by statistic the deviations of one margin, up and down, that are possible in the position."""
    expected = plan_of(check).probe.expected
    searcher = SimulatedSearcher([check], np.random.default_rng(0), playouts)
    one = Series(plan_of(check).probe, playouts, (searcher.search(plan_of(check).probe, 0),))
    numbers = check.procedure.judge(one).numbers
    bounds = ((expected.shortest, expected.longest, expected.mean_length), (0.0, 1.0, expected.mean_result))
    shifts: dict[str, list[Shift]] = {}
    for place, (statistic, (least, most, mean)) in enumerate(zip(STATISTICS, bounds, strict=True)):
        margin = numbers.get(f"{statistic}_margin", 0.0)
        possible = [d for d in (margin, -margin) if d and least < mean + d < most]
        if possible:
            shifts[statistic] = [(d, 0.0) if place == 0 else (0.0, d) for d in possible]
    return shifts


def _outcome(check: Check, rng: np.random.Generator, playouts: int, shift: Shift) -> Outcome:
    """Return the outcome of a check on one simulated bot, in a run of this check alone."""
    planner = SearchPlanner([SimulatedSearcher([check], rng, playouts, shift)], [check], playouts)
    planner.run(math.inf, PATIENCE)
    return planner.final_judgement(check, planner.budget()).outcome
