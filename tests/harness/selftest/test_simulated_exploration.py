"""Tests of the simulated explorations: right bots are not refused, wrong ones are."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from harness.check.bot.introduction import introduction_of
from harness.check.procedures.probe import Probe
from harness.check.procedures.search import SearchRecord
from harness.explore.abilities import find_abilities
from harness.explore.choices import choice_key, choice_law
from harness.explore.positions import laws_of_probe
from harness.selftest.hosted_bot import HostedBot
from harness.selftest.simulated_exploration import (
    ABILITIES,
    SimulatedExplorer,
    SimulatedPosition,
    pooled,
    simulated,
)
from harness.selftest.simulation import Law, refusal_rate
from harness.suite.registry import select

PLAYOUTS = 1000
POSITIONS = 40
EXPLORATION = select(["ref.explore"])
REFUSED = 1e-6
"""A p-value at which a check refuses whatever else it judges."""


def explorer(kind: type[SimulatedExplorer], seed: int, positions: int = POSITIONS) -> SimulatedExplorer:
    return kind(np.random.default_rng(seed), PLAYOUTS, positions)


def tilted(position: SimulatedPosition, lengths: float, results: float) -> SimulatedPosition:
    """The playouts with other probabilities: longer ones, or won ones, are likelier."""
    ways = position.ways
    weights = ways.probabilities * np.exp(lengths * ways.lengths + results * ways.results)
    return replace(position, ways=replace(ways, probabilities=weights / weights.sum()))


class LongerPlayouts(SimulatedExplorer):
    lengths, results = 0.1, 0.0

    def search(self, probes: Sequence[Probe]) -> list[SearchRecord]:
        wrong = [tilted(self._readings[probe.id], self.lengths, self.results) for probe in probes]
        return [position.search(self.playouts, self.rng) for position in wrong]


class MoreWins(LongerPlayouts):
    lengths, results = 0.0, 0.3


class AnyCandidate(SimulatedExplorer):
    def search(self, probes: Sequence[Probe]) -> list[SearchRecord]:
        moves = [self._readings[probe.id].candidates or ("PASS",) for probe in probes]
        found = zip(super().search(probes), moves, strict=True)
        return [replace(search, move=str(self.rng.choice(names))) for search, names in found]


class Repeating(SimulatedExplorer):
    def search(self, probes: Sequence[Probe]) -> list[SearchRecord]:
        return [self._readings[probe.id].search(self.playouts, np.random.default_rng(7)) for probe in probes]


class Impossible(SimulatedExplorer):
    def search(self, probes: Sequence[Probe]) -> list[SearchRecord]:
        return [replace(search, nodes=0) for search in super().search(probes)]


def test_right_bots_are_not_refused() -> None:
    # Promised: 0.001 a run, so 2 pass but for a chance of 0.002; seeded
    rate = refusal_rate(EXPLORATION, 2, seed=1)
    assert (rate.runs, rate.refused) == (2, 0), rate.by


def test_a_run_searches_as_many_positions_as_a_real_check() -> None:
    explored = SimulatedExplorer(np.random.default_rng(2), PLAYOUTS).explore()
    positions = explored.coverage.positions.total()
    assert 45 <= positions <= 60  # a few numbers have no position
    assert explored.coverage.searches > 2 * positions


@pytest.mark.parametrize("wrong", [LongerPlayouts, MoreWins, AnyCandidate, Repeating])
def test_the_evidence_refuses_wrong_bots(wrong: type[SimulatedExplorer]) -> None:
    explored = explorer(wrong, 3).explore()
    assert explored.proof is None
    assert explored.p_value < REFUSED


def test_the_same_seed_gives_the_same_evidence() -> None:
    first, again, other = (explorer(LongerPlayouts, seed, 8).explore() for seed in (5, 5, 6))
    assert first == again
    assert first != other


def test_a_wrong_bot_counts_as_refused() -> None:
    assert refusal_rate(EXPLORATION, 2, seed=4, law=Law(explorer=AnyCandidate)).by == (
        "ref.explore",
        "ref.explore",
    )


def test_a_proof_against_a_simulated_bot_is_refused_and_said() -> None:
    (by,) = refusal_rate(EXPLORATION, 1, seed=4, law=Law(explorer=Impossible)).by
    assert by.startswith("ref.explore (a proof against a right bot")
    assert "ref-nodes 0" in by


def test_the_positions_are_those_of_the_reference_bot() -> None:
    with HostedBot(playouts=100) as bot:
        found = find_abilities(bot, introduction_of(bot), 100)
    assert (found.sizes, found.cap_of_game) == (ABILITIES.sizes, ABILITIES.cap_of_game)


def marginal(values: Sequence[float], probabilities: Sequence[float]) -> dict[float, float]:
    parts: dict[float, list[float]] = {}
    for value, probability in zip(values, probabilities, strict=True):
        parts.setdefault(value, []).append(probability)
    return {value: math.fsum(shares) for value, shares in sorted(parts.items())}


def test_playouts_are_those_of_the_law_that_judges() -> None:
    numbers = [number for number in range(40) if pooled(number, PLAYOUTS) is not None]
    for number in numbers:
        drawn = pooled(number, PLAYOUTS)
        assert drawn is not None
        laws = laws_of_probe(drawn.probe, cap_of_game=ABILITIES.cap_of_game) or ()
        known = [(dict(law.length.outcomes), dict(law.result.outcomes)) for law in laws if law.result]
        for position in simulated(number, PLAYOUTS):
            ways = position.ways
            lengths = marginal(ways.lengths.tolist(), ways.probabilities.tolist())
            results = marginal(ways.results.tolist(), ways.probabilities.tolist())
            assert any(
                lengths == pytest.approx(of_length) and results == pytest.approx(of_result)
                for of_length, of_result in known
            )


def test_choices_come_as_often_as_in_the_law_that_judges() -> None:
    for number in range(30):
        drawn = pooled(number, PLAYOUTS)
        if drawn is None or not drawn.probe.position.candidates(drawn.probe.to_move):
            continue
        probe = drawn.probe
        law = choice_law(choice_key(probe.position, probe.to_move), probe.komi, PLAYOUTS)
        if law is None or len(simulated(number, PLAYOUTS)) > 1:
            continue
        (position,) = simulated(number, PLAYOUTS)
        rng, searches = np.random.default_rng(number), 400
        moves = [position.search(PLAYOUTS, rng).move for _ in range(searches)]
        for name, share in zip(position.candidates, law.shares, strict=True):
            # 5 standard errors, those of the 3,000 searches behind the law included: a chance of 6e-7
            error = math.sqrt(max(share * (1.0 - share), 1e-3) * (1.0 / searches + 1.0 / 3000))
            assert abs(moves.count(name) / searches - share) <= 5 * error
