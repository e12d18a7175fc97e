"""Simulates right bots, to measure how often the checks refuse them.

Planner, judges and error budget are those of a real run; only the searches are random numbers. Mean length
and result of a search are normal with the moments of a right bot; moves have the shares of its choices. In
the positions of explorations, searches are drawn from the enumerated playouts. Dialogues are left out, since
their results do not depend on chance.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
import numpy.typing as npt
from scipy.stats import binomtest

from harness.check.judges.moves import judge_ties
from harness.check.model import REFUSING, Check, Phase
from harness.check.phases.findings import ALPHA
from harness.check.phases.judged_searches import plan_of
from harness.check.phases.search_planner import SearchPlanner
from harness.check.procedures.probe import Probe
from harness.check.procedures.search import SYMMETRIES, SearchProcedure, SearchRecord, Series
from harness.diagnosis.choice_law import at_playouts
from harness.diagnosis.moments import conforming_moments
from harness.diagnosis.signatures import Signature, signatures
from harness.explore.procedures import ExplorePositions
from harness.gtp import Exchange, format_vertex
from harness.selftest.simulated_exploration import SimulatedExplorer
from harness.stats import Budget

Floats = npt.NDArray[np.float64]

Shift = tuple[float, float]
"""Deviation of a bot's mean length (in moves) and of its mean result."""

NO_SHIFT = (0.0, 0.0)

PLAYOUTS = 1000
"""Playouts per search of a simulated bot, unless a caller asks for another number."""

PATIENCE = 3
"""Deaths after which the planner gives up: a simulated bot has none."""


@dataclass(frozen=True)
class RefusalRate:
    """Number of simulated right bots that were refused, and the checks that refused them."""

    runs: int
    refused: int
    by: tuple[str, ...]  # for each refusal, the first check that refused

    def interval(self, confidence: float = 0.95) -> tuple[float, float]:
        """Return (low, high): exact bounds of the true rate."""
        return clopper_pearson(self.refused, self.runs, confidence)


def clopper_pearson(events: int, runs: int, confidence: float = 0.95) -> tuple[float, float]:
    """Return exact bounds of a rate (Clopper & Pearson 1934). Raises ValueError for impossible counts."""
    low, high = binomtest(events, runs).proportion_ci(confidence, method="exact")
    return float(low), float(high)


def refusal_rate(
    checks: Sequence[Check], runs: int, seed: int, playouts: int = PLAYOUTS, law: Law | None = None
) -> RefusalRate:
    """Check `runs` simulated bots, right ones by default. The seed of a run: `seed` and its number."""
    refused = []
    for number in range(runs):
        failing = simulate(checks, np.random.default_rng((seed, number)), playouts, law or Law())
        if failing:
            refused.append(failing[0])
    return RefusalRate(runs, len(refused), tuple(refused))


def simulate(checks: Sequence[Check], rng: np.random.Generator, playouts: int, law: Law) -> list[str]:
    """Return the ids of the checks that refuse one simulated bot; after a proof, with the proof.

    For a right bot there are none, with a probability of at least 0.999.
    """
    able = able_to_simulate(checks)
    reserved = {check.id: 1.0 for check in checks if check.procedure.phase is Phase.EXPLORATION}
    planner = SearchPlanner([law.searcher(able, rng, playouts)], able, playouts, reserved=reserved)
    planner.run(math.inf, PATIENCE)
    budget = planner.budget()
    explorations = [check for check in checks if isinstance(check.procedure, ExplorePositions)]
    return [
        *(
            refusal
            for check in explorations
            for refusal in _explore(check, budget, law.explorer(rng.spawn(1)[0], playouts))
        ),
        *(check.id for check in able if planner.final_judgement(check, budget).outcome in REFUSING),
    ]


def able_to_simulate(checks: Sequence[Check]) -> list[Check]:
    """Return the checks that search at a probe for which searches of a right bot are recorded."""
    known = signatures()[""].probes
    return [check for check in checks if check.procedure.search_plan and plan_of(check).probe.id in known]


def _explore(check: Check, budget: Budget, explorer: SimulatedExplorer) -> list[str]:
    """Explore with a simulated bot; return what `simulate` returns for this one check.

    The share of the error budget is that of the check in a real run.
    """
    explored = explorer.explore()
    if explored.proof is not None:  # an error of the harness: a right bot makes every search that is drawn
        clause, expected, observed = explored.proof
        return [f"{check.id} (a proof against a right bot, {clause}: {expected}; {observed})"]
    return [check.id] if explored.p_value <= ALPHA / len(budget.shares) else []


class SimulatedSearcher:
    """Draws searches of a right bot, with mean length and mean result moved by `shift`."""

    def __init__(
        self, checks: Sequence[Check], rng: np.random.Generator, playouts: int, shift: Shift = NO_SHIFT
    ) -> None:
        plans: dict[str, SearchProcedure] = {}  # one for each probe, which knows its choices if any does
        tied: set[str] = set()
        for check in checks:
            plan = plan_of(check)
            if plan.choices is not None or plan.probe.id not in plans:
                plans[plan.probe.id] = plan
            if plan.judge_series is judge_ties:
                tied.add(plan.probe.id)
        # One generator for each probe: the results then do not depend on the order of the searches.
        self._rngs = dict(zip(plans, rng.spawn(len(plans)), strict=True))
        self._models: dict[str, _Model] = {}
        for name, plan in plans.items():
            drawn = tuple(plan.expected_choices(playouts).items())
            self._models[name] = _model(plan.probe, playouts, name in tied, drawn).shifted(shift)

    def search(self, probe: Probe, turn: int) -> SearchRecord:
        """Draw one search."""
        return self._models[probe.id].draw(self._rngs[probe.id])

    def take_record(self) -> tuple[Exchange, ...]:
        """Return no exchanges."""
        return ()

    def abort(self) -> None:
        """Do nothing: no search runs in another thread."""


@dataclass(frozen=True)
class Law:
    """The classes that draw the searches of simulated bots; by default they draw those of right bots."""

    searcher: type[SimulatedSearcher] = SimulatedSearcher
    explorer: type[SimulatedExplorer] = SimulatedExplorer


@dataclass(frozen=True)
class _Model:
    """The distribution of a right bot's searches at one probe."""

    playouts: int
    mean: Floats  # of length and result of one playout
    root: Floats  # root @ root.T is their covariance matrix
    bounds: tuple[int, int]  # shortest and longest playout
    moves: tuple[str, ...]
    shares: Floats  # of the moves
    empty: Probe | None  # the probe, if its board is empty: each move is then turned by a random symmetry

    def shifted(self, shift: Shift) -> _Model:
        """Return a copy with other means."""
        return replace(self, mean=self.mean + np.array(shift))

    def draw(self, rng: np.random.Generator) -> SearchRecord:
        """Draw one search of the simulated bot: its move, nodes and score."""
        noise = self.root @ rng.standard_normal(2) / math.sqrt(self.playouts)
        length, result = self.mean + noise
        low, high = (self.playouts * bound for bound in self.bounds)
        nodes = min(max(round(length * self.playouts), low), high)
        wins = min(max(round(2 * result * self.playouts) / 2, 0.0), float(self.playouts))
        move = self.moves[int(rng.choice(len(self.moves), p=self.shares))]
        if self.empty is not None:
            move = self.empty.turned_back(move, int(rng.integers(SYMMETRIES)))
        return SearchRecord(move, int(nodes), wins / self.playouts, 0.0)


@cache
def _model(probe: Probe, playouts: int, equal: bool, drawn: tuple[tuple[str, float], ...]) -> _Model:
    """Return the distribution of a right bot's searches at a probe.

    equal   all candidates are equally likely
    drawn   pairs (move, share) of the choices, where they are known; empty: use the recorded moves
    """
    recorded = _recorded(playouts).probes[probe.id]
    said = conforming_moments(Series(probe, playouts, ()), recorded)
    values, vectors = np.linalg.eigh(np.array(said.covariance))
    moves, weights = _choices(probe, dict(drawn) or recorded.moves, equal)
    return _Model(
        playouts,
        np.array(said.mean),
        vectors * np.sqrt(np.clip(values, 0.0, None)),
        (probe.expected.shortest, probe.expected.longest),
        tuple(moves),
        np.array(weights, dtype=np.float64) / sum(weights),
        None if probe.moves else probe,
    )


@cache
def _recorded(playouts: int) -> Signature:
    """Return the record of a right bot, with its moves at a number of playouts."""
    return at_playouts({"": signatures()[""]}, playouts)[""]


def _choices(probe: Probe, drawn: Mapping[str, float], equal: bool) -> tuple[list[str], list[float]]:
    """Return the moves of a right bot, and their relative frequencies."""
    if equal:
        candidates = [format_vertex(point) for point in probe.position.candidates(probe.to_move)]
        return candidates, [1.0] * len(candidates)
    return list(drawn), [float(times) for times in drawn.values()]
