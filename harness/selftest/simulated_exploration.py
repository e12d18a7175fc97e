"""The exploration of positions with a simulated right bot: how its evidence grows when nothing is wrong.

The positions are generated as in a real check, and the real survey judges them. Searches are drawn from the
enumerated playouts: length, result and records together, and the choice from these records. Where the choice
is not judged, the move is any candidate. Where the specification leaves several laws open, one is drawn.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from harness.check.effort import STANDARD
from harness.check.procedures.probe import Probe
from harness.check.procedures.search import SearchRecord
from harness.explore.abilities import Abilities
from harness.explore.choices import amaf_at, choice_key
from harness.explore.coverage import Coverage
from harness.explore.laws import distributions_at, search_key
from harness.explore.position_judge import PositionJudge
from harness.explore.position_survey import PositionSurvey
from harness.explore.positions import DrawnPosition, draw_position
from harness.gtp import format_vertex
from harness.oracle import MarginDistribution, WholePlayouts, rates
from harness.oracle.distribution import result_for

ABILITIES = Abilities((2, 3, 4, 5, 6, 7, 9, 13, 19), cap_of_game=True)
"""The abilities of the reference bot that the choice of positions depends on."""

POOL = 300
"""Number of positions that all runs share, since enumerating one takes long; chosen."""

POOL_SEED = 1

AT_A_TIME = 2
"""Number of positions in a batch, as `PositionExplorer` has them for one instance of a bot."""


@dataclass(frozen=True)
class Explored:
    """Result of an exploration of a simulated bot.

    proof   clause, expected and observed answer of the first search that no right bot can make; else None
    """

    p_value: float
    proof: tuple[str, str, str] | None
    coverage: Coverage


@dataclass(frozen=True)
class SimulatedPosition:
    """One position as a right bot searches it, by one reading of the specification."""

    ways: WholePlayouts
    candidates: tuple[str, ...]

    def search(self, playouts: int, rng: np.random.Generator) -> SearchRecord:
        """Draw one search of a right bot."""
        found = self.ways.draw_search(playouts, rng)
        if not self.candidates:
            return SearchRecord("PASS", found.nodes, found.score, 0.0)
        rate = rates(found.visits, found.wins)
        best = np.flatnonzero(rate == rate.max())
        return SearchRecord(self.candidates[rng.choice(best)], found.nodes, found.score, 0.0)


class SimulatedExplorer:
    """Explores positions of the pool with one simulated right bot."""

    def __init__(self, rng: np.random.Generator, playouts: int, positions: int = STANDARD.explored) -> None:
        self.playouts = playouts
        self.rng = rng
        self.numbers = [int(number) for number in rng.permutation(POOL)[:positions]]
        self._readings: dict[str, SimulatedPosition] = {}  # by probe: the reading that this bot follows

    def explore(self) -> Explored:
        """Search the positions; stop at the first proof."""
        survey = PositionSurvey(self.search, self.draw, self.playouts, cap_of_game=ABILITIES.cap_of_game)
        coverage, proof = Coverage(), None
        for start in range(0, len(self.numbers), AT_A_TIME):
            surveyed = survey.search(self.numbers[start : start + AT_A_TIME])
            for one in surveyed:
                coverage.add(one.coverage)
            proof = next((one.proof for one in surveyed if one.proof is not None), None)
            if proof is not None:
                break
        return Explored(survey.p_value, proof, coverage)

    def draw(self, number: int) -> DrawnPosition | None:
        """Return a position of the pool, and choose the reading that this bot follows there.

        None if nothing can be judged there.
        """
        drawn = pooled(number, self.playouts)
        if drawn is not None:
            readings = simulated(number, self.playouts)
            self._readings[drawn.probe.id] = readings[int(self.rng.integers(len(readings)))]
        return drawn

    def search(self, probes: Sequence[Probe]) -> list[SearchRecord]:
        """Draw one search of a right bot at each probe."""
        return [self._readings[probe.id].search(self.playouts, self.rng) for probe in probes]


@cache
def pooled(number: int, playouts: int) -> DrawnPosition | None:
    """Return a position of the pool; None if nothing can be judged there."""
    return draw_position(POOL_SEED, number, ABILITIES, playouts)


@cache
def simulated(number: int, playouts: int) -> tuple[SimulatedPosition, ...]:
    """Return one position of the pool as a right bot searches it, once for each reading of its rules.

    Only once if its choice is judged. `pooled` must have the position.
    """
    drawn = pooled(number, playouts)
    assert drawn is not None, "else nothing is searched"
    probe = drawn.probe
    points = probe.position.candidates(probe.to_move)
    candidates = tuple(map(format_vertex, points))
    if PositionJudge(drawn, playouts, cap_of_game=ABILITIES.cap_of_game).choice is not None:
        amaf = amaf_at(choice_key(probe.position, probe.to_move))
        return (SimulatedPosition(amaf.playouts(probe.komi, points), candidates),)
    key = search_key(probe.position, probe.to_move, cap_of_game=ABILITIES.cap_of_game)
    distributions = distributions_at(key)
    assert distributions, "positions that cannot be enumerated are not generated"
    return tuple(
        SimulatedPosition(_without_records(distribution, probe.komi, len(points)), candidates)
        for distribution in distributions
    )


def _without_records(distribution: MarginDistribution, komi: float, candidates: int) -> WholePlayouts:
    """Return playouts without AMAF records, so that all candidates are equal."""
    outcomes = distribution.probabilities
    probabilities = np.array([float(p) for p in outcomes.values()])
    return WholePlayouts(
        probabilities / probabilities.sum(),
        np.array([float(result_for(distribution.to_move, margin, komi)) for _, margin in outcomes]),
        np.zeros((len(outcomes), candidates)),
        np.array([float(length) for length, _ in outcomes]),
    )
