"""Ends a worker's game early after a stop request, unless an engine has moved in it."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager


class GameDroppedError(BaseException):
    """The game in play was dropped. No `except Exception` may take it for a failure of an engine."""


class EarlyStop:
    """Drops the game in play after a stop request, unless an engine has moved in it.

    A game without a move may be waiting for an engine that starts slowly. Dropping the game favours no side.
    A game with a move is played to its end. The request reaches the main thread as SIGINT. Only `request`
    may be called in another thread.
    """

    def __init__(self) -> None:
        self.requested = False
        self._droppable = False

    def install(self) -> None:
        """Handle SIGINT. Without a request it is ignored, because the coordinator handles Ctrl-C."""
        signal.signal(signal.SIGINT, self._on_signal)

    def request(self) -> None:
        """Drop the game in play if it can be dropped, and every later one."""
        self.requested = True
        main = threading.main_thread().ident
        if main is not None:
            signal.pthread_kill(main, signal.SIGINT)

    @contextmanager
    def droppable(self) -> Iterator[None]:
        """A block in which a stop request raises GameDroppedError, until `keep` is called.

        After an earlier request, it raises at once.
        """
        self._droppable = True
        try:
            if self.requested:
                raise GameDroppedError
            yield
        finally:
            self._droppable = False

    def keep(self) -> None:
        """From now on, play this game to its end."""
        self._droppable = False

    def _on_signal(self, *_: object) -> None:
        if self.requested and self._droppable:
            self._droppable = False
            raise GameDroppedError
