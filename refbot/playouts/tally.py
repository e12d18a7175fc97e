# mypy: allow-untyped-defs, allow-untyped-calls
"""The tally: a kernel's counts of moves by kind and of playouts by the kind of their end, and their costs.

A tally has one row for each kind (ROWS) and one column for each count (COLUMNS):

considered  how often this kind of move or end was tried, or the board function called
found       how often a move of this kind existed, or the playout ended in this way
accepted    how often the chosen move of this kind was played
wrong       ends only: how many gave another result than the area, if the option checks this
ticks       the cost, if the kernel is timed

Only a kernel that is compiled for a policy, an option or timing writes a tally.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

ROWS = (
    "atari-capture", "atari-extend", "capture", "random",  # kinds of move
    "mercy", "early-score", "cutoff",  # kinds of end
    "select", "play", "score",  # board functions, only timed
)  # fmt: skip
ATARI_CAPTURE, ATARI_EXTEND, CAPTURE_MOVE, RANDOM, MERCY_END, EARLY_END, CUT_END, SELECT, PLAY, SCORE = range(
    len(ROWS)
)
COLUMNS = ("considered", "found", "accepted", "wrong", "ticks")
CONSIDERED, FOUND, ACCEPTED, WRONG, TICKS = range(len(COLUMNS))

Tally = npt.NDArray[np.int64]
Kinds = dict[str, dict[str, int]]
_MOVES, _ENDS = ROWS[:MERCY_END], ROWS[MERCY_END:SELECT]


def empty_tally() -> Tally:
    """Return a tally of zeros."""
    return np.zeros((len(ROWS), len(COLUMNS)), np.int64)


def kinds_of(tally: Tally) -> Kinds:
    """Return the counts of each kind of move and end that was considered at least once, by its name.

    The counts are `considered` and `found`, for a kind of move also `accepted`, for a kind of end also
    `wrong`. `played` repeats `accepted`: the statistics of playouts have both names.
    """
    kinds: Kinds = {}
    for name in _MOVES + _ENDS:
        row = tally[ROWS.index(name)]
        if row[CONSIDERED]:
            kinds[name] = {"considered": int(row[CONSIDERED]), "found": int(row[FOUND])}
            if name in _MOVES:
                kinds[name] |= {"accepted": int(row[ACCEPTED]), "played": int(row[ACCEPTED])}
            else:
                kinds[name] |= {"wrong": int(row[WRONG])}
    return kinds
