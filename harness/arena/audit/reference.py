"""Computes the reference of one audited search: refbot's playouts from the same position, and its moves."""

from __future__ import annotations

import random
from dataclasses import dataclass

import numpy as np

from harness.arena.audit.leanings import leanings
from harness.arena.audit.replay import Root, point_of, seed_of
from harness.arena.store.audit import NewReference, ReferenceChoices, ReferenceSums
from harness.gtp import format_vertex
from refbot.deviations.fault import Fault
from refbot.playouts import Amaf, PlayoutStats, playouts
from refbot.rules import BLACK, Position
from refbot.search.select import choose

PRECISION = 4
"""Playouts of the reference for each playout of the bot. Chosen: the reference then adds a quarter to the
variance of the comparison; more playouts take more time and gain little."""
LEAST_PLAYOUTS = 1_000
"""Least number of playouts of a reference. Chosen: its standard deviation is then known to 2 to 3 %."""
CHOICES = 15
"""Searches of the reference whose moves are compared with the bot's move.

More searches give finer ranks, and take more time in proportion. Chosen.
"""


@dataclass(frozen=True)
class Task:
    """A search to audit. `key`: the `key_of` the position; `choice`: compare the move too."""

    game_id: str
    root: Root
    key: bytes
    playouts: int  # of the bot, per search
    vertex: str  # the bot's move
    komi: float
    choice: bool


def compute_reference(task: Task) -> tuple[NewReference, ReferenceChoices | None]:
    """Compute the reference for one search. Equal tasks give equal numbers."""
    count = max(LEAST_PLAYOUTS, PRECISION * task.playouts)
    stats = _played(task, count, "reference", amaf=task.choice)
    choices = _choices(task, stats) if task.choice else None
    return NewReference(task.root.move, task.key, sums_of(stats, task.root.position)), choices


def sums_of(stats: PlayoutStats, position: Position) -> ReferenceSums:
    """The sums over playouts, with results for the side to move. Kernels count them for Black."""
    n, wins = stats.playouts, stats.black_wins
    squares, products = stats.black_wins_squared, stats.moves_times_result
    if position.to_move != BLACK:  # r becomes 1 − r
        squares = n - 2.0 * wins + squares
        products = stats.moves - products
        wins = n - wins
    return ReferenceSums(n, stats.moves, stats.moves_squared, wins, squares, products)


def choose_move(
    root: Root, stats: PlayoutStats, seed: int, faults: frozenset[Fault] = frozenset()
) -> int | None:
    """Choose a move after these playouts as refbot does: a point, or None for a pass."""
    return choose(
        root.candidates,
        records_of(stats).visits[root.candidates],
        records_of(stats).wins[root.candidates],
        after_pass=root.position.passes > 0,
        faults=faults,
        rng=random.Random(seed),
    )


def records_of(stats: PlayoutStats) -> Amaf:
    """The all-moves-as-first records of playouts that were made with `amaf=True`."""
    assert stats.amaf is not None
    return stats.amaf


def _choices(task: Task, reference: PlayoutStats) -> ReferenceChoices:
    root, size = task.root, task.root.position.size
    moves = [
        choose_move(
            root, _played(task, task.playouts, f"choice {number}", amaf=True), _seed(task, f"tie {number}")
        )
        for number in range(CHOICES)
    ]
    records = records_of(reference)
    rates = records.wins / np.maximum(1, records.visits)
    own = point_of(task.vertex, size)
    return ReferenceChoices(
        root.move,
        tuple(format_vertex(None if move is None else divmod(move, size)) for move in moves),
        tuple(-1.0 if move is None else float(rates[move]) for move in [*moves, own]),
        leanings(
            root.position, root.candidates, task.komi, task.playouts, moves, own, _seed(task, "leanings")
        ),
    )


def _played(task: Task, count: int, purpose: str, *, amaf: bool) -> PlayoutStats:
    return playouts(task.root.position, count, task.komi, seed=_seed(task, purpose), amaf=amaf)


def _seed(task: Task, purpose: str) -> int:
    return seed_of(task.game_id, task.root.move, purpose)
