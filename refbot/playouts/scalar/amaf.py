# mypy: allow-untyped-defs, allow-untyped-calls
"""All-moves-as-first: which points a playout's result is credited to."""

from __future__ import annotations

import numpy as np

from refbot.compile.jit import inlined, part
from refbot.deviations import bits
from refbot.deviations.faults import FAULTS
from refbot.deviations.faults import mask as mask_of

U = np.uint64
NOBODY, ROOT, OTHER = 0, 1, 2  # who was the first of either side to play a place
VISITS_SHIFT = 32
ONE_VISIT = 1 << VISITS_SHIFT  # a record is visits * ONE_VISIT + twice the wins

_ANY = mask_of(fault for fault in FAULTS.values() if fault.where == "amaf")


@inlined
def credit(log, length, first, records, places, root_result, black_result, mask):
    """Adds one playout to `records`; results are 2, 1 or 0 for a win, draw or loss.

    `log` holds its moves as places, 0 for a pass; the root's mover made the even ones. `first` is
    working space of zeros and is zeros again afterwards. Both are written blindly instead of
    asked: going backwards, the earliest play of a place is the last to be written.
    """
    for back in range(length):
        k = length - 1 - back
        first[U(log[U(k)])] = ROOT + (k & 1)
    record = ONE_VISIT + root_result
    for p in range(places):
        records[U(p)] += record if first[U(p)] == ROOT else 0
        first[U(p)] = NOBODY


@inlined
def credit_with_faults(log, length, first, records, places, root_result, black_result, mask):
    """Credit with the faults of `mask`."""
    if mask & _ANY:
        credit_wrongly(log, length, first, records, places, root_result, black_result, mask)
    else:
        credit(log, length, first, records, places, root_result, black_result, mask)


@part
def credit_wrongly(log, length, first, records, places, root_result, black_result, mask):
    """Credit with one of the faults of the clause `amaf`."""
    result = black_result if mask & bits.AMAF_WINS_OF_BLACK else root_result
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
    counted = 1 if mask & bits.AMAF_OPPONENT else 0
    for k in range(begin, end):
        p = log[k]
        own = k & 1 == counted or mask & bits.AMAF_BOTH_COLOURS
        if p != 0 and own and (first[p] == NOBODY or mask & bits.AMAF_EVERY_PLAY):
            records[p] += ONE_VISIT + result
        if own or not mask & bits.AMAF_OTHER_FIRST:
            first[p] = ROOT
    for p in range(places):
        first[p] = NOBODY
