"""An HTTP protocol that closes connections which are slow to send the head (request line and headers).

uvicorn limits the number of all connections and the time between two requests, but not the time for the head
of a request. Without this limit, clients that send half a head would occupy all connections.
"""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

HEAD_SECONDS = 10.0
"""Seconds for the head of a request, from the connection or from the first byte after the previous request.
Chosen: even on a slow line a head takes about one second."""
MOST_WAITING = 200
"""Largest number of connections without a complete head. A further one closes the oldest of them. Chosen: the
largest number of open streams."""


def limited_protocol(seconds: float = HEAD_SECONDS, most: int = MOST_WAITING) -> type[asyncio.Protocol]:
    """The protocol class of one server: `seconds` for each head, `most` connections without a head."""
    waiting: dict[
        _Limited, asyncio.TimerHandle
    ] = {}  # by connection without a head, oldest first: its deadline
    return type("Limited", (_Limited,), {"_seconds": seconds, "_most": most, "_waiting": waiting})


class _Limited(H11Protocol):
    """HTTP by uvicorn, with a deadline for the head of each request."""

    _seconds: float
    _most: int
    _waiting: dict[_Limited, asyncio.TimerHandle]

    def connection_made(self, transport: Any) -> None:
        """Start the deadline of a new connection."""
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        """Take bytes of a request. The deadline ends once the head is complete."""
        super().data_received(data)
        if self.cycle is not None and not self.cycle.response_complete:
            self._stop_waiting()  # the head is there, and is being answered
        elif self not in self._waiting:
            self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """End the deadline of a connection that either side has closed."""
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
