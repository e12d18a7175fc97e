"""Compiles ahead what would otherwise be compiled at first use; from then on it is loaded from disk.

Each function does its work once in a process, and says so on stderr while it takes long.
"""

from __future__ import annotations

import functools

from refbot.notice import tell_if_slow
from refbot.playouts import playouts
from refbot.rules import BLACK, Game, Position
from refbot.search import Search

SIZES = (9, 13, 19)  # a kernel may be compiled for each size
SMALL = 2  # the size on which a kernel that serves all sizes is compiled
_A_PLAYOUT_FAULT = "ko-none"  # all of them share one kernel


@functools.cache
@tell_if_slow()
def warm_rules() -> None:
    """Everything that a game calls."""
    game = Game(SMALL)
    game.play(BLACK, 0)
    game.candidates(game.to_move)
    game.area_score()


@functools.cache
@tell_if_slow()
def warm_search(size: int, faults: frozenset[str] = frozenset()) -> None:
    """Everything that a search calls, on a board of this size, with these faults."""
    Search(1, faults, seed=0).search(Game(size), BLACK)


@functools.cache
@tell_if_slow()
def warm_playouts(size: int) -> None:
    """Everything that playouts without records call, on a board of this size."""
    playouts(Position.empty(size), 1)


def warm_all() -> None:
    """Every kernel, for the usual sizes."""
    from refbot.cycles import cycles_per_second

    warm_rules()
    for size in SIZES:
        warm_search(size)
        warm_playouts(size)
    playouts(Position.empty(SMALL), 1, kernel="scalar")
    warm_search(SMALL, frozenset([_A_PLAYOUT_FAULT]))
    cycles_per_second()
