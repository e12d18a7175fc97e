"""Deviations of searches from a right bot's, by probe, in three channels: length, result, chosen move.

`find_deviations` compares the searches of a bot, `channels_of` those of a recorded fault. A probe is a
position that is searched; a channel deviates there if it differs by more than chance.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from harness.check.procedures.search import Series
from harness.diagnosis.search_statistics import Statistics, moves_differ, pooled_rare, summed
from harness.diagnosis.signatures import Signature
from harness.oracle.expected import Expected
from harness.stats import special

STANDS_OUT = 4.0
"""Number of standard errors from which a mean deviates. Chosen: one right mean in 16,000 does."""

PRINTING = 0.001
"""Largest rounding error of a ref-score: a step of three decimals, the fewest that a bot may print."""

ENOUGH_MOVES = 4
"""Fewest searches from which moves that do not differ count as compared. Chosen: fewer moves show little."""

UNSTEADY = 6.0
"""Standard errors from which two searches of one position differ by more than any rule of playouts explains.
The standard deviation of a playout is taken to be its mean length at least. Chosen: rules of playouts never
reach it."""

FOR_EACH = 3
"""Fewest searches, for each candidate of a probe, from which equal chances of the moves are tested. Chosen:
with fewer, quite different chances look equal."""

MISSED = 0.01
"""Chance that moves of equal chances fail this test. Chosen: one probe in a hundred is missed."""

FAR, ENOUGH_TO_VARY = 6.0, 8
"""Fewest standard errors, and fewest searches, from which a wrong mean length shows playouts of other rules.
The error comes from the observed spread of the searches. Chosen: right playouts that are repeated, or counted
several times, spread more, and their mean stays within this error."""

WRAPS = 1 << 16
"""Number of values of a counter of 16 bits: a number of moves that is kept in it lacks a multiple of this."""

WITHIN = 6.0
"""Standard errors by which a number of moves, with this multiple added, may differ from the expected one.
Chosen: chance does not reach it."""


class Channel(StrEnum):
    """An observable of a search."""

    LENGTH = "length"
    RESULT = "result"
    MOVE = "move"


@dataclass(frozen=True)
class Deviations:
    """The ids of probes at which each channel was compared, and at which it deviates.

    The fields from `longer` to `uneven` are marks: sets of probes, by what else was seen there. All but
    passed, resigned, scattered and uneven need both means.
    longer       the mean length is too great
    shorter      the mean length is too small
    frozen       the mean length is wrong, and each of several searches has the same length
    passed       the bot passed although it had a candidate (a legal move that fills no own eye)
    resigned     the bot resigned although it had a candidate
    impossible   ref-nodes of a search is smaller than the number of playouts, each of at least one move
    foreign      the mean length is wrong by more than the spread of the searches explains
    wrapped      ref-nodes is too small by a multiple of WRAPS in each search
    turned       all playouts must have one length, and only some searches have it, as if it depended on how
                 the board was turned
    unsteady     ref-nodes changes much from search to search, and is too great in some: it counts other moves
    resumed      the bot had searched before in the same game
    capped       results were compared, and a playout of the mean length ends at the move cap
    mirrored     the result is wrong, and that of the other side would be right
    scattered    the moves are wrong, and may come from equal chances of all candidates
    uneven       the moves are wrong, and cannot come from equal chances of all candidates
    gaps         mean length less the expected one, in moves, by probe, where it deviates
    """

    compared: Mapping[Channel, frozenset[str]] = field(default_factory=dict)
    deviating: Mapping[Channel, frozenset[str]] = field(default_factory=dict)
    longer: frozenset[str] = frozenset()
    shorter: frozenset[str] = frozenset()
    frozen: frozenset[str] = frozenset()
    passed: frozenset[str] = frozenset()
    resigned: frozenset[str] = frozenset()
    impossible: frozenset[str] = frozenset()
    foreign: frozenset[str] = frozenset()
    wrapped: frozenset[str] = frozenset()
    turned: frozenset[str] = frozenset()
    unsteady: frozenset[str] = frozenset()
    resumed: frozenset[str] = frozenset()
    capped: frozenset[str] = frozenset()
    mirrored: frozenset[str] = frozenset()
    scattered: frozenset[str] = frozenset()
    uneven: frozenset[str] = frozenset()
    gaps: Mapping[str, float] = field(default_factory=dict)

    def of(self, channel: Channel) -> frozenset[str]:
        """Return the probes at which a channel deviates."""
        return self.deviating.get(channel, frozenset())

    def number_compared(self, channel: Channel) -> int:
        """Return the number of probes at which a channel was compared."""
        return len(self.compared.get(channel, ()))


def find_deviations(found: Iterable[Series], right: Signature) -> Deviations:
    """Compare means with the expected ones, and moves with those of `right`, the record of a right bot.

    Left out are probes without a search, and those where the bot passed each time without a playout.
    """
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
            length, result = _gaps(seen, series.probe.expected)
            for channel, gap in ((Channel.LENGTH, length), (Channel.RESULT, result)):
                compared[channel].add(name)
                if gap:
                    deviating[channel].add(name)
            if length:
                length_gaps[name] = length
        recorded = right.probes.get(name)
        if recorded is None or not recorded.moves:
            continue
        differ = moves_differ(*pooled_rare(seen.moves, recorded.moves))
        if differ or seen.searches >= ENOUGH_MOVES:
            compared[Channel.MOVE].add(name)
        if differ:
            deviating[Channel.MOVE].add(name)
            if (even := _may_be_even(series, seen)) is not None:
                probes["scattered" if even else "uneven"].add(name)
    return Deviations(
        {channel: frozenset(names) for channel, names in compared.items()},
        {channel: frozenset(names) for channel, names in deviating.items()},
        gaps=length_gaps,
        **{mark: frozenset(names) for mark, names in probes.items()},
    )


def _may_be_even(series: Series, seen: Statistics) -> bool | None:
    """Return False if the moves cannot come from equal chances of all candidates, by a chi-square test.

    None if there are too few searches, or fewer than two candidates.
    """
    candidates = len(series.probe.position.candidates(series.probe.to_move))
    if candidates < 2 or seen.searches < FOR_EACH * candidates:
        return None
    each = seen.searches / candidates
    chosen = seen.moves.values()
    chi_square = sum((times - each) ** 2 for times in chosen) / each + (candidates - len(chosen)) * each
    return chi_square <= float(special.chdtri(candidates - 1, MISSED))


def _marks(series: Series, seen: Statistics) -> Iterator[str]:
    """Yield the marks of a probe, as named in `Deviations`, except those that need a record of moves."""
    probe = series.probe
    if not seen.moves.keys().isdisjoint({"PASS", "RESIGN"}) and probe.position.candidates(probe.to_move):
        yield from (mark for mark, move in (("passed", "PASS"), ("resigned", "RESIGN")) if move in seen.moves)
    if not seen.mean:
        return
    if len(probe.moves) + probe.expected.mean_length >= 3 * probe.size**2:
        yield "capped"
    if probe.resumes:
        yield "resumed"
    nodes = [search.nodes for search in series.searches]
    if any(number is not None and number < series.playouts for number in nodes):
        yield "impossible"
    unsteady = _is_unsteady(series)
    if unsteady:
        yield "unsteady"
    length, result = _gaps(seen, probe.expected)
    other_side = replace(seen, mean=(seen.mean[0], 1.0 - seen.mean[1]))
    if result and not _gaps(other_side, probe.expected)[1]:
        yield "mirrored"
    if length:
        yield "longer" if length > 0 else "shorter"
        if _is_wrapped(series):
            yield "wrapped"
        observed_error = math.sqrt(seen.covariance[0][0] / (seen.searches * seen.playouts))
        if seen.searches >= ENOUGH_TO_VARY and abs(length) > FAR * observed_error > 0.0:
            yield "foreign"
        right = series.playouts * probe.expected.mean_length
        some_are_right = len({number == right for number in nodes}) == 2  # some, not all
        if probe.expected.certain_length and some_are_right and not unsteady:
            yield "turned"
        if len(set(nodes)) == 1 < len(nodes):
            yield "frozen"


def _is_wrapped(series: Series) -> bool:
    """Return True if each search lacks a multiple of WRAPS moves, and otherwise has the expected number.

    For example 34,464 moves in place of 100,000 with a counter of 16 bits. False if the numbers of moves vary
    too much to tell.
    """
    expected, playouts = series.probe.expected, series.playouts
    error = WITHIN * expected.sd_length * math.sqrt(playouts) + WITHIN * expected.se_length * playouts + 0.5
    lacking = [playouts * expected.mean_length - (search.nodes or 0) for search in series.searches]
    overflows = [round(one / WRAPS) for one in lacking]
    return error < WRAPS / 4 and all(
        number > 0 and abs(one - number * WRAPS) <= error
        for one, number in zip(lacking, overflows, strict=True)
    )


def _is_unsteady(series: Series) -> bool:
    """Return True if searches of one position differ more than playouts vary, one with too many moves."""
    expected, playouts = series.probe.expected, series.playouts
    step = UNSTEADY * math.sqrt(2.0 * playouts) * max(expected.mean_length, expected.sd_length)
    highest = playouts * expected.mean_length + step
    by_turn: defaultdict[int, list[int]] = defaultdict(list)  # each symmetry makes another position
    for search in series.searches:
        by_turn[search.turn].append(search.nodes or 0)
    return any(max(alike) > max(highest, min(alike) + step) for alike in by_turn.values())


def channels_of(signature: Signature, right: Signature) -> Mapping[Channel, frozenset[str]]:
    """Return the ids of the probes at which a recorded fault deviates from a right bot's record, by channel.

    A signature keeps the moves of a probe only if they differ, but both means if one of them differs: each
    mean is compared here.
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
    """Return the standard error of a recorded mean; `place` is 0 for the length and 1 for the result."""
    return math.sqrt(max(0.0, recorded.covariance[place][place]) / (recorded.searches * recorded.playouts))


def _gaps(seen: Statistics, expected: Expected) -> tuple[float, float]:
    """Return the observed mean length and mean result, each less the expected one; 0 if within chance.

    For example (2.1, 0.0) if playouts are 2.1 moves too long, and the result is right.
    """
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
