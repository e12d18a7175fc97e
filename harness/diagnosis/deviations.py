"""Deviations of lengths, results and moves: the three things that searches show, probe by probe."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from harness.check.procedures.search import Series
from harness.diagnosis.search_statistics import Statistics, has_comparable_moves, moves_differ, summed
from harness.diagnosis.signatures import Signature
from harness.oracle.expected import Expected

STANDS_OUT = 4.0
"""Standard errors from which a mean deviates. Chosen: one mean in 16,000 of a right bot does."""

PRINTING = 0.001
"""Distance of a printed score from the exact one, at most: a step of three decimals."""

ENOUGH_MOVES = 4
"""Number of searches from which chosen moves that look right are taken to be right. Chosen."""


class Channel(StrEnum):
    """An observable of a search."""

    LENGTH = "length"
    RESULT = "result"
    MOVE = "move"


@dataclass(frozen=True)
class Deviations:
    """The probes, by id, at which each channel was compared, and those at which it deviates.

    longer       playouts are longer than they must be
    shorter      playouts are shorter than they must be
    frozen       every search has the same length although playouts of several lengths are possible
    passed       the bot passed although it had a candidate
    resigned     the bot resigned although it had a candidate
    impossible   the bot counted fewer moves than playouts, each of which has one at least
    turned       the length depends on how the position is turned
    capped       results were compared, and the cap ends the playouts
    gaps         mean length less the expected one, where it deviates
    """

    compared: Mapping[Channel, frozenset[str]] = field(default_factory=dict)
    deviating: Mapping[Channel, frozenset[str]] = field(default_factory=dict)
    longer: frozenset[str] = frozenset()
    shorter: frozenset[str] = frozenset()
    frozen: frozenset[str] = frozenset()
    passed: frozenset[str] = frozenset()
    resigned: frozenset[str] = frozenset()
    impossible: frozenset[str] = frozenset()
    turned: frozenset[str] = frozenset()
    capped: frozenset[str] = frozenset()
    gaps: Mapping[str, float] = field(default_factory=dict)

    def of(self, channel: Channel) -> frozenset[str]:
        """Return the probes at which a channel deviates."""
        return self.deviating.get(channel, frozenset())

    def number_compared(self, channel: Channel) -> int:
        """At how many probes a channel was compared."""
        return len(self.compared.get(channel, ()))


def find_deviations(found: Iterable[Series], right: Signature) -> Deviations:
    """Compare searches with what is expected of them, chosen moves with those that the right bot chose."""
    compared: dict[Channel, set[str]] = {channel: set() for channel in Channel}
    deviating: dict[Channel, set[str]] = {channel: set() for channel in Channel}
    probes: defaultdict[str, set[str]] = defaultdict(set)  # by the name of their mark
    length_gaps: dict[str, float] = {}
    for series in found:
        name = series.probe.id
        if not series.searches or series.passed_unsearched:
            continue
        seen = summed(series)
        for mark in _marks(series, seen):
            probes[mark].add(name)
        if seen.mean:
            length, result = gaps(seen, series.probe.expected)
            for channel, gap in ((Channel.LENGTH, length), (Channel.RESULT, result)):
                compared[channel].add(name)
                if gap:
                    deviating[channel].add(name)
            if length:
                length_gaps[name] = length
        recorded = right.probes.get(name)
        if recorded is None or not has_comparable_moves(series, recorded):
            continue
        differ = moves_differ(seen.moves, recorded.moves)
        if differ or seen.searches >= ENOUGH_MOVES:
            compared[Channel.MOVE].add(name)
        if differ:
            deviating[Channel.MOVE].add(name)
    return Deviations(
        {channel: frozenset(names) for channel, names in compared.items()},
        {channel: frozenset(names) for channel, names in deviating.items()},
        gaps=length_gaps,
        **{mark: frozenset(names) for mark, names in probes.items()},
    )


def _marks(series: Series, seen: Statistics) -> Iterator[str]:
    """Yield the names of the fields of `Deviations` that the probe of some searches belongs to."""
    probe = series.probe
    if not seen.moves.keys().isdisjoint({"PASS", "RESIGN"}) and probe.position.candidates(probe.to_move):
        yield from (mark for mark, move in (("passed", "PASS"), ("resigned", "RESIGN")) if move in seen.moves)
    if not seen.mean:
        return
    if len(probe.moves) + probe.expected.mean_length >= 3 * probe.size**2:
        yield "capped"
    nodes = [search.nodes for search in series.searches]
    if any(number is not None and number < series.playouts for number in nodes):
        yield "impossible"
    length, _ = gaps(seen, probe.expected)
    if length:
        yield "longer" if length > 0 else "shorter"
        right = series.playouts * probe.expected.mean_length
        if probe.expected.certain_length and len({number == right for number in nodes}) == 2:
            yield "turned"
        if len(set(nodes)) == 1 < len(nodes):
            yield "frozen"


def channels_of(signature: Signature, right: Signature) -> Mapping[Channel, frozenset[str]]:
    """Return the probes at which a recorded fault deviates, by channel.

    Records have lengths and results together, and only where one of them differs from the right bot's.
    """
    found: dict[Channel, set[str]] = {channel: set() for channel in Channel}
    for name, own in signature.probes.items():
        wanted = right.probes.get(name)
        if wanted is None:
            continue
        if own.moves:
            found[Channel.MOVE].add(name)
        if own.mean and wanted.mean:
            for place, channel in enumerate((Channel.LENGTH, Channel.RESULT)):
                error = math.hypot(*(_error(one, place) for one in (own, wanted)))
                if abs(own.mean[place] - wanted.mean[place]) > STANDS_OUT * error + PRINTING:
                    found[channel].add(name)
    return {channel: frozenset(probes) for channel, probes in found.items()}


def _error(recorded: Statistics, place: int) -> float:
    """Standard error of a recorded mean."""
    return math.sqrt(max(0.0, recorded.covariance[place][place]) / (recorded.searches * recorded.playouts))


def gaps(seen: Statistics, expected: Expected) -> tuple[float, float]:
    """Observed less expected mean length and mean result; 0 for what does not stand out."""
    playouts = seen.searches * seen.playouts
    wanted = (
        (expected.mean_length, expected.sd_length, expected.se_length, 0.5 / seen.playouts),
        (expected.mean_result, expected.sd_result, expected.se_result, PRINTING),
    )
    found = []
    for value, (mean, sd, se, step) in zip(seen.mean, wanted, strict=True):
        gap = value - mean
        stands_out = abs(gap) > STANDS_OUT * math.hypot(sd / math.sqrt(playouts), se) + step
        found.append(gap if stands_out else 0.0)
    return found[0], found[1]
