"""Finds the positions of `data/midgame.json`: beginnings of random games in which faults of choice show most.

    python -m harness.tools.find_midgame --seconds 600 --seed 1
    python -m harness.tools.find_midgame --again
    python -m harness.tools.find_midgame --opening --playouts 4000000

For each position, the file has the moments (means and covariances) of the AMAF records (visits and wins of
each candidate) from many playouts. It also lists the faults of the AMAF records or of the choice that 60
searches there show clearly, with the p-value in decades: 6 means 1e-6, the least that is listed. `--again`
keeps the positions and their p-values, and computes all other numbers again. `--opening` writes
`data/opening.json`, the moments on the empty board.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from harness.check.stored_data import DATA_FOLDER
from harness.go import Point, Position, random_game, symmetries
from harness.gtp import format_vertex, parse_vertex
from harness.oracle.expected import as_entry
from harness.oracle.midgame import AmafMoments, amaf_moments, draw_choices
from harness.stats import judge_against_sample
from harness.tools.finding import COLOURS, choose_greedily, clause_of, game_of, report, write_probes
from harness.tools.tabulate_playouts import expected_from
from refbot import FAULTS, Game, Search
from refbot.playouts import playouts

DATA = DATA_FOLDER / "midgame.json"
OPENING = DATA.with_name("opening.json")
SIZE, KOMI, PLAYOUTS, SEARCHES = 9, 7.5, 1000, 60
"""The board size and the komi of the positions, the playouts of a search, and the searches at a position."""

BATCH = 250
"""Playouts whose AMAF records are added up to one value; a covariance is that of such values. Chosen."""

BATCHES = 2000
"""Number of these values at a position while positions are searched. Chosen."""

FEWEST_CANDIDATES = 5
"""Positions with fewer candidates are left out; chosen: a fault of choice shows where much can be chosen."""

DRAWN = 20_000
"""Searches drawn from the moments, to count the moves of a bot; chosen."""

Counts = npt.NDArray[np.int64]
"""How often a bot chose each candidate."""

MOVES = (20, 30, 40, 50, 60, 65, 70, 75, 80, 85, 90)
"""Lengths of the random games. Chosen."""

ENOUGH = 20.0
"""Decades of p-value from which a fault is separated for certain; larger ones count as this one. Chosen."""

LEAST_DECADES = 6.0
"""Decades with which the data file lists a fault as separated, at least; chosen."""

ENOUGH_POSITIONS = 3
"""Number of positions that separate a fault for certain, after which it is tried on no more; chosen."""

DIGITS = 6
"""Significant digits of a stored covariance."""

DEVIANT_PLAYOUTS = 200_000
"""Playouts for the mean records of a bot with a fault of the AMAF records; chosen."""

DEVIANT = tuple(name for name, fault in FAULTS.items() if fault.where == "amaf")
"""The faults of the AMAF records."""


@dataclass(frozen=True, eq=False)
class Found:
    """A position, and how clearly faults show there.

    points    the candidates, as `row * 9 + column`
    moments   the AMAF moments of the candidates, in their order
    decades   by measured fault: the p-value of SEARCHES searches in decades (6 means 1e-6)
    """

    position: Position
    komi: float
    points: tuple[int, ...]
    moments: AmafMoments
    decades: dict[str, float]


def moments_at(game: Game, colour: int, points: Sequence[int], batches: int, seed: int) -> AmafMoments:
    """The AMAF moments of `points` at the position of a game, from `batches` times BATCH playouts."""
    visits, wins = [], []
    for batch in range(batches):
        stats = playouts(game.position(colour), BATCH, komi=game.komi, seed=seed + batch, amaf=True)
        assert stats.amaf is not None, "asked for"
        visits.append(stats.amaf.visits[list(points)])
        wins.append(stats.amaf.wins[list(points)])
    return amaf_moments(np.array(visits, np.float64), np.array(wins, np.float64), BATCH)


def deviant_mean(game: Game, colour: int, points: Sequence[int], fault: str, seed: int) -> list[float]:
    """Mean visits, then wins, that one playout adds to each point under a fault of the AMAF records."""
    stats = playouts(
        game.position(colour), DEVIANT_PLAYOUTS, komi=game.komi, seed=seed, amaf=True, faults={fault}
    )
    assert stats.amaf is not None, "asked for"
    sums = np.concatenate([stats.amaf.visits[list(points)], stats.amaf.wins[list(points)]])
    return [_rounded(value / DEVIANT_PLAYOUTS) for value in sums]


def measure(position: Position, komi: float, names: Iterable[str], searches: int, seed: int) -> Found | None:
    """Measure how clearly the faults `names` show at a position; return None if it has too few candidates.

    For a fault of the AMAF records, the p-value comes from a test that knows the choices of bots with it.
    These choices are drawn from the fault's own mean and the right bot's covariance.
    """
    game, colour = game_of(position, komi), COLOURS[position.to_move]
    points = tuple(sorted(int(point) for point in game.candidates(colour)))
    if len(points) < FEWEST_CANDIDATES:
        return None
    moments = moments_at(game, colour, points, BATCHES, seed)
    counts = draw_choices(moments, PLAYOUTS, DRAWN, seed)
    decades = {}
    for name in names:
        search = Search(PLAYOUTS, frozenset([name]), seed)
        moves = [search.search(game, colour).move for _ in range(searches)]
        known = []
        if name in DEVIANT:
            mean = np.array(deviant_mean(game, colour, points, name, seed))
            known = [draw_choices(AmafMoments(mean, moments.covariance), PLAYOUTS, DRAWN, seed)]
        decades[name] = _decades([-1 if m is None else points.index(int(m)) for m in moves], counts, known)
    return Found(position, komi, points, moments, decades)


def separated_faults(found: Sequence[Found]) -> frozenset[str]:
    """Return the faults that ENOUGH_POSITIONS or more of these positions separate for certain."""
    times = Counter(name for one in found for name, decades in one.decades.items() if decades >= ENOUGH)
    return frozenset(name for name, count in times.items() if count >= ENOUGH_POSITIONS)


def _decades(choices: list[int], counts: Counts, known: list[Counts]) -> float:
    """Return how clearly choices differ from those of a right bot: the p-value in decades, at most ENOUGH.

    choices   index of the chosen candidate in each search, -1 for a pass (which no right bot makes)
    counts    how often a right bot chooses each candidate
    known     how often faulty bots choose each: the test is more sensitive to choices like theirs
    """
    if -1 in choices:
        return ENOUGH
    p_value = judge_against_sample(choices, counts, known).p_value
    return min(ENOUGH, -math.log10(max(p_value, 1e-300)))


def entry(found: Found, playouts_made: int, seed: int, clause: str) -> dict[str, object]:
    """Return a position as the data file has it, with its numbers from `playouts_made` new playouts.

    Only the p-values (`separates`) are those of `found`.
    """
    position, komi = found.position, found.komi
    game, colour = game_of(position, komi), COLOURS[position.to_move]
    moments = moments_at(game, colour, found.points, playouts_made // BATCH, seed)
    stats = playouts(game.position(colour), playouts_made, komi=komi, seed=seed)
    return {
        "clause": clause,
        "moves": [[move.colour, format_vertex(move.point)] for move in position.moves],
        "to_move": position.to_move,
        "komi": komi,
        "candidates": [format_vertex(divmod(point, SIZE)) for point in found.points],
        "expected": as_entry(expected_from(stats, position.to_move, SIZE, f"seed {seed}")),
        **_stored(moments),
        "deviant": {name: deviant_mean(game, colour, found.points, name, seed) for name in DEVIANT},
        "separates": {n: round(d, 1) for n, d in sorted(found.decades.items()) if d >= LEAST_DECADES},
    }


def _stored(moments: AmafMoments) -> dict[str, list[float]]:
    """Return AMAF moments as data files have them; `AmafMoments.of` reads them."""
    return {
        "mean": [_rounded(value) for value in moments.mean],
        "covariance": [_rounded(value) for value in moments.upper],
    }


def _rounded(value: float) -> float:
    return float(f"{value:.{DIGITS}g}")


def stored_positions() -> list[tuple[Found, str]]:
    """Return the positions of the data file, each with its clause. Their moments are left empty."""
    return [_read_position(stored) for stored in json.loads(DATA.read_text("utf-8"))["probes"]]


def _read_position(stored: Mapping[str, Any]) -> tuple[Found, str]:
    """Return (position with empty moments, clause) from an entry of the data file."""
    position = Position(SIZE)
    for colour, vertex in stored["moves"]:
        position.play(colour, parse_vertex(vertex, SIZE))
    game = game_of(position, stored["komi"])
    points = tuple(sorted(int(point) for point in game.candidates(COLOURS[stored["to_move"]])))
    nothing = AmafMoments(np.zeros(2 * len(points)), np.zeros((2 * len(points), 2 * len(points))))
    found = Found(position, stored["komi"], points, nothing, dict(stored["separates"]))
    return found, stored["clause"]


def search_positions(arguments: argparse.Namespace) -> list[tuple[Found, str]]:
    """Search for `--seconds`; return the best positions, at most `--positions`, each with its clause.

    The best positions together separate as many faults of the AMAF records and of the choice as possible, as
    clearly as possible (`choose_greedily`).
    """
    rng = random.Random(arguments.seed)
    found: list[Found] = []
    until = time.monotonic() + arguments.seconds
    every = [name for name, fault in FAULTS.items() if fault.where in ("amaf", "selection")]
    while time.monotonic() < until:
        seed = rng.randrange(2**31)
        names = [name for name in every if name not in separated_faults(found)]
        one = measure(random_game(SIZE, seed, rng.choice(MOVES)), KOMI, names, SEARCHES, seed)
        if one is not None:
            found.append(one)
    report(f"{len(found)} positions")
    scores = [one.decades for one in found]
    chosen = choose_greedily(scores, arguments.positions, goal=ENOUGH)
    kept = [scores[index] for index in chosen]
    return [(found[index], clause_of(scores[index], kept, ("amaf", "best-rate"))) for index in chosen]


def opening(playouts_made: int, seed: int) -> dict[str, object]:
    """The content of `data/opening.json`: moments on the empty board, averaged over its symmetries."""
    points = range(SIZE * SIZE)
    found = moments_at(Game(SIZE, KOMI), COLOURS["b"], points, playouts_made // BATCH, seed)
    mean, covariance = np.zeros_like(found.mean), np.zeros_like(found.covariance)
    for image in symmetries(SIZE):
        moved = [_number(image(divmod(point, SIZE))) for point in points]
        order = np.array([*moved, *(SIZE * SIZE + number for number in moved)])  # visits, then wins
        mean += found.mean[order] / len(symmetries(SIZE))
        covariance += found.covariance[np.ix_(order, order)] / len(symmetries(SIZE))
    return {"format": "conform-opening/1", **_stored(AmafMoments(mean, covariance))}


def _number(point: Point | None) -> int:
    assert point is not None, "only a pass has no image"
    return point[0] * SIZE + point[1]


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seconds", type=float, default=600.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--positions", type=int, default=4)
    parser.add_argument("--playouts", type=int, default=2_000_000)
    parser.add_argument("--again", action="store_true", help="compute the stored positions again")
    parser.add_argument("--opening", action="store_true", help="the empty board alone")
    arguments = parser.parse_args()
    if arguments.opening:
        OPENING.write_text(json.dumps(opening(arguments.playouts, arguments.seed)) + "\n")
        return
    chosen = stored_positions() if arguments.again else search_positions(arguments)
    kept = [entry(one, arguments.playouts, arguments.seed, clause) for one, clause in chosen]
    write_probes(DATA, "midgame", kept, indent=None)


if __name__ == "__main__":
    main()
