"""Functions of the programs `find_*`: options, scrambled boards, choice of the best positions, data files.

These programs search positions in which faults of the reference bot show. A position *separates* a fault from
a conforming bot if their searches differ there; the score says how clearly (each program has its own unit).
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from harness.check.positions import SETTLED
from harness.check.procedures.probe import Probe
from harness.go import Colour, Point, Position, all_points, diagram, opponent
from harness.gtp import format_vertex
from harness.oracle import (
    AmafDistribution,
    AmafRecords,
    CreditRule,
    enumerate_amaf,
    enumerate_playouts,
    first_of_either,
)
from harness.oracle.expected import summarise
from refbot import FAULTS, Game

T = TypeVar("T")
COLOURS = {"b": 1, "w": 2}
"""By colour of `harness.go`: the colour of `refbot`."""

MAX_STATES = 3000
"""Limit of the states of an enumeration of AMAF records; chosen: a second of work."""

TOLERANCE = 1e-10
"""Probability of the playouts that such an enumeration may leave out; chosen: no search can show it."""


def parse_options(doc: str | None, **more: int) -> argparse.Namespace:
    """Read `--seconds`, `--seed` and whole numbers of these names, with their defaults."""
    parser = argparse.ArgumentParser(description=(doc or "").splitlines()[0])
    parser.add_argument("--seconds", type=float, default=600.0)
    parser.add_argument("--seed", type=int, default=1)
    for name, default in more.items():
        parser.add_argument(f"--{name}", type=int, default=default)
    return parser.parse_args()


def take_for(seconds: float, endless: Iterator[T]) -> Iterator[T]:
    """The items until the time is over, at least one."""
    until = time.monotonic() + seconds
    for item in endless:
        yield item
        if time.monotonic() > until:
            return


def report(line: str) -> None:
    """Print a line for the developer who runs the program."""
    sys.stdout.write(f"{line}\n")


def write_probes(
    path: Path, kind: str, probes: Sequence[Mapping[str, object]], indent: int | None = 1
) -> None:
    """Write a data file with the format `conform-KIND/1`."""
    path.write_text(json.dumps({"format": f"conform-{kind}/1", "probes": probes}, indent=indent) + "\n")


def draw_scrambled(rng: random.Random) -> tuple[str, Colour, tuple[tuple[Colour, str], ...]] | None:
    """Draw a scrambled settled board, then up to two random moves.

    Return (board, side to move, moves); None if a chain would have no liberty, or no move is left.
    """
    stones = _scrambled_stones(rng)
    position = Position(9)
    try:
        position.set_up(
            [p for p, colour in stones.items() if colour == "b"],
            [p for p, colour in stones.items() if colour == "w"],
        )
    except ValueError:
        return None
    board = position.draw()
    colour: Colour = rng.choice(("b", "w"))
    tail: list[tuple[Colour, str]] = []
    for _ in range(rng.choice((0, 0, 0, 1, 2))):  # most positions have no moves
        moves = position.candidates(colour)
        if not moves:
            return None
        point = rng.choice(moves)
        position.play(colour, point)
        tail.append((colour, format_vertex(point)))
        colour = opponent(colour)
    return board, colour, tuple(tail)


def _scrambled_stones(rng: random.Random) -> dict[Point, Colour]:
    """Draw the stones of the settled board, with random ones in a patch, and up to two points emptied.

    The sizes of the patch and the fractions of empty points in it were chosen by hand.
    """
    stones = dict(diagram(SETTLED).stones())
    height, width = rng.choice([(2, 3), (3, 3), (3, 4), (4, 3), (2, 5), (1, 6)])
    row, column = rng.randrange(10 - height), rng.randrange(10 - width)
    emptiness = rng.choice([0.15, 0.25, 0.35])
    for r in range(row, row + height):
        for c in range(column, column + width):
            stones.pop((r, c), None)
            draw = rng.random()
            if draw > emptiness:
                stones[r, c] = "b" if draw < emptiness + (1 - emptiness) / 2 else "w"
    for point in rng.sample(all_points(9), rng.randrange(3)):
        stones.pop(point, None)
    return stones


def probes_with_choice(rng: random.Random, name: str, candidates: range) -> Iterator[Probe]:
    """Yield scrambled positions with a number of candidates in this range, without end."""
    while True:
        found = draw_scrambled(rng)
        if found is not None:
            board, to_move, tail = found
            probe = Probe(name, board, to_move, 0.0, tail)
            if len(probe.position.candidates(to_move)) in candidates:
                yield probe


def enumerate_records(probe: Probe, rule: CreditRule = first_of_either) -> AmafDistribution:
    """Return the AMAF records of all playouts from a probe. Raises StateLimitError."""
    ban = probe.position.ko_ban(probe.to_move)
    return enumerate_amaf(
        probe.position, probe.to_move, ko=ban, tolerance=TOLERANCE, max_states=MAX_STATES, rule=rule
    )


def game_of(position: Position, komi: float) -> Game:
    """The reference bot's game with the same moves."""
    game = Game(position.size, komi)
    for move in position.moves:
        point = None if move.point is None else move.point[0] * position.size + move.point[1]
        game.play(COLOURS[move.colour], point)
    return game


def choose_greedily(
    scores: Sequence[Mapping[str, float]], most: int, goal: float, least: float = -1.0
) -> list[int]:
    """Choose up to `most` positions, by index. `scores` has the score of each fault at each position.

    Each step takes the position that adds most to the sums of the scores of the faults, where a sum counts up
    to `goal`. The choice ends before a step that adds `least` or less; a step that adds nothing is made by
    default. Prints the sum of each fault. An example with `goal` 1 and `most` 2: of {"a": 1}, {"a": 0.9},
    {"b": 0.5}, the first is chosen, then the third.
    """
    names = sorted({name for one in scores for name in one})
    table = np.array([[one.get(name, 0.0) for name in names] for one in scores])
    chosen: list[int] = []
    reached = np.zeros(len(names))
    for _ in range(min(most, len(scores))):
        gain = np.minimum(table, np.clip(goal - reached, 0.0, None)).sum(axis=1)
        gain[chosen] = -1.0
        best = int(gain.argmax())
        if gain[best] <= least:
            break
        chosen.append(best)
        reached += table[best]
    for name, value in sorted(zip(names, reached, strict=True), key=lambda pair: pair[1]):
        report(f"  {name:<28} {value:.2f}")
    return chosen


def clause_of(own: Mapping[str, float], every: Sequence[Mapping[str, float]], clauses: Sequence[str]) -> str:
    """Return the clause whose faults a position separates best, relative to all positions.

    own     the scores at the position, by fault
    every   the scores at each position, this one included
    """

    def mean(scores: Mapping[str, float], clause: str) -> float:
        found = [score for name, score in scores.items() if FAULTS[name].clause == clause]
        return sum(found) / len(found) if found else 0.0

    return max(clauses, key=lambda c: mean(own, c) / (1e-9 + sum(mean(one, c) for one in every)))


def stored_probe(name: str, probe: Probe, separates: Mapping[str, float], least: float) -> dict[str, Any]:
    """Return a probe as data files have it, with the faults whose score there is at least `least`."""
    return {
        "id": name,
        "board": probe.board.splitlines()[1:-1],
        "to_move": probe.to_move,
        "komi": probe.komi,
        "tail": [list(move) for move in probe.tail],
        "separates": {wrong: round(s, 2) for wrong, s in sorted(separates.items()) if s >= least},
    }


def stored_choice(
    name: str, probe: Probe, separates: Mapping[str, float], least: float, records: AmafRecords
) -> dict[str, Any]:
    """A probe of enumerated choices as `harness.check.judges.enumerated_choice` reads it.

    Its `records` have, for each way that a playout may go, the probability, the result, and a string with a
    digit for each candidate: 1 if the playout counts for the candidate.
    """
    position, ban = probe.position, probe.position.ko_ban(probe.to_move)
    spread = enumerate_playouts(position, probe.to_move, ko=ban, tolerance=1e-12)
    ways = zip(records.probabilities, records.results, records.credited, strict=True)
    return {
        **stored_probe(name, probe, separates, least),
        "expected": asdict(summarise(spread, probe.komi)),
        "candidates": [format_vertex(point) for point in position.candidates(probe.to_move)],
        "records": [
            [float(p), float(r), "".join(str(int(flag)) for flag in credited)] for p, r, credited in ways
        ],
    }
