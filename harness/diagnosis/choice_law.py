"""The law of the chosen move at any number of playouts, for a right bot and for each known fault.

A signature is what is recorded of a bot with one fault, or of the right bot: for each probe (a position that
is searched), how often it chose each move. The moves change with the number of playouts per search. They are
recorded at a few numbers: those of `GRID`, and the usual number, at which all else in the signatures was
recorded. Between two of these, the shares of the moves are interpolated in the logarithm of the number.
`diagnose` takes its signatures from `signatures_at`.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from harness.check.clauses import CLAUSES, Part
from harness.diagnosis.search_statistics import Statistics
from harness.diagnosis.signatures import Signature, signatures
from harness.suite.registry import CHECKS

GRID: tuple[int, ...] = (50, 100, 200, 400, 3000, 20_000)
"""Numbers of playouts at which moves are recorded, besides the usual number. Chosen: close together where a
choice changes fast; from 20,000 playouts on, most choices are certain."""

NEAR = 1.25
"""Two numbers of playouts are near if they differ by at most this factor: moves recorded at one number then
hold at the other. Chosen: their shares change less than the error of the record."""

INTERPOLATED = 0.5
"""Number of searches that an interpolated record counts as, as a fraction of the fewer ones of its two
neighbours. Chosen: so few that the error of the interpolation does not count as a deviation."""

FOREIGN = 2.0
"""Number of searches that a fault's record counts as if it has no moves near the bot's number of playouts.
Chosen: so few exclude little, since the moves may well be others."""

REMEMBERED = 4
"""Numbers of playouts whose signatures are cached. Chosen: the diagnoses of one run are at one number."""

OF_MOVES: frozenset[str] = frozenset(
    check.id
    for check in CHECKS
    if check.identifies
    and check.procedure.search_plan is not None
    and CLAUSES[check.clause].part is Part.CHOICE
)
"""Ids of the checks of chosen moves whose outcome is recorded: it depends on the number of playouts."""

Moves = Mapping[str, float]
"""Number of searches by chosen move; a fraction if it is a prediction."""


@lru_cache(REMEMBERED)
def signatures_at(playouts: int) -> Mapping[str, Signature]:
    """Return `signatures()` with the moves that they predict at a number of playouts per search."""
    return at_playouts(signatures(), playouts)


def at_playouts(known: Mapping[str, Signature], playouts: int) -> dict[str, Signature]:
    """Return the signatures with the moves that they predict at a number of playouts per search.

    known   must contain the right bot ("")
    Left out are the moves of a fault at probes where it makes no difference at the recorded numbers next to
    this one, and outcomes that do not hold at this number (`lapsed_outcomes`).
    """
    right = known[""]
    usual, lapsed = _usual_numbers(right), lapsed_outcomes(right, playouts)
    around = set(recorded_around(right, playouts))
    probes = {
        name: replace(own, moves=_moves(right, right, name, playouts)) for name, own in right.probes.items()
    }
    found = {"": replace(right, probes=probes)}
    for name, signature in known.items():
        if name:
            covered = around <= usual | signature.choices.keys()
            own_probes = _projected(signature, right, playouts if covered else None)
            outcomes = {check: end for check, end in signature.outcomes.items() if check not in lapsed}
            uncertain = _uncertain(signature, own_probes, right, around)
            found[name] = replace(signature, probes=own_probes, outcomes=outcomes, uncertain=uncertain)
    return found


def recorded_around(right: Signature, playouts: int) -> tuple[int, ...]:
    """Return the recorded numbers of playouts next to this one: one that is near, or one below and one above.

    For example (400, 1000) at 700 playouts, (1000,) at 1,100, (20000,) at 50,000.
    """
    return tuple(sorted(set(_around(sorted(_usual_numbers(right) | right.choices.keys()), playouts))))


def _usual_numbers(right: Signature) -> set[int]:
    """Return the numbers of playouts at which the signatures were recorded: as a rule, one."""
    return {one.playouts for one in right.probes.values()}


def _projected(signature: Signature, right: Signature, playouts: int | None) -> dict[str, Statistics]:
    """Return the probes of a fault with its moves at `playouts`.

    playouts   None if the fault's moves are not recorded at the numbers around the bot's: those of the usual
               number are then returned, with the weight FOREIGN
    """
    recorded = {probe for moves in signature.choices.values() for probe in moves}
    probes = {}
    for name in right.probes.keys() & (signature.probes.keys() | recorded):
        # Without statistics of its own, the fault makes a difference at other numbers of playouts only.
        own = signature.probes.get(name) or replace(right.probes[name], mean=(), covariance=(), moves={})
        moves: Moves
        if playouts is None:
            moves = _with_weight(own.moves, FOREIGN)
        else:
            differs = _differs(signature, right, name, playouts)
            moves = _moves(signature, right, name, playouts) if differs else {}
        if moves or own.mean:
            probes[name] = replace(own, moves=moves)
    return probes


def _with_weight(moves: Moves, searches: float) -> Moves:
    """Scale the numbers of the moves so that their sum is `searches`; empty without moves."""
    return {move: times * searches / sum(moves.values()) for move, times in moves.items()}


def _uncertain(
    signature: Signature, projected: Mapping[str, Statistics], right: Signature, around: Collection[int]
) -> dict[str, Moves]:
    """Return the moves of the usual number at those probes where they may hold at the numbers `around`, too.

    These are probes where `projected` has no moves of the fault, and one of the numbers is above the usual
    one: the record of a fault has so few searches there that they may look right by chance.
    """
    if max(around) <= max(_usual_numbers(right)):
        return {}
    return {
        probe: _with_weight(own.moves, FOREIGN)
        for probe, own in signature.probes.items()
        if own.moves and probe in right.probes and not (probe in projected and projected[probe].moves)
    }


def lapsed_outcomes(right: Signature, playouts: int) -> frozenset[str]:
    """Return the ids of the checks whose recorded outcomes do not hold at this number: OF_MOVES, or none."""
    return frozenset() if any(_is_near(number, playouts) for number in _usual_numbers(right)) else OF_MOVES


def _is_near(number: int, playouts: int) -> bool:
    """Return True if the two numbers of playouts differ by at most the factor NEAR."""
    return number / NEAR <= playouts <= NEAR * number


def _around(numbers: Sequence[int], playouts: int) -> tuple[int, int]:
    """Return the numbers below and above `playouts`; one of them twice if it is near, or beyond the ends.

    numbers   sorted, not empty
    """
    near = [number for number in numbers if _is_near(number, playouts)]
    if near:
        return near[-1], near[-1]
    place = bisect_left(numbers, playouts)
    return numbers[max(0, place - 1)], numbers[min(place, len(numbers) - 1)]


def _moves(signature: Signature, right: Signature, probe: str, playouts: int) -> Moves:
    """Return the expected moves at a probe; their sum is the number of searches that they count as.

    Empty if none are recorded there. Beyond the ends of the recorded numbers, those of the end hold, and
    count as few searches as interpolated ones.
    """
    by_number = _recorded(signature, right, probe)
    if not by_number:
        return {}
    low, high = _around(sorted(by_number), playouts)
    if _is_near(low, playouts):
        return by_number[low]
    share = 0.0 if low == high else math.log(playouts / low) / math.log(high / low)
    ends = [by_number[low], by_number[high]]
    totals = [sum(moves.values()) for moves in ends]
    weight = INTERPOLATED * min(totals)
    return {
        move: weight
        * ((1.0 - share) * ends[0].get(move, 0.0) / totals[0] + share * ends[1].get(move, 0.0) / totals[1])
        for move in {**ends[0], **ends[1]}
    }


def _differs(signature: Signature, right: Signature, probe: str, playouts: int) -> bool:
    """Return True if other moves than a right bot's are recorded at a number next to this one.

    `keep_differences` has compared the records there. Interpolated moves count as too few searches for that.
    """
    own = {number for number, moves in signature.choices.items() if probe in moves}
    if probe in signature.probes and signature.probes[probe].moves:
        own.add(right.probes[probe].playouts)
    return bool(own) and not own.isdisjoint(_around(sorted(_recorded(signature, right, probe)), playouts))


def _recorded(signature: Signature, right: Signature, probe: str) -> dict[int, Moves]:
    """Return the moves at a probe by number of playouts; a right bot's where the fault makes no difference.

    Of the numbers in GRID, those count at which the fault was recorded.
    """
    found: dict[int, Moves] = {}
    usual = right.probes[probe].playouts
    for one in (right, signature):
        if probe in one.probes and one.probes[probe].moves:
            found[usual] = one.probes[probe].moves
        found |= {number: moves[probe] for number, moves in one.choices.items() if probe in moves}
    return {number: found[number] for number in found if number == usual or number in signature.choices}
