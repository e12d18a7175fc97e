"""Finds the positions of `data/midgame.json`: random games broken off where choice faults show most.

    python -m harness.checks.find_midgame --seconds 600 --seed 1

For each position: the moments of all-moves-as-first from many playouts, and for every fault of bookkeeping or
choice the p-value that sixty of its searches come to.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from harness.go import Position, random_game
from harness.gtp import format_vertex
from harness.oracle.expected import as_entry
from harness.oracle.midgame import AmafMoments, amaf_moments, draw_choices
from harness.oracle.tabulate import moments_of
from harness.stats import judge_against_sample
from refbot import FAULTS, Game, Search
from refbot.playouts import playouts

DATA = Path(__file__).with_name("data") / "midgame.json"
SIZE, KOMI, PLAYOUTS, SEARCHES = 9, 7.5, 1000, 60
BATCH = 250
DRAWN = 20_000
COLOURS = {"b": 1, "w": 2}
MOVES = (20, 30, 40, 50, 60, 65, 70, 75, 80, 85, 90)
ENOUGH = 20.0
"""Decades of p-value beyond which a fault is separated for certain."""

EASY = 3
"""A fault that so many positions separate for certain need not be shown to more of them."""

DIGITS = 6
"""Significant digits of a stored covariance."""


@dataclass(frozen=True, eq=False)
class Found:
    """A position, what is known of it, and decades of p-value by fault."""

    position: Position
    points: tuple[int, ...]
    moments: AmafMoments
    decades: dict[str, float]


def moments_at(game: Game, colour: int, points: Sequence[int], batches: int, seed: int) -> AmafMoments:
    """The AMAF moments at the position of a game, from `batches` times 250 playouts."""
    visits, wins = [], []
    for batch in range(batches):
        stats = playouts(game.position(colour), BATCH, komi=KOMI, seed=seed + batch, amaf=True)
        assert stats.amaf is not None, "asked for"
        visits.append(stats.amaf.visits[list(points)])
        wins.append(stats.amaf.wins[list(points)])
    return amaf_moments(np.array(visits, np.float64), np.array(wins, np.float64), BATCH)


def game_of(position: Position) -> Game:
    """The reference bot's game with the same moves."""
    game = Game(SIZE, KOMI)
    for move in position.moves:
        game.play(COLOURS[move.colour], None if move.point is None else move.point[0] * SIZE + move.point[1])
    return game


def measure(position: Position, easy: frozenset[str], seed: int) -> Found | None:
    """Show a position to the faults of bookkeeping and choice; None if there is little to choose."""
    game, colour = game_of(position), COLOURS[position.to_move]
    points = tuple(sorted(int(point) for point in game.candidates(colour)))
    if len(points) < 5:
        return None
    moments = moments_at(game, colour, points, 2000, seed)
    counts = draw_choices(moments, PLAYOUTS, DRAWN, seed)
    decades = {}
    for name, fault in FAULTS.items():
        if fault.where in ("amaf", "selection") and name not in easy:
            search = Search(PLAYOUTS, frozenset([name]), seed)
            moves = [search.search(game, colour).move for _ in range(SEARCHES)]
            decades[name] = _decades([-1 if m is None else points.index(int(m)) for m in moves], counts)
    return Found(position, points, moments, decades)


def easy(found: Sequence[Found]) -> frozenset[str]:
    """The faults that several of the positions found separate for certain."""
    times = Counter(name for one in found for name, decades in one.decades.items() if decades >= ENOUGH)
    return frozenset(name for name, count in times.items() if count >= EASY)


def _decades(choices: list[int], counts: npt.NDArray[np.int64]) -> float:
    if -1 in choices:
        return ENOUGH
    p_value = judge_against_sample(choices, counts).p_value
    return min(ENOUGH, -math.log10(max(p_value, 1e-300)))


def pick(found: Sequence[Found], most: int) -> list[Found]:
    """Greedily: the position that most helps the faults that are separated worst so far."""
    names = sorted({name for one in found for name in one.decades})
    scores = np.array([[one.decades.get(name, 0.0) for name in names] for one in found])
    chosen: list[int] = []
    reached = np.zeros(len(names))
    for _ in range(min(most, len(found))):
        gain = np.minimum(scores, np.clip(ENOUGH - reached, 0.0, None)).sum(axis=1)
        gain[chosen] = -1.0
        chosen.append(int(gain.argmax()))
        reached += scores[chosen[-1]]
    for name, value in sorted(zip(names, reached, strict=True), key=lambda pair: pair[1]):
        print(f"  {name:<24} {value:.1f}")  # noqa: T201 (a tool for developers)
    return [found[index] for index in chosen]


def clause_of(one: Found, kept: Sequence[Found]) -> str:
    """The clause whose faults this position separates better than the others that are kept do."""

    def mean(found: Found, clause: str) -> float:
        decades = [value for name, value in found.decades.items() if FAULTS[name].clause == clause]
        return sum(decades) / len(decades) if decades else 0.0

    def edge(clause: str) -> float:
        return mean(one, clause) / (1e-9 + sum(mean(other, clause) for other in kept))

    return max(("amaf", "best-rate"), key=edge)


def entry(found: Found, batches: int, seed: int, clause: str) -> dict[str, object]:
    """One position as the data file has it, its moments made anew from many more playouts."""
    position = found.position
    moments = moments_at(game_of(position), COLOURS[position.to_move], found.points, batches, seed)
    stats = playouts(
        game_of(position).position(COLOURS[position.to_move]), batches * BATCH, komi=KOMI, seed=seed
    )
    upper = moments.covariance[np.triu_indices(moments.mean.size)]
    return {
        "clause": clause,
        "moves": [[move.colour, format_vertex(move.point)] for move in position.moves],
        "to_move": position.to_move,
        "komi": KOMI,
        "candidates": [format_vertex(divmod(point, SIZE)) for point in found.points],
        "expected": as_entry(moments_of(stats, position.to_move, SIZE, f"seed {seed}")),
        "mean": [_rounded(value) for value in moments.mean],
        "covariance": [_rounded(value) for value in upper],
        "separates": {n: round(d, 1) for n, d in sorted(found.decades.items()) if d >= 6.0},
    }


def _rounded(value: float) -> float:
    return float(f"{value:.{DIGITS}g}")


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seconds", type=float, default=600.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--positions", type=int, default=4)
    parser.add_argument("--playouts", type=int, default=2_000_000)
    arguments = parser.parse_args()
    rng = random.Random(arguments.seed)
    found: list[Found] = []
    until = time.monotonic() + arguments.seconds
    while time.monotonic() < until:
        seed = rng.randrange(2**31)
        one = measure(random_game(SIZE, seed, rng.choice(MOVES)), easy(found), seed)
        found += [one] if one is not None else []
    print(f"{len(found)} positions")  # noqa: T201
    chosen = pick(found, arguments.positions)
    kept = [entry(one, arguments.playouts // BATCH, arguments.seed, clause_of(one, chosen)) for one in chosen]
    DATA.write_text(json.dumps({"format": "conform-midgame/1", "probes": kept}) + "\n")


if __name__ == "__main__":
    main()
