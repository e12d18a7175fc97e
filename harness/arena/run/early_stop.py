"""Ends the game that a worker has in play when a stop is requested, as long as no engine has moved in it.

The start of an engine may take as long as its time limit. A game that nobody has moved in says nothing about
how it would have ended, so dropping it favours neither side. A game with a move is played to its end.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from harness.arena.game.snapshot import Camera, Snapshot
from harness.arena.records import Game, Played
from harness.go import Position


class GameDroppedError(BaseException):
    """The game in play was dropped. No `except Exception` may take it for a failure of an engine."""


class EarlyStop:
    """A stop that reaches the main thread as SIGINT. Only `request` may be called in another thread."""

    def __init__(self) -> None:
        self.requested = False
        self._droppable = False

    def install(self) -> None:
        """Handle SIGINT. One that comes without a request is ignored: Ctrl-C is the coordinator's."""
        signal.signal(signal.SIGINT, self._on_signal)

    def request(self) -> None:
        """Drop the game in play if it can be dropped, and every later one."""
        self.requested = True
        main = threading.main_thread().ident
        if main is not None:
            signal.pthread_kill(main, signal.SIGINT)

    @contextmanager
    def droppable(self) -> Iterator[None]:
        """Raise GameDroppedError when a stop is requested before `keep` is called."""
        self._droppable = True
        try:
            if self.requested:
                raise GameDroppedError
            yield
        finally:
            self._droppable = False

    def keep(self) -> None:
        """Play the game in play to its end."""
        self._droppable = False

    def _on_signal(self, *_: object) -> None:
        if self.requested and self._droppable:
            self._droppable = False
            raise GameDroppedError


class KeepingCamera(Camera):
    """The camera of a worker. A game of which it sees a move is kept."""

    def __init__(self, send: Callable[[Snapshot], object], early_stop: EarlyStop) -> None:
        super().__init__(send)
        self._early_stop = early_stop

    def on_move(self, game: Game, position: Position, moves: Sequence[Played]) -> None:
        """Called after each move."""
        self._early_stop.keep()
        super().on_move(game, position, moves)
