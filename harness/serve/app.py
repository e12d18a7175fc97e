"""The web application of `conform serve`, read-only: its routes, and the security headers of every answer."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

from starlette.applications import Starlette
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from harness.arena.errors import MatchError
from harness.arena.folder.history import read_history
from harness.report.html.history_page import history_page
from harness.report.html.live_page import SCRIPTS, Sections, live_page, report_page
from harness.report.html.page import RUN_SCRIPTS, policy
from harness.report.visible import lines
from harness.serve.channel import Channel
from harness.serve.hosts import is_allowed
from harness.serve.hub import OVERVIEW, Hub
from harness.serve.index import RunIndex
from harness.serve.places import Kind, Place
from harness.serve.run_report import RunReports

MOST_HISTORY_BYTES = 20_000_000
"""Largest `history.csv` that becomes a page. Chosen: ten years of nightly runs; more would take seconds."""
POLICY = "Content-Security-Policy"
NO_FRAMES = "frame-ancestors 'none'"
MOST_VIEWERS = 200
"""Open streams of events. A further viewer gets no updates. Chosen: each stream takes a socket and a task."""

MOST_WAITING = 20
"""Requests that wait for a page which takes long to make. Chosen: some browsers with some tabs each."""

Argument = TypeVar("Argument")
Made = TypeVar("Made")

HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Cache-Control": "no-store",
}
"""Sent with every answer: no other site may frame or load a page, and no cache may keep it."""


class Guard:
    """Middleware that refuses requests for other host names, and adds the headers to every answer."""

    def __init__(self, app: ASGIApp, address: str) -> None:
        self._app = app
        self._address = address

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Called by the server for each request."""
        if scope["type"] != "http":  # the server's own start and end; a WebSocket, which has no route
            await self._app(scope, receive, send)
            return

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers[name] = value
                headers.setdefault(POLICY, f"default-src 'none'; {NO_FRAMES}")
            await send(message)

        app: ASGIApp = self._app
        if not is_allowed(Headers(scope=scope).get("host", ""), self._address):
            app = PlainTextResponse("conform serve does not answer to this name\n", status_code=421)
        await app(scope, receive, send_guarded)


def application(root: Path, address: str) -> tuple[ASGIApp, Hub]:
    """Return (the application for the folder `root`, its hub). `address`: where the server listens."""
    hub = Hub(root, index=RunIndex())
    pages = _Pages(hub)
    routes = [
        Route("/", pages.overview),
        Route("/events", pages.events),
        Route("/match/{key}/", pages.live),
        Route("/match/{key}/events", pages.events),
        Route("/match/{key}/report", pages.run_report),
        Route("/check/{key}/", pages.live),
        Route("/check/{key}/events", pages.events),
        Route("/report/{key}/", pages.check_report),
        Route("/history/{key}/", pages.history),
    ]
    return Guard(Starlette(routes=routes, exception_handlers={404: _not_found, 503: _busy}), address), hub


class _Pages:
    """The handlers of the routes.

    An address names a place (a run, a check, a report or a history) by its key, a hash, and never by a path.
    So a request cannot reach a file that the search of the folder did not find.
    """

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._reports = RunReports()
        self._thread = ThreadPoolExecutor(1, "pages that take long")
        self._waiting = 0  # requests for that thread

    async def overview(self, _: Request) -> Response:
        """Answer with the list of all runs and checks."""
        return _html(live_page(*await self._content(OVERVIEW)), *SCRIPTS, live=True)

    async def live(self, request: Request) -> Response:
        """Answer with the live page of one run or check."""
        place = await self._place(request, Kind.MATCH, Kind.CHECK)
        match = place.kind is Kind.MATCH
        links = [("report", "Report with all games")] if match else []
        page = live_page(*await self._content(place.key), up="../..", links=links, boards=match)
        return _html(page, *SCRIPTS, live=True)

    async def events(self, request: Request) -> Response:
        """Answer with a stream of changes to the overview, to one run or to one check."""
        key = OVERVIEW
        if "key" in request.path_params:
            key = (await self._place(request, Kind.MATCH, Kind.CHECK)).key
        channel = await self._channel(key)
        if self._hub.viewers >= MOST_VIEWERS:
            return _plain("too many viewers; the page stays as it was loaded", 503)
        gzip = "gzip" in request.headers.get("accept-encoding", "")
        headers = {"Content-Encoding": "gzip"} if gzip else {}
        return StreamingResponse(channel.follow(gzip=gzip), media_type="text/event-stream", headers=headers)

    async def run_report(self, request: Request) -> Response:
        """Answer with the full page of a run, which has all its games."""
        place = await self._place(request, Kind.MATCH)
        try:
            text = await self._make(self._reports.page, place.path)
        except (MatchError, OSError) as error:
            return _plain(str(error), 503)
        if text is None:
            return _plain("no game has been played there yet", 404)
        return _html(text, *RUN_SCRIPTS)

    async def check_report(self, request: Request) -> Response:
        """Answer with the report of a check."""
        place = await self._place(request, Kind.REPORT)
        reading = await self._make(self._hub.read, place)
        if reading is None:
            raise HTTPException(404)
        if reading.problem:
            return _plain(reading.problem, 503)
        return _html(report_page(reading.reports, place.title))

    async def history(self, request: Request) -> Response:
        """Answer with the history of a schedule, made from `history.csv`. HTML files there are not sent."""
        place = await self._place(request, Kind.HISTORY)
        try:
            text = await self._make(_history_text, place)
        except OSError as error:
            return _plain(str(error), 503)
        return _html(text)

    async def _make(self, make: Callable[[Argument], Made], argument: Argument) -> Made:
        """Make a page that may take seconds, one at a time, so that the live pages get their updates.

        Raises HTTPException if too many requests wait for such a page.
        """
        if self._waiting >= MOST_WAITING:
            raise HTTPException(503)
        self._waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._thread, make, argument)
        finally:
            self._waiting -= 1

    async def _place(self, request: Request, *kinds: Kind) -> Place:
        """The place that the address names, if it is of one of these kinds. Raises HTTPException."""
        place = await self._hub.place(request.path_params["key"])
        if place is None or place.kind not in kinds:
            raise HTTPException(404)
        return place

    async def _channel(self, key: str) -> Channel:
        channel = await self._hub.channel(key)
        if channel is None:
            raise HTTPException(404)
        return channel

    async def _content(self, key: str) -> tuple[str, Sections]:
        """The title and the sections of a live page. Raises HTTPException."""
        content = (await self._channel(key)).content
        assert content is not None
        return content.title, content.sections


def _history_text(place: Place) -> str:
    """The page of a history. Raises OSError if its file cannot be read or is too large."""
    if place.watched.stat().st_size > MOST_HISTORY_BYTES:
        raise OSError(
            f"the history has more than {MOST_HISTORY_BYTES // 10**6} MB, too many for a page: "
            "open history.csv in the folder of the schedule instead"
        )
    history = read_history(place.path)
    return history_page(
        place.title, history.rows, history.changes, history.problems, history.steps, up="../.."
    )


def _html(text: str, *scripts: str, live: bool = False) -> Response:
    return HTMLResponse(text, headers={POLICY: f"{policy(*scripts, live=live)}; {NO_FRAMES}"})


def _plain(sentence: str, status: int) -> Response:
    return PlainTextResponse(f"{lines(sentence)}\n", status_code=status)


async def _busy(*_: object) -> Response:
    return _plain("other pages are being made; try again in a minute", 503)


async def _not_found(*_: object) -> Response:
    return _plain("nothing is at this address; it may have been deleted: go back to /", 404)
