"""Where lengths, results and moves deviate: the three things that searches show, probe by probe."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from harness.check.procedures.probe import Probe
from harness.check.procedures.search import Series
from harness.diagnosis.signatures import (
    Signature,
    Statistics,
    comparable_moves,
    moves_differ,
    summed,
)
from harness.oracle.expected import Expected

STANDS_OUT = 4.0
"""Standard errors from which a mean deviates."""

PRINTING = 0.001
"""How far a printed score may be off for its printing."""

ENOUGH_MOVES = 4
"""Number of searches from which chosen moves that look right are taken to be right."""


class Channel(StrEnum):
    """An observable of a search."""

    LENGTH = "length"
    RESULT = "result"
    MOVE = "move"


@dataclass(frozen=True)
class Deviations:
    """The probes, by id, at which each channel was compared, and those at which it deviates.

    `longer` and `shorter` are the probes at which playouts are longer or shorter than they must be, `frozen`
    those at which every search shows the same length although playouts of several lengths are possible.
    `passed` and `resigned` are those at which the bot did that although it had a candidate. `impossible` are
    those at which it counts fewer moves than playouts, each of which has one at least. `gaps` are the mean
    lengths less the expected ones where they deviate, and `turned` the probes whose length depends on how the
    position is turned. `capped` are the probes whose results were compared and whose playouts the cap ends.
    """

    compared: Mapping[Channel, frozenset[str]] = field(default_factory=dict)
    deviating: Mapping[Channel, frozenset[str]] = field(default_factory=dict)
    longer: frozenset[str] = frozenset()
    shorter: frozenset[str] = frozenset()
    frozen: frozenset[str] = frozenset()
    passed: frozenset[str] = frozenset()
    resigned: frozenset[str] = frozenset()
    impossible: frozenset[str] = frozenset()
    gaps: Mapping[str, float] = field(default_factory=dict)
    turned: frozenset[str] = frozenset()
    capped: frozenset[str] = frozenset()

    def of(self, channel: Channel) -> frozenset[str]:
        """The probes at which a channel deviates."""
        return self.deviating.get(channel, frozenset())

    def number_compared(self, channel: Channel) -> int:
        """At how many probes a channel was compared."""
        return len(self.compared.get(channel, ()))


def deviations(found: Iterable[Series], right: Signature) -> Deviations:
    """Compare searches with what is expected of them, chosen moves with those that the right bot chose."""
    compared: dict[Channel, set[str]] = {channel: set() for channel in Channel}
    deviating: dict[Channel, set[str]] = {channel: set() for channel in Channel}
    longer: set[str] = set()
    shorter: set[str] = set()
    frozen: set[str] = set()
    impossible: set[str] = set()
    turned: set[str] = set()
    capped: set[str] = set()
    length_gaps: dict[str, float] = {}
    answers: dict[str, set[str]] = {"PASS": set(), "RESIGN": set()}
    for series in found:
        name = series.probe.id
        if not series.searches or series.passed_unsearched:
            continue
        seen = summed(series)
        for answer, places in answers.items():
            if answer in seen.moves and series.probe.position.candidates(series.probe.to_move):
                places.add(name)
        if seen.mean:
            length, result = gaps(seen, series.probe.expected)
            compared[Channel.LENGTH].add(name)
            compared[Channel.RESULT].add(name)
            if _is_capped(series.probe):
                capped.add(name)
            if any(search.nodes is not None and search.nodes < series.playouts for search in series.searches):
                impossible.add(name)
            if length:
                deviating[Channel.LENGTH].add(name)
                (longer if length > 0 else shorter).add(name)
                length_gaps[name] = length
                if _depends_on_turn(series):
                    turned.add(name)
                if len({search.nodes for search in series.searches}) == 1 < len(series.searches):
                    frozen.add(name)
            if result:
                deviating[Channel.RESULT].add(name)
        recorded = right.probes.get(name)
        if recorded is None or not comparable_moves(series, recorded):
            continue
        differ = moves_differ(seen.moves, recorded.moves)
        if differ or seen.searches >= ENOUGH_MOVES:
            compared[Channel.MOVE].add(name)
        if differ:
            deviating[Channel.MOVE].add(name)
    return Deviations(
        {channel: frozenset(probes) for channel, probes in compared.items()},
        {channel: frozenset(probes) for channel, probes in deviating.items()},
        frozenset(longer),
        frozenset(shorter),
        frozenset(frozen),
        frozenset(answers["PASS"]),
        frozenset(answers["RESIGN"]),
        frozenset(impossible),
        length_gaps,
        frozenset(turned),
        frozenset(capped),
    )


def _is_capped(probe: Probe) -> bool:
    """Return whether every playout goes on until the move cap ends it."""
    return len(probe.moves) + probe.expected.mean_length >= 3 * probe.size**2


def channels_of(signature: Signature, right: Signature) -> Mapping[Channel, frozenset[str]]:
    """The probes at which a recorded fault deviates, by channel.

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


def _depends_on_turn(series: Series) -> bool:
    """Return whether playouts of one length have that length under some symmetries only."""
    if not series.probe.expected.certain_length:
        return False
    right = series.playouts * series.probe.expected.mean_length
    return len({search.nodes == right for search in series.searches}) == 2


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
