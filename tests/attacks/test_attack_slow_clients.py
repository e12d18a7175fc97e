"""Clients of the live page keep the server waiting, by answers that they do not take, or by many requests.

Before: clients that took nothing kept their connections for ever, and many at once ended in "Too many open
files". After: each connection that waits for its client has a deadline, and their number is bounded.
"""

import asyncio
import socket

from starlette.types import Receive, Scope, Send

from tests.harness.arena.match_helpers import PATIENCE
from tests.harness.serve.test_serve_connections import HALF, Port, begin, rest, served

WHOLE = HALF + b"\r\n"
BUFFERS = 50_000_000
"""Bytes of an answer: more than the buffers of both sides take."""


def test_an_answer_that_nobody_takes_ends_its_connection() -> None:
    ended: list[bool] = []

    async def long_answer(scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"x" * BUFFERS, "more_body": True})
        await send({"type": "http.response.body", "body": b"x"})  # waits for the client
        ended.append(True)

    async def visit(port: Port) -> None:
        with socket.create_connection(("127.0.0.1", port)) as silent:
            silent.setblocking(False)
            await asyncio.get_running_loop().sock_sendall(silent, WHOLE)
            while not ended:
                await asyncio.sleep(0.01)

    served(visit, app=long_answer, seconds=0.1)


def test_requests_that_do_not_wait_for_their_answers_get_one() -> None:
    async def visit(port: Port) -> None:
        reader, writer = await begin(port, WHOLE * 100)
        answer = await rest(reader)
        assert answer.count(b"HTTP/1.1 200") <= 1
        writer.close()

    served(visit)


def test_connections_beyond_the_limit_are_closed_at_once() -> None:
    async def visit(port: Port) -> None:
        first = [await begin(port) for _ in range(4)]
        for _ in range(20):
            reader, writer = await begin(port)
            assert await rest(reader) == b""
            writer.close()
        for reader, writer in first:
            writer.write(b"Connection: close\r\n\r\n")
            assert (await rest(reader)).endswith(b"hello")
            writer.close()

    served(visit, seconds=PATIENCE, most_waiting=10, most=4)
