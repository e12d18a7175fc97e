"""An opening: the moves that both engines of a game receive before they play."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from harness.arena.errors import PlayError
from harness.arena.records import Played, Setup
from harness.gtp import Colour


class OpeningError(PlayError):
    """The openings cannot be used. The text names the files and the reasons."""


@dataclass(frozen=True)
class Opening:
    """Moves that both engines receive before the first genmove, set-up stones first.

    name    such as "none", "random 3", "handicap 4", "games.sgf#2"
    setup   how many of the first moves are set-up stones; None: there are none
    komi    komi of the record; None: that of the config
    free    Black's engine may choose other points for the handicap stones
    """

    name: str
    moves: tuple[Played, ...] = ()
    to_move: Colour = "b"
    setup: Setup | None = None
    komi: float | None = None
    free: bool = False

    @property
    def handicap(self) -> tuple[str, ...]:
        """The vertices of the set-up stones if the set-up is a handicap and nothing else; empty otherwise."""
        if self.setup is None or self.setup.handicap != self.setup.stones or self.setup.stones < 2:
            return ()
        stones = self.moves[: self.setup.stones]
        return tuple(stone.vertex for stone in stones) if all(s.colour == "b" for s in stones) else ()

    def with_handicap(self, vertices: Sequence[str]) -> Opening:
        """Return this opening with black handicap stones on these points, in place of its own stones."""
        stones = tuple(Played("b", vertex) for vertex in vertices)
        setup = Setup(len(stones), len(stones))
        return replace(self, moves=stones + self.moves[len(self.handicap) :], setup=setup, free=False)


EMPTY = Opening("none")
