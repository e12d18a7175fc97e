"""Computes the references of audited searches: refbot's playouts from the same positions, and its moves."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from harness.arena.audit.leanings import leanings
from harness.arena.audit.replay import Root, point_of, seed_of
from harness.arena.store.audit import NewReference, ReferenceChoices, ReferenceSums
from harness.gtp import format_vertex
from refbot.deviations.fault import Fault
from refbot.playouts import Amaf, PlayoutStats, playouts_of_many
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

PlayMany = Callable[..., Sequence[PlayoutStats]]
"""Plays n playouts from each of several positions: (positions, n, komi, seed=, amaf=)."""


@dataclass(frozen=True)
class Task:
    """A search to audit. `key`: `key_of` its position and komi; `choice`: compare the move too."""

    game_id: str
    root: Root
    key: bytes
    playouts: int  # of the bot, per search
    vertex: str  # the bot's move
    komi: float
    choice: bool


Computed = tuple[NewReference, ReferenceChoices | None]
"""The reference of one task; None in place of the choices if the task does not compare the move."""


def compute_references(tasks: Sequence[Task], play: PlayMany = playouts_of_many) -> list[Computed]:
    """Compute the reference of each task, all of one game. Equal lists of tasks give equal numbers."""
    compared = [task for task in tasks if task.choice]
    references = _play_all(
        tasks,
        [max(LEAST_PLAYOUTS, PRECISION * task.playouts) for task in tasks],
        "reference",
        play,
        amaf=bool(compared),
    )
    repeated = [task for task in compared for _ in range(CHOICES)]  # CHOICES in a row for each task
    searches = iter(_play_all(repeated, [task.playouts for task in repeated], "choice", play, amaf=True))
    return [
        (
            NewReference(task.root.move, task.key, sums_of(stats, task.root.position)),
            _choices(task, stats, [next(searches) for _ in range(CHOICES)]) if task.choice else None,
        )
        for task, stats in zip(tasks, references, strict=True)
    ]


def sums_of(stats: PlayoutStats, position: Position) -> ReferenceSums:
    """Return the sums over playouts, with results for the side to move. Kernels count them for Black."""
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


def _choices(task: Task, reference: PlayoutStats, searches: Sequence[PlayoutStats]) -> ReferenceChoices:
    """Return the move after each of `searches`; the rates of the moves come from the `reference` playouts."""
    root, size = task.root, task.root.position.size
    moves = [choose_move(root, stats, _seed(task, f"tie {number}")) for number, stats in enumerate(searches)]
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


def _play_all(
    tasks: Sequence[Task], counts: Sequence[int], purpose: str, play: PlayMany, *, amaf: bool
) -> list[PlayoutStats]:
    """Play `counts[k]` playouts from the position of task k, for every k.

    Positions with equal counts are in one call of `play`, so that a GPU plays them at once. `purpose` is a
    part of the seed: a search for the reference and a search for the choice are independent.
    """
    found: dict[int, PlayoutStats] = {}
    for count in sorted(set(counts)):
        own = [number for number, wanted in enumerate(counts) if wanted == count]
        seed = seed_of(tasks[0].game_id, *(tasks[number].root.move for number in own), purpose)
        positions = [tasks[number].root.position for number in own]
        found.update(zip(own, play(positions, count, tasks[0].komi, seed=seed, amaf=amaf), strict=True))
    return [found[number] for number in range(len(tasks))]


def _seed(task: Task, purpose: str) -> int:
    return seed_of(task.game_id, task.root.move, purpose)
