"""Finds the probes of `data/bookkeeping.json`: positions where wrong AMAF records choose another move.

    python -m harness.tools.find_bookkeeping --seconds 600 --seed 1

The program draws positions near the end of a game, in whose playouts stones are captured, retaken, or placed
on one point by both sides. It enumerates the AMAF records under the rule of clause `amaf` and under each
wrong rule of `WRONG`. A position is kept if the chosen moves differ, at a komi between two of the possible
final margins.

A rule is a function of two sets of points, as bits, and a play of a playout; it returns the new sets.
`touched` has the points that count as played on, `credited` those that count for the side that searches. An
example: the side that searches plays on the point with the bit 0b100, and no set has this bit. Then the
right rule (`first_of_either`) adds 0b100 to both. A play of the other side adds it to `touched` alone.

The file has the format of `data/close.json`, so its `format` is `conform-close/1`, too.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from harness.check.procedures.probe import Probe
from harness.check.stored_data import DATA_FOLDER
from harness.oracle import (
    AmafDistribution,
    AmafRecords,
    CreditRule,
    Play,
    StateLimitError,
    choice_shares,
    first_of_either,
    rates,
)
from harness.tools.finding import (
    enumerate_records,
    parse_options,
    probes_with_choice,
    report,
    stored_choice,
    take_for,
    write_probes,
)

DATA = DATA_FOLDER / "bookkeeping.json"
PLAYOUTS, SEARCHES = 1000, 400
"""Playouts of a simulated search, and searches for a distribution of choices; chosen."""

CANDIDATES = range(2, 8)
"""Numbers of candidates of the positions; chosen: few enough to be enumerated."""

APART = 0.5
"""Least total variation between the choices of a wrong and a right bot that separates the rule; chosen."""

SURE = 0.9
"""Least share of searches in which a right bot chooses its commonest move; chosen: any other then shows."""

AGAIN_WORTH = 0.25
"""Factor of the worth of a wrong rule, for each position already kept that separates it; chosen."""

MEMORY = 1 << 128
"""First bit of a second set of points in `touched`, above the bits of all points of a board.

A rule that has to remember more than the two sets (such as points where stones were captured) keeps it there:
`play.captured * MEMORY` are the captured points, moved up into the second set.
"""


def _without(single: bool, several: bool) -> CreditRule:
    """A wrong rule: plays that capture one stone, or several, are not credited."""

    def rule(touched: int, credited: int, play: Play) -> tuple[int, int]:
        taken = play.captured.bit_count()
        if play.mine and ((single and taken == 1) or (several and taken > 1)):
            return touched | play.point, credited
        return first_of_either(touched, credited, play)

    return rule


def _traceless(touched: int, credited: int, play: Play) -> tuple[int, int]:
    """Plays that capture stones leave no record at all."""
    return (touched, credited) if play.captured else first_of_either(touched, credited, play)


def _only_standing(touched: int, credited: int, play: Play) -> tuple[int, int]:
    """A captured stone loses its credit, as if the records were read off the final board."""
    touched, credited = first_of_either(touched, credited, play)
    return touched, credited & ~play.captured


def _fresh_when_taken(touched: int, credited: int, play: Play) -> tuple[int, int]:
    """A point whose stone was captured counts as never played on."""
    touched, credited = first_of_either(touched, credited, play)
    return touched & ~play.captured, credited & ~play.captured


def _credit_again(touched: int, credited: int, play: Play) -> tuple[int, int]:
    """A point whose stone was captured may be credited again to the side that plays there next."""
    touched, credited = first_of_either(touched, credited, play)
    return touched & ~play.captured, credited


def _last_to_play(touched: int, credited: int, play: Play) -> tuple[int, int]:
    """The last side to play on a point gets the credit."""
    gained = credited | play.point if play.mine else credited & ~play.point
    return touched | play.point, gained


def _captures_do_not_disqualify(touched: int, credited: int, play: Play) -> tuple[int, int]:
    """A capturing play of the opponent does not keep its point from being credited later."""
    if play.captured and not play.mine:
        return touched, credited
    return first_of_either(touched, credited, play)


def _no_retaking(touched: int, credited: int, play: Play) -> tuple[int, int]:
    """A play on a point where a stone was captured before is not credited."""
    retakes = touched & (play.point * MEMORY)
    after, gained = first_of_either(touched, credited, play)
    return after | (play.captured * MEMORY), credited if retakes else gained


def _until_capture(touched: int, credited: int, play: Play) -> tuple[int, int]:
    """Nothing is credited after the first capture of a playout."""
    after, gained = first_of_either(touched, credited, play)
    had_capture = touched & MEMORY  # this bit alone is the mark of a capture, on any point
    return after | (MEMORY if play.captured else 0), credited if had_capture else gained


WRONG: Mapping[str, CreditRule] = {
    "single captures not credited": _without(single=True, several=False),
    "larger captures not credited": _without(single=False, several=True),
    "captures forgotten": _traceless,
    "only standing stones credited": _only_standing,
    "taken points fresh": _fresh_when_taken,
    "taken points credited again": _credit_again,
    "last to play credited": _last_to_play,
    "captures do not disqualify": _captures_do_not_disqualify,
    "retaking not credited": _no_retaking,
    "nothing credited after a capture": _until_capture,
}
"""The wrong rules of the AMAF records, by name."""


@dataclass(frozen=True)
class Found:
    """A probe, the records of a right bot there, and the wrong rules that the probe separates.

    distances   by name of such a rule: the total variation between its choices and those of a right bot
    """

    probe: Probe
    records: AmafRecords
    distances: Mapping[str, float]


def separating_positions(rng: random.Random) -> Iterator[Found]:
    """Yield random positions that separate at least one wrong rule, without end."""
    for probe in probes_with_choice(rng, "bookkeeping", CANDIDATES):
        try:
            right = enumerate_records(probe)
            wrong = {name: enumerate_records(probe, rule) for name, rule in WRONG.items()}
        except StateLimitError:
            continue
        if all(one.probabilities == right.probabilities for one in wrong.values()):
            continue  # no stone is ever captured
        for low, high in pairwise(sorted({margin for _, margin in right.probabilities})):
            found = _measure(replace(probe, komi=(low + high) / 2), right, wrong)
            if found is not None:
                yield found


def _measure(probe: Probe, right: AmafDistribution, wrong: Mapping[str, AmafDistribution]) -> Found | None:
    """Return the probe with the rules that it separates; None if it separates none.

    None too if a right bot chooses no move with the share SURE.
    """
    points = probe.position.candidates(probe.to_move)
    records = right.records(probe.komi, points)
    shares = _shares(records)
    if shares.max() < SURE:
        return None
    distances = {
        name: 0.5 * float(abs(_shares(one.records(probe.komi, points)) - shares).sum())
        for name, one in wrong.items()
    }
    apart = {name: distance for name, distance in distances.items() if distance >= APART}
    return Found(probe, records, apart) if apart else None


def _shares(records: AmafRecords) -> np.ndarray:
    """Return how often each candidate is chosen (0 to 1), in simulated searches by these records."""
    visits, wins = records.draw(PLAYOUTS, SEARCHES, seed=1)
    return choice_shares(rates(visits, wins))


def pick(found: list[Found], most: int) -> list[Found]:
    """Choose up to `most` positions, one of each board.

    Each step takes the position with the most wrong rules, where a rule counts less if it is covered already.
    """
    kept: list[Found] = []
    covered = dict.fromkeys(WRONG, 0)
    while found and len(kept) < most:
        best = max(found, key=lambda one: sum(AGAIN_WORTH ** covered[name] for name in one.distances))
        kept.append(best)
        found = [one for one in found if one.probe.board != best.probe.board]
        for name in best.distances:
            covered[name] += 1
    return kept


def main() -> None:
    """Command line."""
    options = parse_options(__doc__, most=8)
    found = list(take_for(options.seconds, separating_positions(random.Random(options.seed))))
    times = {name: sum(name in one.distances for one in found) for name in WRONG}
    report(f"{len(found)} positions; separated: {times}")
    entries = [
        stored_choice(f"bookkeeping-{number}", one.probe, one.distances, APART, one.records)
        for number, one in enumerate(pick(found, options.most), 1)
    ]
    write_probes(DATA, "close", entries)


if __name__ == "__main__":
    main()
