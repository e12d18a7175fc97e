# mypy: allow-untyped-defs, allow-untyped-calls
# (numba infers the types of what it compiles)
"""Rules on a plain board, compiled: captures, eyes, area, hashes, candidates.

A board is an int8 array of size * size points (see `Position`). Chains are found by flooding: a real game
needs them a few times per move, so clarity comes first. The playouts have a board of their own.
"""

from __future__ import annotations

import functools

import numpy as np
import numpy.typing as npt

from refbot.faults import Faults, bit
from refbot.jit import kernel, part
from refbot.rules.eye import diagonals_allow_eye

_EITHER_COLOUR = bit(Faults.EYE_EITHER_COLOUR)
_FILLED = bit(Faults.EYE_FILLED)

OK, OCCUPIED, SUICIDE, REPEATS = 0, 1, 2, 3
FORBID_SUICIDE, ALLOW_MULTI, ALLOW_ALL = 0, 1, 2  # how much suicide the rules in force allow
MAX_NEIGHBOURS = 4


@functools.cache
def neighbours(size: int) -> npt.NDArray[np.int16]:
    """The neighbours below, left, right and above each point, -1 off the board; shape (size * size, 4)."""
    framed = np.full((size + 2, size + 2), -1, np.int16)
    framed[1:-1, 1:-1] = np.arange(size * size).reshape(size, size)
    ways = [framed[:-2, 1:-1], framed[1:-1, :-2], framed[1:-1, 2:], framed[2:, 1:-1]]
    return np.stack([way.ravel() for way in ways], axis=1)


@part
def flood_chain(stones, near, start, chain):
    """Writes the chain (or empty region) of `start` into `chain`; returns its length and what is beside it.

    What is beside it comes as bits: 1 for EMPTY, 2 for BLACK, 4 for WHITE.
    """
    seen = np.zeros(stones.size, np.bool_)
    colour = stones[start]
    chain[0] = start
    seen[start] = True
    length, done, beside = 1, 0, 0
    while done < length:
        point = chain[done]
        done += 1
        for way in range(MAX_NEIGHBOURS):
            other = near[point, way]
            if other < 0 or seen[other]:
                continue
            if stones[other] == colour:
                seen[other] = True
                chain[length] = other
                length += 1
            else:
                beside |= 1 << stones[other]
    return length, beside


@part
def put(stones, near, colour, point, suicide):
    """Plays on `stones` in place. Returns (status, captured, one captured point or -1, lost).

    The counts are of stones, `lost` of own ones. `status` is OK, OCCUPIED or SUICIDE; if it is not OK
    the board is as it was.
    """
    if stones[point] != 0:
        return OCCUPIED, 0, -1, 0
    chain = np.empty(stones.size, np.int64)
    stones[point] = colour
    captured, captured_point = 0, -1
    for way in range(MAX_NEIGHBOURS):
        other = near[point, way]
        if other < 0 or stones[other] != 3 - colour:
            continue
        length, beside = flood_chain(stones, near, other, chain)
        if not beside & 1:
            for k in range(length):
                stones[chain[k]] = 0
            captured += length
            captured_point = other
    lost = 0
    if captured == 0:
        length, beside = flood_chain(stones, near, point, chain)
        if not beside & 1:
            if suicide == FORBID_SUICIDE or (suicide == ALLOW_MULTI and length == 1):
                stones[point] = 0
                return SUICIDE, 0, -1, 0
            for k in range(length):
                stones[chain[k]] = 0
            lost = length
    return OK, captured, captured_point, lost


@part
def is_eye_of(stones, near, size, point, colour, mask):
    """Whether the empty `point` is a one-point eye of `colour`."""
    for way in range(MAX_NEIGHBOURS):
        other = near[point, way]
        if other >= 0 and stones[other] != colour:
            return False
    row, column = point // size, point % size
    hostile, vacant, off_board = 0, 0, 0
    for up in (-1, 1):
        for right in (-1, 1):
            r, c = row + up, column + right
            if r < 0 or c < 0 or r >= size or c >= size:
                off_board += 1
            elif stones[r * size + c] == 0:
                vacant += 1
            elif stones[r * size + c] != colour:
                hostile += 1
    return diagonals_allow_eye(hostile, vacant, off_board, mask)


@part
def is_refused_eye(stones, near, size, point, colour, mask):
    """Whether the eye rule keeps `colour` from playing at the empty `point`."""
    if mask & _FILLED:
        return False
    if mask & _EITHER_COLOUR and is_eye_of(stones, near, size, point, 3 - colour, mask):
        return True
    return is_eye_of(stones, near, size, point, colour, mask)


@kernel
def area(stones, near):
    """Black's area minus White's: stones, and empty regions that reach one colour. No komi."""
    chain = np.empty(stones.size, np.int64)
    counted = np.zeros(stones.size, np.bool_)
    total = 0
    for point in range(stones.size):
        if stones[point] == 1:
            total += 1
        elif stones[point] == 2:
            total -= 1
        elif not counted[point]:
            length, beside = flood_chain(stones, near, point, chain)
            for k in range(length):
                counted[chain[k]] = True
            if beside == 2:
                total += length
            elif beside == 4:
                total -= length
    return total


@part
def hash_of(stones, keys):
    """Zobrist hash of a board; `keys` has shape (2, size * size)."""
    value = np.uint64(0)
    for point in range(stones.size):
        if stones[point] != 0:
            value ^= keys[stones[point] - 1, point]
    return value


@part
def repeats(stones, value, mover, boards, values, movers, first, last):
    """Whether `stones` with hash `value` is among boards `first` to `last - 1`; compares them whole.

    With a `mover` other than 0 only positions that the same colour made are looked at.
    """
    for k in range(first, last):
        if values[k] == value and (mover == 0 or movers[k] == mover):
            same = True
            for point in range(stones.size):
                if boards[k, point] != stones[point]:
                    same = False
                    break
            if same:
                return True
    return False


@part
def hash_after(before, stones, keys, colour, point, removed):
    """The hash of `stones`, which a move at `point` has made out of a board with hash `before`."""
    if removed == 0:
        return before ^ keys[colour - 1, point]
    return hash_of(stones, keys)


@kernel
def play(stones, near, colour, point, suicide, before, keys, mover, boards, values, movers, first, last):
    """Plays on `stones` in place. Returns (status, stones captured, one captured point, hash).

    Past board `last - 1` nothing is compared; see `repeats` for `mover` and `first`. If the status
    is not OK, `stones` is left in any state: give a copy.
    """
    status, captured, captured_point, lost = put(stones, near, colour, point, suicide)
    if status != OK:
        return status, 0, -1, before
    value = hash_after(before, stones, keys, colour, point, captured + lost)
    if repeats(stones, value, mover, boards, values, movers, first, last):
        return REPEATS, 0, -1, before
    return OK, captured, captured_point, value


@kernel
def candidates(
    stones,
    near,
    size,
    colour,
    banned,
    suicide,
    mask,
    before,
    keys,
    mover,
    boards,
    values,
    movers,
    first,
    last,
):
    """The points that `colour` may play in the game and that the eye rule does not refuse, in order.

    `banned` is a point that simple ko forbids, or -1; `mask` holds the faults of the eye rule.
    """
    found = np.empty(stones.size, np.int64)
    count = 0
    scratch = np.empty_like(stones)
    for point in range(stones.size):
        if stones[point] != 0 or point == banned or is_refused_eye(stones, near, size, point, colour, mask):
            continue
        for k in range(stones.size):  # a slice assignment takes numba two seconds to compile
            scratch[k] = stones[k]
        status, captured, _, lost = put(scratch, near, colour, point, suicide)
        if status != OK:
            continue
        value = hash_after(before, scratch, keys, colour, point, captured + lost)
        if not repeats(scratch, value, mover, boards, values, movers, first, last):
            found[count] = point
            count += 1
    return found[:count]


@kernel
def is_lone(stones, near, point):
    """Whether the stone at `point` stands alone with a single liberty: after a capture of one stone, ko."""
    liberties = 0
    for way in range(MAX_NEIGHBOURS):
        other = near[point, way]
        if other >= 0 and stones[other] == 0:
            liberties += 1
        elif other >= 0 and stones[other] == stones[point]:
            return False
    return liberties == 1
