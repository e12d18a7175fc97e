"""How often is a right bot refused? Checks of a simulated one, whose searches are drawn from the reference.

The plan, the judges and the error budget are those of a real check; only the searches are made up: lengths
and results are Normal with the expected moments (exact where these are), moves are drawn as a right bot
chooses them. Dialogues are left out: no chance is in them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import cast

import numpy as np
import numpy.typing as npt
from scipy.stats import beta

from harness.checks import midgame, opening
from harness.checks.bot import Bot, Facts
from harness.checks.evidence import conforming_moments
from harness.checks.judges import judge_ties
from harness.checks.model import REFUSING, Check
from harness.checks.probe import Probe, Probing, Search, Series
from harness.checks.run import Assignment
from harness.checks.searching import SYMMETRIES, Searching
from harness.checks.signatures import signatures
from harness.gtp import Exchange, Launch, format_vertex

Floats = npt.NDArray[np.float64]

PLAYOUTS = 1000
PATIENCE = 3


@dataclass(frozen=True)
class RefusalRate:
    """How many of so many simulated right bots were refused, by which checks, and what that says."""

    runs: int
    refused: int
    by: tuple[str, ...]  # a check for each refusal

    def interval(self, confidence: float = 0.95) -> tuple[float, float]:
        """Bounds of the true rate (Clopper & Pearson 1934)."""
        return clopper_pearson(self.refused, self.runs, confidence)


def clopper_pearson(events: int, runs: int, confidence: float = 0.95) -> tuple[float, float]:
    """Bounds of a rate by the exact test of a proportion. Raises ValueError for impossible counts."""
    if not 0 <= events <= runs or runs < 1:
        raise ValueError(f"{events} events in {runs} runs")
    tail = (1.0 - confidence) / 2.0
    low = 0.0 if events == 0 else float(beta.ppf(tail, events, runs - events + 1))
    high = 1.0 if events == runs else float(beta.isf(tail, events + 1, runs - events))
    return low, high


def refusal_rate(checks: Sequence[Check], runs: int, seed: int, playouts: int = PLAYOUTS) -> RefusalRate:
    """Check so many simulated right bots; every run is seeded by `seed` and its number."""
    refused = []
    for number in range(runs):
        failing = simulate(checks, np.random.default_rng((seed, number)), playouts)
        if failing:
            refused.append(failing[0])
    return RefusalRate(runs, len(refused), tuple(refused))


def simulate(checks: Sequence[Check], rng: np.random.Generator, playouts: int = PLAYOUTS) -> list[str]:
    """The checks that refuse one simulated right bot: an empty list, but for a chance of 0.001.

    Checks at probes of which no right bot's searches were recorded are left out.
    """
    known = signatures()[""].probes
    able = [c for c in checks if isinstance(c.procedure, Probing) and c.procedure.probe.id in known]
    searching = Simulated(able, rng, playouts)
    searching.run(math.inf, PATIENCE)
    budget = searching.budget()
    return [check.id for check in able if searching.final(check, budget)[0].outcome in REFUSING]


class _Nobody:
    """In place of a bot: nothing was ever said."""

    def recorded(self) -> tuple[Exchange, ...]:
        return ()


class Simulated(Searching):
    """The plan of a check, with searches that are drawn, not made."""

    def __init__(self, checks: Sequence[Check], rng: np.random.Generator, playouts: int) -> None:
        facts = cast(Facts, _Nobody())  # is asked of nothing, since no search is made
        assignment = Assignment(Launch("simulated"), checks)
        super().__init__(cast(Bot, _Nobody()), facts, checks, playouts, assignment)
        # Each probe has numbers of its own: in which order they are visited depends on the clock.
        self._rngs = dict(zip(self.places, rng.spawn(len(self.places)), strict=True))
        self._models = {
            name: _model(place.probe, playouts, any(_of_ties(check) for check in place.checks))
            for name, place in self.places.items()
        }

    def _search(self, probe: Probe, turn: int) -> Search:
        return self._models[probe.id].draw(self._rngs[probe.id])


@dataclass(frozen=True)
class _Model:
    """How one probe is searched by a right bot."""

    playouts: int
    mean: Floats
    root: Floats  # of the covariance of one playout
    bounds: tuple[int, int]  # of the length of a playout
    moves: tuple[str, ...]
    shares: Floats
    empty: Probe | None  # an empty board, on which points that are alike are chosen alike

    def draw(self, rng: np.random.Generator) -> Search:
        """One search."""
        noise = self.root @ rng.standard_normal(2) / math.sqrt(self.playouts)
        length, result = self.mean + noise
        low, high = (self.playouts * bound for bound in self.bounds)
        nodes = min(max(round(length * self.playouts), low), high)
        wins = min(max(round(2 * result * self.playouts) / 2, 0.0), float(self.playouts))
        move = self.moves[int(rng.choice(len(self.moves), p=self.shares))]
        if self.empty is not None:
            move = self.empty.turned_back(move, int(rng.integers(SYMMETRIES)))
        return Search(move, int(nodes), wins / self.playouts, 0.0)


def _of_ties(check: Check) -> bool:
    return isinstance(check.procedure, Probing) and check.procedure.judge is judge_ties


@cache
def _model(probe: Probe, playouts: int, equal: bool) -> _Model:
    recorded = signatures()[""].probes[probe.id]
    said = conforming_moments(Series(probe, playouts, ()), recorded)
    values, vectors = np.linalg.eigh(np.array(said.covariance))
    moves, weights = _choices(probe, playouts, recorded.moves, equal)
    return _Model(
        playouts,
        np.array(said.mean),
        vectors * np.sqrt(np.clip(values, 0.0, None)),
        (probe.expected.shortest, probe.expected.longest),
        tuple(moves),
        np.array(weights, dtype=np.float64) / sum(weights),
        None if probe.moves else probe,
    )


def _choices(
    probe: Probe, playouts: int, recorded: Mapping[str, int], equal: bool
) -> tuple[list[str], list[float]]:
    """The moves of a right bot and how often they come."""
    if equal:
        candidates = [format_vertex(point) for point in probe.position.candidates(probe.to_move)]
        return candidates, [1.0] * len(candidates)
    if probe == opening.PROBE:
        points = [format_vertex(divmod(number, opening.SIZE)) for number in range(opening.SIZE**2)]
        return points, [float(times) for times in opening.drawn_points(playouts)]
    if probe.id.startswith("midgame-"):
        number = int(probe.id.removeprefix("midgame-")) - 1
        return list(midgame.stored()[number]["candidates"]), list(midgame.expected_counts(number, playouts))
    return list(recorded), [float(times) for times in recorded.values()]
