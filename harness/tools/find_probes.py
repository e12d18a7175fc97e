"""Finds the probes of `data/battery.json`: positions near the end where faults show most.

    python -m harness.tools.find_probes --seconds 600 --seed 1

Candidates are the settled board with a patch of it scrambled and a few random moves after that: small enough
to be enumerated, rich enough in eyes, captures and kos. Each is shown to every fault of the registry that a
search can show; the probes kept are those that separate the worst-separated fault best.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field

import numpy as np

from harness.check.judges.moves import choosable
from harness.check.positions import SETTLED
from harness.check.procedures.probe import Probe
from harness.check.stored_data import DATA_FOLDER
from harness.go import Colour, Position, all_points, diagram, opponent
from harness.gtp import format_vertex
from harness.oracle import Number, StateLimitError, enumerate_playouts
from harness.oracle.expected import Expected, expected_amaf, summarise
from refbot import FAULTS, Game, Search
from refbot.playouts import playouts
from refbot.rules.position import BLACK, WHITE

DATA = DATA_FOLDER / "battery.json"
MAX_STATES = 1500
PLAYOUTS = 1000
"""Playouts a search for which separations are measured."""

SAMPLE = 5_000
"""Playouts of a faulty bot, whose mean is then known well enough to see a separation."""

CHOICES = 30
CAP = 12.0
"""Separations beyond this many standard errors are all the same: certain."""

ENOUGH_SEARCHES_SHARE = 0.15
COLOURS: dict[Colour, int] = {"b": BLACK, "w": WHITE}


@dataclass(frozen=True)
class Candidate:
    """A probe, what a conforming bot answers there, and how far each fault is from that.

    `moments` is in standard errors of one search of 1000 playouts; `choices` is the share of chosen moves
    that no conforming bot chooses.
    """

    probe: Probe
    expected: Expected
    moments: dict[str, float] = field(default_factory=dict)
    choices: dict[str, float] = field(default_factory=dict)


def candidates(rng: random.Random) -> Iterator[Candidate]:
    """Positions that can be enumerated, without end."""
    number = 0
    while True:
        found = scrambled(rng)
        if found is None:
            continue
        board, to_move, tail = found
        probe = Probe(f"battery-{number}", board, to_move, 0.0, tail)
        number += 1
        try:
            spread = enumerate_playouts(
                probe.position,
                to_move,
                ko=probe.position.ko_ban(to_move),
                max_states=MAX_STATES,
                tolerance=1e-12,
            )
            komi = _even_komi(spread.margins, rng)
            probe = Probe(probe.id, board, to_move, komi, tail)
            moments = summarise(spread, komi)
            if len(probe.position.candidates(to_move)) < 2 or spread.remainder > 1e-9:
                continue
            yield Candidate(probe, moments)
        except StateLimitError:
            continue


def scrambled(rng: random.Random) -> tuple[str, Colour, tuple[tuple[Colour, str], ...]] | None:
    """The settled board with a patch scrambled, and some random moves; None where that is no position."""
    position = diagram(SETTLED)
    stones = dict(position.stones())
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
    patched = Position(9)
    try:
        patched.set_up(
            [p for p, colour in stones.items() if colour == "b"],
            [p for p, colour in stones.items() if colour == "w"],
        )
    except ValueError:
        return None
    board = patched.draw()
    colour: Colour = rng.choice(("b", "w"))
    tail: list[tuple[Colour, str]] = []
    for _ in range(rng.choice((0, 0, 0, 1, 2))):
        moves = patched.candidates(colour)
        if not moves:
            return None
        point = rng.choice(moves)
        patched.play(colour, point)
        tail.append((colour, format_vertex(point)))
        colour = opponent(colour)
    return board, colour, tuple(tail)


def _even_komi(margins: Mapping[int, Number], rng: random.Random) -> float:
    """A komi between two margins, about as often above as below; sometimes on a margin, for draws."""
    total, cut = 0.0, 0
    for margin, probability in margins.items():
        cut = margin
        total += float(probability)
        if total >= 0.4:
            break
    return float(cut) + rng.choice((0.5, 0.5, 0.5, 0.0))


ENOUGH = 20
"""Number of candidates that separate a fault for certain, after which it is not tried on more."""


def hard(found: list[Candidate], kind: str, where: tuple[str, ...], sure: float) -> list[str]:
    """The faults that have not yet been separated by many candidates."""
    names = [name for name, fault in FAULTS.items() if fault.where in where]
    times = Counter(name for c in found for name, score in getattr(c, kind).items() if score >= sure)
    return [name for name in names if times[name] < ENOUGH]


def measure(candidate: Candidate, found: list[Candidate], seed: int) -> Candidate:
    """Show the candidate to every fault that a search can show, but for those long separated."""
    probe, wanted = candidate.probe, candidate.expected
    game = _game(probe)
    colour = COLOURS[probe.to_move]
    position = game.position(colour)
    moments = {}
    for name in hard(found, "moments", ("playout",), CAP):
        stats = playouts(position, SAMPLE, komi=probe.komi, seed=seed, faults={name})
        rate = stats.black_rate if probe.to_move == "b" else 1.0 - stats.black_rate
        moments[name] = min(
            CAP,
            math.hypot(
                _z(stats.mean_moves, wanted.mean_length, wanted.sd_length, stats.sd_moves),
                _z(rate, wanted.mean_result, wanted.sd_result, 0.5),
            ),
        )
    try:
        expected_amaf(probe.position, probe.to_move, probe.komi)
        allowed = set(choosable(probe, PLAYOUTS))
    except StateLimitError:
        return Candidate(probe, wanted, moments)
    choices = {}
    if len(allowed) < len(probe.position.candidates(probe.to_move)):
        for name in hard(found, "choices", ("amaf", "selection"), 0.9):
            chosen = _choices(game, colour, name, seed)
            strange = sum(times for move, times in chosen.items() if move not in allowed)
            choices[name] = strange / CHOICES
        right = _choices(game, colour, None, seed)
        if any(move not in allowed for move in right):
            raise AssertionError(f"the conforming bot chooses {right}, allowed is {allowed}: {probe}")
    return Candidate(probe, wanted, moments, choices)


def _z(mean: float, wanted: float, sd: float, faulty_sd: float) -> float:
    """Distance of two means in standard errors of one search; a sure value that is missed is beyond all."""
    if sd == 0.0:
        return CAP if abs(mean - wanted) > 1e-3 else 0.0
    noise = faulty_sd / math.sqrt(SAMPLE)
    return max(0.0, abs(mean - wanted) - 3 * noise) / (sd / math.sqrt(PLAYOUTS))


def _game(probe: Probe) -> Game:
    game = Game(probe.size, probe.komi)
    for move in probe.position.moves:
        point = None if move.point is None else move.point[0] * probe.size + move.point[1]
        game.play(COLOURS[move.colour], point)
    return game


def _choices(game: Game, colour: int, fault: str | None, seed: int) -> Counter[str]:
    search = Search(PLAYOUTS, frozenset([fault] if fault else []), seed)
    return Counter(
        format_vertex(None if move is None else divmod(int(move), game.size)).upper()
        for move in (search.search(game, colour).move for _ in range(CHOICES))
    )


def pick(found: list[Candidate], kind: str, most: int) -> list[Candidate]:
    """Greedily: the probe that most helps the faults that are separated worst so far."""
    names = sorted({name for candidate in found for name in getattr(candidate, kind)})
    scores = np.array([[getattr(c, kind).get(name, 0.0) for name in names] for c in found])
    scores = scores / (CAP if kind == "moments" else 1.0)
    chosen: list[int] = []
    reached = np.zeros(len(names))
    for _ in range(min(most, len(found))):
        need = np.clip(1.5 - reached, 0.0, None)
        gain = np.minimum(scores, need).sum(axis=1)
        gain[chosen] = -1.0
        best = int(gain.argmax())
        if gain[best] <= 0.05:
            break
        chosen.append(best)
        reached += scores[best]
    for name, value in sorted(zip(names, reached, strict=True), key=lambda pair: pair[1]):
        print(f"  {name:<28} {value:.2f}")  # noqa: T201 (a tool for developers)
    return [found[index] for index in chosen]


CLAUSES = {
    "moments": ("uniform", "eye", "simple-ko", "no-suicide", "area-scoring", "forced-pass"),
    "choices": ("amaf", "best-rate"),
}
"""What a probe of each kind can be about: faults of the other clauses show nearly everywhere."""


def clause_of(candidate: Candidate, kind: str, found: list[Candidate]) -> str:
    """The clause whose faults the probe separates better than other probes do."""

    def mean(measured: Candidate, clause: str) -> float:
        scores = [s for name, s in getattr(measured, kind).items() if FAULTS[name].clause == clause]
        return sum(scores) / len(scores) if scores else 0.0

    def edge(clause: str) -> float:
        return mean(candidate, clause) / (1e-9 + sum(mean(other, clause) for other in found) / len(found))

    return max(CLAUSES[kind], key=edge)


def entry(candidate: Candidate, kind: str, number: int, found: list[Candidate]) -> dict[str, object]:
    """One probe as the data file has it."""
    probe = candidate.probe
    scores = getattr(candidate, kind)
    least = 3.0 if kind == "moments" else ENOUGH_SEARCHES_SHARE
    return {
        "id": f"{kind}-{number:02}",
        "clause": clause_of(candidate, kind, found),
        "board": probe.board.splitlines()[1:-1],
        "to_move": probe.to_move,
        "komi": probe.komi,
        "tail": [list(move) for move in probe.tail],
        "separates": {name: round(score, 2) for name, score in sorted(scores.items()) if score >= least},
        "expected": asdict(candidate.expected),
        "amaf": {
            format_vertex(point): [float(value.visits), float(value.wins)]
            for point, value in expected_amaf(probe.position, probe.to_move, probe.komi).items()
        }
        if kind == "choices"
        else {},
    }


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seconds", type=float, default=600.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--moments", type=int, default=20)
    parser.add_argument("--choices", type=int, default=16)
    arguments = parser.parse_args()
    rng = random.Random(arguments.seed)
    found: list[Candidate] = []
    until = time.monotonic() + arguments.seconds
    for candidate in candidates(rng):
        found.append(measure(candidate, found, arguments.seed))
        if time.monotonic() > until:
            break
    print(f"{len(found)} candidates")  # noqa: T201
    entries = [
        entry(candidate, kind, number, found)
        for kind, most in (("moments", arguments.moments), ("choices", arguments.choices))
        for number, candidate in enumerate(pick(found, kind, most), 1)
    ]
    DATA.write_text(json.dumps({"format": "conform-battery/1", "probes": entries}, indent=1) + "\n")


if __name__ == "__main__":
    main()
