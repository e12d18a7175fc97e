"""An opening: how a game begins."""

from __future__ import annotations

from dataclasses import dataclass

from harness.arena.errors import PlayError
from harness.arena.records import Played, Setup
from harness.gtp import Colour


class OpeningError(PlayError):
    """No opening can be used. The text names the files and the reasons."""


@dataclass(frozen=True)
class Opening:
    """Moves that both engines receive before the first genmove, set-up stones first."""

    name: str
    moves: tuple[Played, ...] = ()
    to_move: Colour = "b"
    setup: Setup | None = None


EMPTY = Opening("none")
