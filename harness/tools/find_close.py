"""Finds the probes of `data/close.json`: positions where nearly equal rates decide, and decide surely.

    python -m harness.tools.find_close --seconds 600 --seed 1

The positions are those of `find_probes`; the komi is one that hardly any playout reaches, or hardly any
misses, so that rates lie within a hundredth of each other and still are in one order in nearly every search.
What is chosen there is known exactly, for a right bot and for one that reads the records wrongly.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Iterator, Mapping
from dataclasses import asdict, replace
from itertools import pairwise

from harness.check.procedures.probe import Probe
from harness.check.stored_data import DATA_FOLDER
from harness.gtp import format_vertex
from harness.oracle import (
    AmafDistribution,
    AmafRecords,
    StateLimitError,
    choice_shares,
    enumerate_amaf,
    enumerate_playouts,
    rates,
)
from harness.oracle.expected import Expected, summarise
from harness.tools.find_probes import Candidate, pick, scrambled
from refbot.deviations.faults import FAULTS, checked
from refbot.search.select import merits, slack

DATA = DATA_FOLDER / "close.json"
MAX_STATES = 3000
TOLERANCE = 1e-10
PLAYOUTS = 1000
SEARCHES = 500
CANDIDATES = range(2, 7)
CLOSE = (0.001, 0.0098)
"""How far the second best rate may be below the best."""

TELLING = 0.3
"""Total variation, from the choice of a right bot, from which a fault counts as separated."""

WRONG = tuple(name for name, fault in FAULTS.items() if fault.clause == "best-rate")


def candidates(rng: random.Random) -> Iterator[Candidate]:
    """Positions with close rates, without end, each with what it separates."""
    while True:
        found = scrambled(rng)
        if found is None:
            continue
        board, to_move, tail = found
        probe = Probe("close", board, to_move, 0.0, tail)
        if len(probe.position.candidates(to_move)) not in CANDIDATES:
            continue
        try:
            spread = _spread(probe)
        except StateLimitError:
            continue
        for komi in _komis(spread):
            if _close(spread, probe, komi):
                yield _measured(replace(probe, komi=komi), spread, rng.getrandbits(32))


def _spread(probe: Probe) -> AmafDistribution:
    ban = probe.position.ko_ban(probe.to_move)
    return enumerate_amaf(probe.position, probe.to_move, ko=ban, tolerance=TOLERANCE, max_states=MAX_STATES)


def _komis(spread: AmafDistribution) -> Iterator[float]:
    """One between each two neighbouring margins."""
    for low, high in pairwise(sorted({margin for _, margin in spread.probabilities})):
        yield low + 0.5 if high == low + 1 else float(low + 1) - 0.5


def _close(spread: AmafDistribution, probe: Probe, komi: float) -> bool:
    values = spread.values(komi)
    points = probe.position.candidates(probe.to_move)
    if any(point not in values for point in points):
        return False
    best, second, *_ = sorted((float(values[point].rate) for point in points), reverse=True)
    return CLOSE[0] < best - second < CLOSE[1]


def _measured(probe: Probe, spread: AmafDistribution, seed: int) -> Candidate:
    """The probe with the distance of each wrong choice from the right one."""
    records = spread.records(probe.komi, probe.position.candidates(probe.to_move))
    visits, wins = records.draw(PLAYOUTS, SEARCHES, seed)
    right = choice_shares(rates(visits, wins))
    distances = {}
    for name in WRONG:
        fault = checked([name])
        wrong = choice_shares(merits(visits.astype(int), wins, fault), slack(fault))
        distances[name] = 0.5 * float(abs(wrong - right).sum())
    position, ban = probe.position, probe.position.ko_ban(probe.to_move)
    expected = summarise(enumerate_playouts(position, probe.to_move, ko=ban, tolerance=1e-12), probe.komi)
    return Candidate(probe, expected, choices=distances)


def entry(candidate: Candidate, number: int) -> dict[str, object]:
    """One probe as the data file has it."""
    probe = candidate.probe
    records = _spread(probe).records(probe.komi, probe.position.candidates(probe.to_move))
    telling = {name: value for name, value in candidate.choices.items() if value >= TELLING}
    return stored_entry(f"close-{number}", probe, telling, candidate.expected, records)


def stored_entry(
    name: str, probe: Probe, separates: Mapping[str, float], expected: Expected, records: AmafRecords
) -> dict[str, object]:
    """A probe of enumerated choices as `harness.check.judges.moves` reads it."""
    points = probe.position.candidates(probe.to_move)
    return {
        "id": name,
        "board": probe.board.splitlines()[1:-1],
        "to_move": probe.to_move,
        "komi": probe.komi,
        "tail": [list(move) for move in probe.tail],
        "separates": {wrong: round(distance, 2) for wrong, distance in sorted(separates.items())},
        "expected": asdict(expected),
        "candidates": [format_vertex(point) for point in points],
        "records": _ways(records),
    }


def _ways(records: AmafRecords) -> list[list[object]]:
    """Probability, result, and a digit a candidate: 1 where it is credited."""
    return [
        [float(probability), float(result), "".join(str(int(flag)) for flag in credited)]
        for probability, result, credited in zip(
            records.probabilities, records.results, records.credited, strict=True
        )
    ]


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seconds", type=float, default=600.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--most", type=int, default=4)
    arguments = parser.parse_args()
    found: list[Candidate] = []
    until = time.monotonic() + arguments.seconds
    for candidate in candidates(random.Random(arguments.seed)):
        found.append(candidate)
        if time.monotonic() > until:
            break
    print(f"{len(found)} candidates")  # noqa: T201 (a tool for developers)
    entries = [entry(one, number) for number, one in enumerate(pick(found, "choices", arguments.most), 1)]
    DATA.write_text(json.dumps({"format": "conform-close/1", "probes": entries}, indent=1) + "\n")


if __name__ == "__main__":
    main()
