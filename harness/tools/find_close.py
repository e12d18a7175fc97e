"""Finds the probes of `data/close.json`: positions where nearly equal rates decide, and decide surely.

    python -m harness.tools.find_close --seconds 600 --seed 1

The positions are those of `find_probes`; the komi is one that hardly any playout reaches, or hardly any
misses, so that rates lie within a hundredth of each other and still are in one order in nearly every search.
What is chosen there is known exactly, for a right bot and for one that reads the records wrongly.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

from harness.check.procedures.probe import Probe
from harness.check.stored_data import DATA_FOLDER
from harness.oracle import AmafDistribution, AmafRecords, StateLimitError, choice_shares, rates
from harness.tools.finding import (
    choose_greedily,
    enumerated,
    parse_options,
    probes_with_choice,
    report,
    stored_choice,
    take_for,
    write_probes,
)
from refbot.deviations.faults import FAULTS, checked
from refbot.search.select import merits, slack

DATA = DATA_FOLDER / "close.json"
PLAYOUTS = 1000
SEARCHES = 500
CANDIDATES = range(2, 7)
CLOSE = (0.001, 0.0098)
"""Distance of the second best rate from the best: below a hundredth, and more than rounding; chosen."""

SEPARATED = 0.3
"""Total variation, from the choice of a right bot, from which a fault counts as separated; chosen."""

WRONG = tuple(name for name, fault in FAULTS.items() if fault.clause == "best-rate")


@dataclass(frozen=True)
class Found:
    """A probe, the records of a right bot there, and the distance of each wrong choice from the right one."""

    probe: Probe
    records: AmafRecords
    distances: dict[str, float]


def candidates(rng: random.Random) -> Iterator[Found]:
    """Positions with close rates, without end, each with what it separates."""
    for probe in probes_with_choice(rng, "close", CANDIDATES):
        try:
            spread = enumerated(probe)
        except StateLimitError:
            continue
        for komi in _komis(spread):
            if _close(spread, probe, komi):
                yield _measured(replace(probe, komi=komi), spread, rng.getrandbits(32))


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


def _measured(probe: Probe, spread: AmafDistribution, seed: int) -> Found:
    records = spread.records(probe.komi, probe.position.candidates(probe.to_move))
    visits, wins = records.draw(PLAYOUTS, SEARCHES, seed)
    right = choice_shares(rates(visits, wins))
    distances = {}
    for name in WRONG:
        fault = checked([name])
        wrong = choice_shares(merits(visits.astype(int), wins, fault), slack(fault))
        distances[name] = 0.5 * float(abs(wrong - right).sum())
    return Found(probe, records, distances)


def main() -> None:
    """Command line."""
    options = parse_options(__doc__, most=4)
    found = list(take_for(options.seconds, candidates(random.Random(options.seed))))
    report(f"{len(found)} candidates")
    chosen = choose_greedily([one.distances for one in found], options.most, 1.5, 0.05)
    kept = [found[index] for index in chosen]
    entries = [
        stored_choice(f"close-{number}", one.probe, one.distances, SEPARATED, one.records)
        for number, one in enumerate(kept, 1)
    ]
    write_probes(DATA, "close", entries)


if __name__ == "__main__":
    main()
