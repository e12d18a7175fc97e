"""The reference of one search: playouts from its position, and moves that refbot chooses there."""

from __future__ import annotations

import random
from dataclasses import dataclass
from hashlib import blake2b

import numpy as np
import numpy.typing as npt

from harness.arena.audit.leanings import leanings
from harness.arena.audit.replay import Root
from harness.arena.store.audit import NewReference, ReferenceChoices, ReferenceSums
from harness.gtp import format_vertex, parse_vertex
from refbot.playouts import PlayoutStats, playouts
from refbot.rules import BLACK
from refbot.search.select import choose

PRECISION = 4
"""Playouts of the reference for each playout of the bot. Its error adds a quarter to the bot's variance."""
LEAST_PLAYOUTS = 1_000
"""Playouts of a reference, so that its standard deviation is known too."""
CHOICES = 15
"""Searches of the reference that a bot's move is compared with."""


@dataclass(frozen=True)
class Task:
    """A search to audit. `choice`: compare its move too."""

    game_id: str
    root: Root
    key: bytes
    playouts: int  # of the bot
    vertex: str
    komi: float
    choice: bool


def computed(task: Task) -> tuple[NewReference, ReferenceChoices | None]:
    """Play the reference's playouts for a search. Equal tasks give equal numbers."""
    count = max(LEAST_PLAYOUTS, PRECISION * task.playouts)
    stats = _played(task, count, "reference", amaf=task.choice)
    choices = _choices(task, stats) if task.choice else None
    return NewReference(task.root.move, task.key, sums_of(stats, black=_is_black(task))), choices


def sums_of(stats: PlayoutStats, *, black: bool) -> ReferenceSums:
    """The sums as the side to move sees them."""
    n, wins, squares, products = (
        stats.playouts,
        stats.black_wins,
        stats.black_wins_squared,
        stats.moves_times_result,
    )
    if not black:  # r becomes 1 − r
        squares = n - 2.0 * wins + squares
        products = stats.moves - products
        wins = n - wins
    return ReferenceSums(n, stats.moves, stats.moves_squared, wins, squares, products)


def _choices(task: Task, reference: PlayoutStats) -> ReferenceChoices:
    root = task.root
    moves: list[int | None] = []
    for number in range(CHOICES):
        stats = _played(task, task.playouts, f"choice {number}", amaf=True)
        assert stats.amaf is not None
        moves.append(
            choose(
                root.candidates,
                stats.amaf.visits[root.candidates],
                stats.amaf.wins[root.candidates],
                after_pass=root.position.passes > 0,
                faults=frozenset(),
                rng=random.Random(_seed(task, f"tie {number}")),
            )
        )
    rates = _rates(reference)
    point = parse_vertex(task.vertex, root.position.size)
    own = None if point is None else point[0] * root.position.size + point[1]
    return ReferenceChoices(
        root.move,
        tuple(_vertex(move, root.position.size) for move in moves),
        tuple(-1.0 if move is None else float(rates[move]) for move in [*moves, own]),
        leanings(
            root.position, root.candidates, task.komi, task.playouts, moves, own, _seed(task, "leanings")
        ),
    )


def _rates(stats: PlayoutStats) -> npt.NDArray[np.float64]:
    assert stats.amaf is not None
    return np.asarray(stats.amaf.wins / np.maximum(1, stats.amaf.visits), np.float64)


def _played(task: Task, count: int, purpose: str, *, amaf: bool) -> PlayoutStats:
    return playouts(task.root.position, count, task.komi, seed=_seed(task, purpose), amaf=amaf)


def _seed(task: Task, purpose: str) -> int:
    text = f"{task.game_id}/{task.root.move}/{purpose}"
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest())


def _is_black(task: Task) -> bool:
    return task.root.position.to_move == BLACK


def _vertex(move: int | None, size: int) -> str:
    return format_vertex(None if move is None else (move // size, move % size))
