"""Compiles ahead what would otherwise be compiled at first use; from then on it is loaded from disk.

Each function does its work once in a process, and says so on stderr while it takes long.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from functools import partial

from refbot.fault import Fault
from refbot.faults import Faults
from refbot.notice import tell_if_slow
from refbot.options import NO_OPTIONS, POLICIES, Options
from refbot.playouts import FEWEST_FOR_LANES, playouts
from refbot.rules import BLACK, Game, Position
from refbot.search import Search

SIZES = (9, 13, 19)  # a kernel may be compiled for each size
SMALL = 2  # the size on which a kernel that serves all sizes is compiled
_A_PLAYOUT_FAULT = Faults.KO_NONE  # one kernel serves all faults of the playouts


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
def warm_search(
    size: int,
    faults: frozenset[Fault] = frozenset(),
    policy: str = "random",
    options: Options = NO_OPTIONS,
) -> None:
    """Everything that a search calls, on a board of this size, with these faults and additions."""
    Search(1, faults, seed=0, policy=policy, options=options).search(Game(size), BLACK)


@functools.cache
@tell_if_slow()
def warm_playouts(size: int, policy: str = "random", options: Options = NO_OPTIONS) -> None:
    """Everything that playouts without records call, on a board of this size."""
    playouts(Position.empty(size), 1, policy=policy, options=options)


def steps() -> list[tuple[str, Callable[[], object]]]:
    """Everything that is compiled ahead, each with its name."""
    from refbot.cycles import cycles_per_second

    found: list[tuple[str, Callable[[], object]]] = [
        ("rules", warm_rules),
        ("clock", cycles_per_second),
        ("scalar", partial(playouts, Position.empty(SMALL), 1, kernel="scalar")),
        ("scalar, recorded", partial(warm_search, SMALL)),
        ("scalar, faulty", partial(warm_search, SMALL, frozenset([_A_PLAYOUT_FAULT]))),
    ]
    for size in SIZES:
        lanes = partial(playouts, Position.empty(size), FEWEST_FOR_LANES)
        found += [(f"{size}x{size}", lanes), (f"{size}x{size}, recorded", partial(lanes, amaf=True))]
    return found + [
        (policy, partial(warm_playouts, SMALL, policy)) for policy in POLICIES if POLICIES[policy]
    ]


def warm_all(progress: Callable[[int, int, str], None] = lambda *_: None) -> None:
    """Every kernel, for the usual sizes; `progress` hears of each before its turn: which of how many."""
    todo = steps()
    for number, (name, step) in enumerate(todo, 1):
        progress(number, len(todo), name)
        step()
