"""Closes connections that do not finish the head of a request: each has a deadline, and few may wait at once.

uvicorn limits the number of all connections and the time between two requests, but not the time in which the
head of a request must arrive. Without a deadline, clients that send half a head would keep others out.
"""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

HEAD_SECONDS = 10.0
"""Seconds in which the head of a request must arrive, counted from the connection or from the first byte
after the request before. Chosen: a slow line needs one second."""
MOST_WAITING = 200
"""Connections without a whole head; one more closes the one that has waited longest. Chosen: as many as there
may be open streams."""


def limited_protocol(seconds: float = HEAD_SECONDS, most: int = MOST_WAITING) -> type[asyncio.Protocol]:
    """Return the protocol class of one server. All its connections share these limits."""
    waiting: dict[_Limited, asyncio.TimerHandle] = {}  # the one that has waited longest first
    return type("Limited", (_Limited,), {"_seconds": seconds, "_most": most, "_waiting": waiting})


class _Limited(H11Protocol):
    """HTTP by uvicorn, with a deadline for the head of each request."""

    _seconds: float
    _most: int
    _waiting: dict[_Limited, asyncio.TimerHandle]

    def connection_made(self, transport: Any) -> None:
        """Called for a new connection."""
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        """Called for bytes of a request."""
        super().data_received(data)
        if self.cycle is not None and not self.cycle.response_complete:
            self._stop_waiting()  # the head is there, and is being answered
        elif self not in self._waiting:
            self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Called when the connection is closed by either side."""
        self._stop_waiting()
        super().connection_lost(exc)

    def _wait(self) -> None:
        self._waiting[self] = self.loop.call_later(self._seconds, self._give_up)
        if len(self._waiting) > self._most:
            next(iter(self._waiting))._give_up()

    def _stop_waiting(self) -> None:
        deadline = self._waiting.pop(self, None)
        if deadline is not None:
            deadline.cancel()

    def _give_up(self) -> None:
        self._stop_waiting()
        self.transport.abort()
