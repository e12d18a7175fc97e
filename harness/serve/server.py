"""The server of `conform serve`: runs the web application on a socket until a signal stops it."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from errno import EADDRNOTAVAIL
from pathlib import Path
from types import FrameType

import uvicorn

from harness.files import os_reason
from harness.serve.app import application
from harness.serve.connections import limited_protocol
from harness.serve.hub import Hub

CLOSING_SECONDS = 2
"""Seconds that open answers have to end after a stop signal. Chosen: a user waits that long after Ctrl-C."""
BACKLOG = 128
"""Largest number of connections that the system queues; the server accepts all of them at once. Chosen: few
compared with the largest number of open connections."""
OWN_ADDRESS = "127.0.0.1 is always an address of this machine"
"""The remedy for an address on which this machine cannot listen, whatever the port."""


class CannotListenError(Exception):
    """The address or the port cannot be used."""


class _Server(uvicorn.Server):
    """A server that ends the event streams at a stop signal. uvicorn alone would wait for them."""

    def __init__(self, config: uvicorn.Config, hub: Hub) -> None:
        super().__init__(config)
        self._hub = hub

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Stop the event streams, too. uvicorn calls this on SIGINT and SIGTERM."""
        super().handle_exit(sig, frame)
        asyncio.get_event_loop().call_soon_threadsafe(self._hub.stop)


def serve(root: Path, address: str, port: int, ready: Callable[[str], object]) -> None:
    """Serve the folder until SIGINT or SIGTERM. `ready` is called with the URL of the overview.

    Raises CannotListenError.
    """
    listening = _listen(address, port)
    host, number = listening.getsockname()[:2]
    app, hub = application(root, address)
    config = uvicorn.Config(
        app,
        http=limited_protocol(),
        log_level="critical",
        access_log=False,
        lifespan="off",
        ws="none",
        server_header=False,
        timeout_graceful_shutdown=CLOSING_SECONDS,
        h11_max_incomplete_event_size=16_384,
        backlog=BACKLOG,
    )
    ready(f"http://[{host}]:{number}/" if ":" in host else f"http://{host}:{number}/")
    with listening:
        asyncio.run(_Server(config, hub).serve(sockets=[listening]))


def _listen(address: str, port: int) -> socket.socket:
    """Return a socket that listens there. Raises CannotListenError."""
    try:
        family, kind, protocol, _, where = socket.getaddrinfo(
            address, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
    except (OSError, UnicodeError) as error:  # UnicodeError: a part of the name is empty or too long
        why = os_reason(error) if isinstance(error, OSError) else "host names are not written like this"
        raise CannotListenError(f"{address} is no address and no known name: {why}; {OWN_ADDRESS}") from None
    try:
        listening = socket.socket(family, kind, protocol)
    except OSError as error:  # such as an IPv6 address on a machine without IPv6
        raise CannotListenError(f"cannot listen on {address}: {os_reason(error)}; {OWN_ADDRESS}") from None
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(where)
        listening.listen(BACKLOG)
    except OSError as error:
        listening.close()
        remedy = "choose another --port (0 takes any that is free)"
        raise CannotListenError(
            f"cannot listen on {address}, port {port}: {os_reason(error)}; "
            f"{OWN_ADDRESS if error.errno == EADDRNOTAVAIL else remedy}"
        ) from None
    return listening
