# mypy: allow-untyped-defs, allow-untyped-calls
"""All-moves-as-first: the points that the result of a playout is credited to, in the scalar kernel.

A place is an index into the framed board (see `packed`); the place 0 is off the board. The kernel calls
`credit` (or `credit_with_faults`) after each playout; `batch` takes the records apart.
"""

from __future__ import annotations

import numpy as np

from refbot.compile.jit import inlined, part
from refbot.deviations import bits
from refbot.deviations.faults import FAULTS
from refbot.deviations.faults import mask as mask_of

U = np.uint64
UNPLAYED, BY_ROOT, BY_OTHER = 0, 1, 2
"""Marks of places: not played; played first by the side that begins the playout; or by the other side."""
PLAYED = 1  # mark of `credit_wrongly`: a play there gives no further credit
VISITS_SHIFT = 32
ONE_VISIT = 1 << VISITS_SHIFT
"""A record is visits * ONE_VISIT + results, with a result of 2, 1 or 0 for each visit."""

_ANY = mask_of(fault for fault in FAULTS.values() if fault.where == "amaf")


@inlined
def credit(log, length, marks, records, places, root_result, black_result, mask):
    """Adds one playout to the records of the places that the side to move at the root played first.

    log           the places of the moves, 0 for a pass; the side at the root made the moves 0, 2, 4, …
    length        the number of moves
    marks         working space, one entry for each place: zeros before and after
    records       one entry for each of the `places` (see ONE_VISIT); records[0] collects passes and has no
                  meaning: to leave them out would cost a test
    root_result   2, 1 or 0 for a win, draw or loss of the side at the root
    black_result  the same for Black; only `credit_wrongly` uses it
    mask          the faults; only `credit_wrongly` uses them

    The log is read backwards and `marks` is overwritten without a test, so the last value written at a place
    is that of its earliest play.
    """
    for back in range(length):
        k = length - 1 - back
        marks[U(log[U(k)])] = BY_ROOT + (k & 1)  # BY_OTHER is BY_ROOT + 1
    record = ONE_VISIT + root_result
    for p in range(places):
        records[U(p)] += record if marks[U(p)] == BY_ROOT else 0
        marks[U(p)] = UNPLAYED


@inlined
def credit_with_faults(log, length, marks, records, places, root_result, black_result, mask):
    """Does what `credit` does, with the faults of `mask`."""
    if mask & _ANY:
        credit_wrongly(log, length, marks, records, places, root_result, black_result, mask)
    else:
        credit(log, length, marks, records, places, root_result, black_result, mask)


@part
def credit_wrongly(log, length, marks, records, places, root_result, black_result, mask):
    """Does what `credit` does, with the faults of `mask` that change it."""
    result = black_result if mask & bits.AMAF_WINS_OF_BLACK else root_result
    if mask & bits.AMAF_DRAWS_LOST and result == 1:
        result = 0
    if mask & bits.AMAF_DRAWS_WON and result == 1:
        result = 2
    begin, end = 0, length
    if mask & bits.AMAF_SKIP_FIRST:
        begin = 1
    if mask & bits.AMAF_SKIP_LAST:
        while end > 0 and log[end - 1] == 0:
            end -= 1
        end = max(end - 1, 0)
    if mask & bits.AMAF_FIRST_HALF:
        end = length // 2
    if mask & bits.AMAF_FIRST_MOVE_ONLY:
        end = min(length, 1)
    credited = 1 if mask & bits.AMAF_OPPONENT else 0  # the side that made the moves 0, 2, 4, … is 0
    for k in range(begin, end):
        p = log[k]
        own = (k & 1) == credited or mask & bits.AMAF_BOTH_COLOURS
        if p != 0 and own and (marks[p] == UNPLAYED or mask & bits.AMAF_EVERY_PLAY):
            records[p] += ONE_VISIT + result
        if own or not mask & bits.AMAF_OTHER_FIRST:
            marks[p] = PLAYED
    for p in range(places):
        marks[p] = UNPLAYED
