"""The evidence that a bot chooses its moves by another rule than the right one: by one of the known faults.

Under each rule, a move of the bot gets a number: how much likelier the rule chooses it than the right rule
does. A bot with that rule has high ranks among moves of the reference, a right bot has uniform ranks
(`harness.stats.ranks`) whatever the numbers are: they may be rough, but must be independent of the moves.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from harness.stats import rank_of
from refbot.deviations.fault import Fault
from refbot.deviations.faults import FAULTS
from refbot.playouts import Amaf, playouts
from refbot.rules import Position
from refbot.search.select import chances

LEAST_PLAYOUTS = 400
"""Playouts under each rule; as many as the bot makes, if these are more. Chosen."""
DRAWS = 96
"""Searches of the bot that are drawn from the records of these playouts: more are slower. Chosen."""

RULES: Mapping[str, Fault] = {
    name: fault for name, fault in FAULTS.items() if fault.where in ("amaf", "selection")
}
"""The faults of the records and of the choice. All of them leave lengths and scores as they are."""

Choice = int | None
"""A point; None for a pass."""
Chances = npt.NDArray[np.float64]


def leanings(
    position: Position,
    candidates: npt.NDArray[np.int64],
    komi: float,
    count: int,
    moves: Sequence[Choice],
    own: Choice,
    seed: int,
) -> dict[str, tuple[int, int]]:
    """The rank of `own` among the reference's `moves`, by each rule that distinguishes any of these moves.

    A rank is the number of moves that the rule favours less, and the number of those that it favours as much.
    `count`: playouts of a search of the bot. Equal seeds give equal ranks.
    """
    columns = {int(point): place for place, point in enumerate(candidates)}
    columns_of = [columns.get(move, -1) if move is not None else len(columns) for move in (*moves, own)]
    right: Chances | None = None
    ranks = {}
    for name, shares in _chances(position, candidates, komi, count, seed):
        if right is None:
            right = shares
            continue
        ratios = np.append(np.log(shares / right), 0.0)  # the last: for what is no candidate
        *others, bots = (float(ratios[column]) for column in columns_of)
        rank = rank_of(bots, others)
        if rank.equal < rank.others:
            ranks[name] = rank.below, rank.equal
    return ranks


def _chances(
    position: Position, candidates: npt.NDArray[np.int64], komi: float, count: int, seed: int
) -> Iterator[tuple[str, Chances]]:
    """The chance of each candidate and of a pass in a search: under the right rule, then by each other one.

    All rules see the same playouts and the same draws, so that they differ by nothing else.
    """
    rng = np.random.default_rng(seed)
    noise = rng.standard_normal((2, DRAWS, len(candidates)))
    played = max(LEAST_PLAYOUTS, count)
    right = _records(position, played, komi, seed, frozenset())
    for name, fault in (("", None), *RULES.items()):
        faults = frozenset() if fault is None else frozenset({fault})
        wrong = fault is not None and fault.where == "amaf"
        records = _records(position, played, komi, seed, faults) if wrong else right
        visits, wins = _drawn(records, candidates, count, played, noise)
        found = chances(visits, wins, after_pass=position.passes > 0, faults=frozenset() if wrong else faults)
        yield name, (found.sum(axis=0) + 0.5) / (DRAWS + 1.0)


def _records(position: Position, played: int, komi: float, seed: int, faults: frozenset[Fault]) -> Amaf:
    """The scalar kernel plays the same playouts with and without a fault of the records."""
    stats = playouts(position, played, komi, seed=seed, amaf=True, faults=faults, kernel="scalar")
    assert stats.amaf is not None
    return stats.amaf


def _drawn(
    records: Amaf,
    candidates: npt.NDArray[np.int64],
    count: int,
    played: int,
    noise: npt.NDArray[np.float64],
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]]:
    """Visits and wins of the candidates in searches of `count` playouts, a row for each search.

    Normal about the shares of the `played` playouts, and independent from candidate to candidate: nearly so.
    """
    share = records.visits[candidates] / played
    rate = records.wins[candidates] / np.maximum(1, records.visits[candidates])
    spread = np.sqrt(count * share * np.maximum(0.0, 1.0 - share))
    visits = np.maximum(0, np.rint(count * share + spread * noise[0])).astype(np.int64)
    spread = np.sqrt(rate * (1.0 - rate) / np.maximum(1, visits))
    wins = np.rint(2.0 * visits * np.clip(rate + spread * noise[1], 0.0, 1.0)) / 2.0
    return visits, wins
