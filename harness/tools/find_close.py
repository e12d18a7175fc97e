"""Finds the probes of `data/close.json`: positions where the best AMAF rate is only a little above the next.

    python -m harness.tools.find_close --seconds 600 --seed 1

The positions are made like those of `find_probes`. A komi between each two possible final leads is tried. The
best two rates are CLOSE mostly where nearly all playouts are won, or nearly all are lost: they then differ by
less than a hundredth, and yet have the same order in nearly every search. The choices of a conforming bot and
of a bot with a fault of choice are drawn from enumerated records.

This program found the stored probe close-1. The other three came from a search that is not in the tree: it
chose positions that separate the faults at 50 to 20,000 playouts, also with rates that are not close. So a
new run does not find them again. Their `separates` are the distances that this program measures.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from harness.check.procedures.probe import Probe
from harness.check.stored_data import DATA_FOLDER
from harness.oracle import AmafDistribution, AmafRecords, StateLimitError
from harness.tools.finding import (
    choose_greedily,
    enumerate_records,
    parse_options,
    probes_with_choice,
    report,
    stored_choice,
    take_for,
    write_probes,
)
from refbot.deviations.faults import FAULTS, checked
from refbot.search.select import chances

DATA = DATA_FOLDER / "close.json"
PLAYOUTS, SEARCHES = 1000, 500
"""Playouts of a simulated search, and simulated searches of each bot at a position; chosen."""

CANDIDATES = range(2, 7)
"""Numbers of candidates of the positions; chosen: few enough to be enumerated."""

CLOSE = (0.001, 0.0098)
"""Limits of the difference between the two best rates; chosen: below a hundredth, and more than rounding."""

SEPARATED = 0.3
"""Least total variation between the choices of a faulty and a right bot that separates the fault; chosen."""

WRONG = tuple(name for name, fault in FAULTS.items() if fault.clause == "best-rate")
"""The faults of choice."""

ENOUGH_COVER, LEAST_GAIN = 1.5, 0.05
"""Sum of the distances of a fault over the probes kept that is enough, and the gain in these sums above which
one more probe is kept; chosen."""


@dataclass(frozen=True)
class Found:
    """A probe, the records of a conforming bot, and the distance of each fault's choices from that bot's.

    The distance is the total variation: from 0 for equal choices to 1.
    """

    probe: Probe
    records: AmafRecords
    distances: dict[str, float]


def close_positions(rng: random.Random) -> Iterator[Found]:
    """Yield random positions whose two best AMAF rates are CLOSE, without end; some with several komi."""
    for probe in probes_with_choice(rng, "close", CANDIDATES):
        try:
            spread = enumerate_records(probe)
        except StateLimitError:
            continue
        for komi in _komis(spread):
            if _is_close(spread, probe, komi):
                yield _measure(replace(probe, komi=komi), spread, rng.getrandbits(32))


def _komis(spread: AmafDistribution) -> Iterator[float]:
    """Yield a komi between each two neighbouring margins: the final leads of Black in the playouts."""
    for low, _ in pairwise(sorted({margin for _, margin in spread.probabilities})):
        yield low + 0.5


def _is_close(spread: AmafDistribution, probe: Probe, komi: float) -> bool:
    """Return True if the two best rates of the candidates are CLOSE, and every candidate has a rate."""
    values = spread.values(komi)
    points = probe.position.candidates(probe.to_move)
    if any(point not in values for point in points):
        return False
    best, second, *_ = sorted((float(values[point].rate) for point in points), reverse=True)
    return CLOSE[0] < best - second < CLOSE[1]


def _measure(probe: Probe, spread: AmafDistribution, seed: int) -> Found:
    """Return the probe with its records, and the distance of each fault in WRONG."""
    records = spread.records(probe.komi, probe.position.candidates(probe.to_move))
    visits, wins = records.draw(PLAYOUTS, SEARCHES, seed)

    def shares(*faults: str) -> npt.NDArray[np.float64]:
        chosen = chances(visits.astype(np.int64), wins, after_pass=False, faults=checked(faults))
        return np.asarray(chosen.mean(axis=0))

    right = shares()
    distances = {name: 0.5 * float(abs(shares(name) - right).sum()) for name in WRONG}
    return Found(probe, records, distances)


def main() -> None:
    """Search for probes, choose the best ones, and write them to DATA."""
    options = parse_options(__doc__, most=4)
    found = list(take_for(options.seconds, close_positions(random.Random(options.seed))))
    report(f"{len(found)} positions")
    chosen = choose_greedily(
        [one.distances for one in found], options.most, goal=ENOUGH_COVER, least=LEAST_GAIN
    )
    kept = [found[index] for index in chosen]
    entries = [
        stored_choice(f"close-{number}", one.probe, one.distances, SEPARATED, one.records)
        for number, one in enumerate(kept, 1)
    ]
    write_probes(DATA, "close", entries)


if __name__ == "__main__":
    main()
