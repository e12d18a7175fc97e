# mypy: allow-untyped-defs, allow-untyped-calls
"""Tactical facts for a policy: a chain is in atari, a move captures, a move ends an atari.

A pseudo-liberty is a pair of a stone and an empty place beside it. A chain is in atari (it has one liberty)
if all its pseudo-liberties belong to one place. A chain is named by its CHAIN place (see `packed`).
"""

from __future__ import annotations

import numpy as np

from refbot.compile.jit import inlined, leaf
from refbot.playouts.scalar.packed import CHAIN, COLOUR, COUNTS, EMPTY, LIBS, NEXT, is_enclosed

U = np.uint64
_1, _3 = U(1), U(3)
NOWHERE = U(0)  # a place off the board
MOST_CONTACTS = U(4)  # of one place with one chain


@inlined
def sides(p, w):
    """The four neighbours of a place."""
    return p - w, p - _1, p + _1, p + w


@inlined
def contacts(board, p, w, chain):
    """Return the number of sides of the place `p` on which the chain stands."""
    return (
        U(board[CHAIN + p - w] == chain)
        + U(board[CHAIN + p - _1] == chain)
        + U(board[CHAIN + p + _1] == chain)
        + U(board[CHAIN + p + w] == chain)
    )


@leaf
def sole_liberty(board, chain, w):
    """Return the only liberty of a chain, which has at least one; NOWHERE if it has several."""
    liberties = U(board[LIBS + chain])
    if liberties > MOST_CONTACTS:
        return NOWHERE
    stone = U(chain)
    while is_enclosed(board[COUNTS + stone]):
        stone = U(board[NEXT + stone])
    p = stone + w
    for q in (stone - w, stone - _1, stone + _1):
        p = q if board[COLOUR + q] == EMPTY else p
    return p if contacts(board, p, w, chain) == liberties else NOWHERE


@inlined
def takes(board, p, q, w, enemy):
    """Return whether a stone at the empty place `p` captures an enemy chain at its neighbour `q`."""
    chain = U(board[CHAIN + q])
    return board[COLOUR + q] == enemy and board[LIBS + chain] == contacts(board, p, w, chain)


@inlined
def captures(board, p, w, enemy):
    """Return whether a stone at the empty place `p` captures anything."""
    a, b, c, d = sides(p, w)
    return (
        takes(board, p, a, w, enemy)
        or takes(board, p, b, w, enemy)
        or takes(board, p, c, w, enemy)
        or takes(board, p, d, w, enemy)
    )


@leaf
def ends_atari(board, p, w, colour):
    """Return whether a stone of `colour` at the empty place `p` would have two liberties or more.

    By the rule of the policies, its liberties are the empty places beside it, the captured stones beside it,
    and the empty places beside the chains that it joins. Captured stones beside these chains do not count.
    """
    found = NOWHERE
    for q in sides(p, w):
        if board[COLOUR + q] == EMPTY or takes(board, p, q, w, _3 - colour):
            if found != NOWHERE and found != q:
                return True
            found = q
        elif board[COLOUR + q] == colour:
            first, several = liberty_besides(board, U(board[CHAIN + q]), w, p, found)
            if several:
                return True
            found = first
    return False


@leaf
def liberty_besides(board, chain, w, p, found):
    """Looks for liberties of a chain other than `p` and `found`, a liberty known before or NOWHERE.

    Returns (the only liberty or NOWHERE, False), or (any liberty, True) as soon as there are two.
    """
    stone = U(chain)
    while True:
        if not is_enclosed(board[COUNTS + stone]):
            for q in sides(stone, w):
                if board[COLOUR + q] == EMPTY and q != p and q != found:
                    if found != NOWHERE:
                        return found, True
                    found = q
        stone = U(board[NEXT + stone])
        if stone == chain:
            return found, False
