"""Clients that keep the server waiting keep nobody else out. All sockets are local, and few."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import TypedDict, Unpack

import pytest
import uvicorn
from starlette.types import ASGIApp, Receive, Scope, Send

from harness.serve.connections import limited_protocol
from tests.harness.arena.match_helpers import PATIENCE
from tests.harness.serve.serve_helpers import serving

HALF = b"GET / HTTP/1.1\r\nHost: localhost\r\n"
LARGE = 10_000_000
"""Bytes of an answer: more than the buffers of a connection hold."""
Port = int


class Limits(TypedDict, total=False):
    """The arguments of `limited_protocol`."""

    seconds: float
    most_waiting: int
    most: int


async def hello(scope: Scope, receive: Receive, send: Send) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"5")]})
    await send({"type": "http.response.body", "body": b"hello"})


def served(
    visit: Callable[[Port], Awaitable[None]], *, app: ASGIApp = hello, **limits: Unpack[Limits]
) -> None:
    """Visit a server with these limits."""

    async def both() -> None:
        with socket.create_server(("127.0.0.1", 0)) as listening:
            config = uvicorn.Config(
                app, http=limited_protocol(**limits), lifespan="off", log_level="critical"
            )
            server = uvicorn.Server(config)
            serving = asyncio.create_task(server.serve(sockets=[listening]))
            async with asyncio.timeout(PATIENCE):
                await visit(listening.getsockname()[1])
            server.should_exit = True
            await serving

    asyncio.run(both())


async def begin(port: Port, data: bytes = HALF) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(data)
    await writer.drain()
    return reader, writer


async def rest(reader: asyncio.StreamReader) -> bytes:
    """What comes until the other side closes."""
    try:
        return await reader.read()
    except ConnectionResetError:
        return b""


def test_half_a_head_is_waited_for_no_longer_than_its_limit() -> None:
    async def visit(port: Port) -> None:
        for data in (b"", HALF):
            reader, writer = await begin(port, data)
            assert await rest(reader) == b""
            writer.close()

    served(visit, seconds=0.1)


def test_half_a_second_head_has_the_same_limit() -> None:
    """The limit grows until a machine of any speed takes the whole first head in time."""
    answered: list[bytes] = []

    async def visit(port: Port) -> None:
        reader, writer = await begin(port, HALF + b"\r\n")
        with suppress(asyncio.IncompleteReadError, ConnectionResetError):
            answered.append(await reader.readuntil(b"hello"))
            writer.write(HALF)
            assert await rest(reader) == b""
        writer.close()

    for seconds in (0.1, 1.0, 10.0, 60.0):
        if not answered:
            served(visit, seconds=seconds)
    assert answered[0].startswith(b"HTTP/1.1 200")


@pytest.mark.slow  # as long as the limit of the server
def test_the_live_page_has_the_limit(tmp_path: Path) -> None:
    with serving(tmp_path) as server, socket.create_connection(("127.0.0.1", server.port), PATIENCE) as half:
        half.sendall(HALF)
        assert half.recv(1) == b""


def test_the_connection_that_waits_longest_makes_room() -> None:
    async def visit(port: Port) -> None:
        first = [await begin(port) for _ in range(8)]
        for reader, writer in first[:3]:
            assert await rest(reader) == b""
            writer.close()
        for reader, writer in first[3:]:
            writer.write(b"Connection: close\r\n\r\n")
            assert (await rest(reader)).endswith(b"hello")
            writer.close()

    served(visit, seconds=PATIENCE, most_waiting=5)


def test_a_client_that_took_its_answer_slowly_has_the_whole_limit_for_its_next_head() -> None:
    async def large(scope: Scope, receive: Receive, send: Send) -> None:
        head = [(b"content-length", b"%d" % LARGE)]
        await send({"type": "http.response.start", "status": 200, "headers": head})
        await send({"type": "http.response.body", "body": bytes(LARGE)})

    async def visit(port: Port) -> None:
        reader, writer = await begin(port, HALF + b"\r\n")
        await asyncio.sleep(1.2)
        await reader.readuntil(b"\r\n\r\n")
        await reader.readexactly(LARGE)
        await asyncio.sleep(1.2)
        writer.write(HALF + b"Connection: close\r\n\r\n")
        assert (await rest(reader)).startswith(b"HTTP/1.1 200 OK")
        writer.close()

    served(visit, app=large, seconds=2.0)
