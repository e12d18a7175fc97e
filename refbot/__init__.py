"""The reference bot: uniform playouts, all-moves-as-first, and the tools around them.

A name of `__all__` is imported at its first use, so that `import refbot` costs nothing. The function that
plays playouts is `refbot.playouts.playouts`.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from refbot.deviations.fault import Fault
    from refbot.deviations.faults import FAULTS
    from refbot.playouts import PlayoutStats
    from refbot.rules import BLACK, WHITE, Game, IllegalMoveError, Position
    from refbot.search import Search, SearchResult

_HOMES = {
    "refbot.deviations.fault": ("Fault",),
    "refbot.deviations.faults": ("FAULTS",),
    "refbot.playouts": ("PlayoutStats",),
    "refbot.rules": ("BLACK", "WHITE", "Game", "IllegalMoveError", "Position"),
    "refbot.search": ("Search", "SearchResult"),
}

__all__ = [
    "BLACK",
    "FAULTS",
    "WHITE",
    "Fault",
    "Game",
    "IllegalMoveError",
    "PlayoutStats",
    "Position",
    "Search",
    "SearchResult",
]


def __getattr__(name: str) -> object:
    for home, names in _HOMES.items():
        if name in names:
            return getattr(import_module(home), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
