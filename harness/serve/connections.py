"""An HTTP protocol that bounds the connections, and closes those whose client keeps the server waiting.

uvicorn limits the time between two requests, but not the time for the head of a request (request line and
headers), nor the time in which a client takes its answer. Without these limits, clients that send half a head
or read nothing would occupy all connections.
"""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

WAIT_SECONDS = 10.0
"""Seconds that the server waits for a client: for a whole head, or for the next bytes of an answer to be
taken. Chosen: even on a slow line a head takes about one second."""
MOST_WAITING = 200
"""Largest number of connections that wait for their client. A further one closes the oldest of them. Chosen:
the largest number of open streams."""
MOST_CONNECTIONS = 500
"""Largest number of connections; a further one is closed at once. Chosen: 200 that wait, 200 streams and 100
that are answered, and half of the files that a process may usually open."""


def limited_protocol(
    seconds: float = WAIT_SECONDS, most_waiting: int = MOST_WAITING, most: int = MOST_CONNECTIONS
) -> type[asyncio.Protocol]:
    """The protocol class of one server, with these limits.

    uvicorn makes an object of this class for each connection. So the limits, and the collections of the
    connections of this server, are attributes of the class.
    """
    limits = {"_seconds": seconds, "_most_waiting": most_waiting, "_most": most}
    return type("Limited", (_Limited,), {**limits, "_open": set(), "_waiting": {}})


class _Limited(H11Protocol):
    """One connection: HTTP by uvicorn, with a deadline while the server waits for the client.

    The server waits while no whole head has come, and while the client takes no bytes of its answer.
    """

    # Attributes of the class that `limited_protocol` makes for one server:
    _seconds: float
    _most_waiting: int
    _most: int
    _open: set[_Limited]
    _waiting: dict[_Limited, asyncio.TimerHandle]  # by connection its deadline, the longest wait first
    # Attributes of one connection:
    _full = False  # True while bytes of an answer wait for the client
    _unsent = 0  # the number of these bytes when the deadline was set

    def connection_made(self, transport: Any) -> None:
        """Start the deadline of a new connection, or refuse it."""
        super().connection_made(transport)
        self._open.add(self)
        if len(self._open) > self._most:
            transport.abort()
            return
        transport.set_write_buffer_limits(high=0)  # pause_writing is called for a single byte, too
        self._update_deadline()

    def data_received(self, data: bytes) -> None:
        """Take bytes of a request. The deadline ends once the head is complete."""
        super().data_received(data)
        self._update_deadline()

    def on_response_complete(self) -> None:
        """Start the deadline of the next head, unless the client still has bytes to take."""
        # A client that sends its next request before this answer is no browser: thousands of such requests
        # would keep the connection.
        if self.conn.trailing_data[0]:
            self.transport.close()
        super().on_response_complete()
        self._update_deadline()

    def pause_writing(self) -> None:
        """Start the deadline for bytes that the client has not taken yet."""
        super().pause_writing()
        self._full = True
        self._update_deadline()

    def resume_writing(self) -> None:
        """End the deadline: the client has taken all bytes.

        After a whole answer, start the deadline of the next head.
        """
        super().resume_writing()
        self._full = False
        self._cancel_deadline()
        self._update_deadline()

    def connection_lost(self, exc: Exception | None) -> None:
        """End the deadline of a connection that either side has closed."""
        self._open.discard(self)
        self._cancel_deadline()
        super().connection_lost(exc)

    def _update_deadline(self) -> None:
        """Start or end the deadline, by what the connection does now."""
        answering = self.cycle is not None and not self.cycle.response_complete
        if answering and not self._full:
            self._cancel_deadline()
        elif self not in self._waiting and self in self._open:
            self._start_deadline()

    def _start_deadline(self) -> None:
        """Start the deadline. If too many connections wait, close the one that waits longest."""
        self._unsent = self.transport.get_write_buffer_size()
        self._waiting[self] = self.loop.call_later(self._seconds, self._on_deadline)
        if len(self._waiting) > self._most_waiting:
            next(iter(self._waiting))._give_up()

    def _cancel_deadline(self) -> None:
        """End the deadline, if there is one."""
        deadline = self._waiting.pop(self, None)
        if deadline is not None:
            deadline.cancel()

    def _on_deadline(self) -> None:
        """Close the connection, unless the client has taken bytes since the deadline was set."""
        if self._full and self.transport.get_write_buffer_size() < self._unsent:
            self._cancel_deadline()
            self._start_deadline()  # the client is slow, but takes its answer
        else:
            self._give_up()

    def _give_up(self) -> None:
        """Close the connection at once."""
        self._cancel_deadline()
        self.transport.abort()
