"""The reference bot, slowed down: `slow_refbot.py RATE [options of refbot gtp]`.

RATE is in playouts a second from the empty board; shorter playouts are faster in proportion to their moves.
It sleeps for the rest of the time. It can be faster than the plain bot.
"""

from __future__ import annotations

import sys
import time

from refbot.cli import main
from refbot.rules import Game
from refbot.search.search import Search, SearchResult

MOVES_FROM_EMPTY_BOARD = 111.06

right_search = Search.search


def slow_down(moves_a_second: float) -> None:
    """Make every search of this process take as long as its moves should."""

    def search(self: Search, game: Game, colour: int) -> SearchResult:
        began = time.monotonic()
        result = right_search(self, game, colour)
        time.sleep(max(0.0, began + result.nodes / moves_a_second - time.monotonic()))
        return result

    Search.search = search  # type: ignore[method-assign]


if __name__ == "__main__":
    slow_down(float(sys.argv.pop(1)) * MOVES_FROM_EMPTY_BOARD)
    sys.argv[1:1] = ["gtp"]
    main()
