"""A live page and its viewers. The page is read and made once; each viewer gets the sections that changed."""

from __future__ import annotations

import asyncio
import json
import time
import traceback
import zlib
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field, replace
from typing import Any

from harness.report.html.live_page import problem_section

KEEP_ALIVE = 15.0
"""Seconds without an event after which a viewer gets a comment, which reveals a lost connection. Chosen:
proxies close a silent connection after 30 seconds or more."""
RETRY_MILLISECONDS = 2000
"""Milliseconds until a browser reopens a lost stream. Chosen: a restart of the server takes one second."""
GZIP_HEADER = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"
"""Header of a gzip stream (RFC 1952), without time and name. The stream has no trailer: it never ends."""


@dataclass(frozen=True)
class Content:
    """The content of a page: its title, its HTML by section, and the boards in play for `live.js`."""

    title: str
    sections: dict[str, str] = field(default_factory=dict)
    boards: tuple[Any, ...] = ()


Source = Callable[[], Content | None]
"""A function that makes the present content of a page. It returns None once the run or check was deleted."""


class Channel:
    """The content of one page. `update` and `follow` belong to one event loop."""

    def __init__(self, source: Source, report: Callable[[str], object] = lambda _: None) -> None:
        """`report` is called with each new error of the source; the page shows the error."""
        self._source = source
        self._report = report
        self._error = ""  # traceback of the last error of the source; empty while the source works
        self.content: Content | None = None  # None before the first update
        self.gone = False  # the run or check was deleted
        self.viewers = 0  # number of open streams
        self._stopped = False
        self._version = 0  # counts the changes of the content
        self._versions: dict[str, int] = {}  # by section ("": the boards), the version of its last change
        self._changed = asyncio.Event()  # set at the next change, and then replaced by a new event
        self._messages: dict[tuple[int, bool], bytes] = {}  # by (version that a viewer has, gzip or not)
        self._updating = asyncio.Lock()

    async def update(self) -> float:
        """Make the content again, in a thread, and wake the viewers if it changed.

        Returns the processor time in seconds. An error of the source is reported and shown on the page; the
        next update tries again.
        """
        async with self._updating:
            content, seconds = await asyncio.to_thread(self._read)
            self._take(content)
            return seconds

    def _read(self) -> tuple[Content | None, float]:
        """Return (the present content, the processor time in seconds); an error becomes a content."""
        began = time.thread_time()
        try:
            content = self._source()
            self._error = ""
        except Exception as error:  # the page must say that it is not updated, and later resume
            content = self._report_error(error)
        return content, time.thread_time() - began

    def _report_error(self, error: Exception) -> Content:
        """Report a new error of the source. Return the last content, with the error as its problem."""
        text = traceback.format_exc()
        if text != self._error:
            self._error = text
            self._report(f"conform serve: internal error; please report it: {text}")
        what = f"{type(error).__name__}: {error}"
        sentence = f"This page cannot be updated: internal error ({what}). It is tried again every second."
        before = self.content or Content("conform")
        return replace(before, sections={**before.sections, **problem_section(sentence)})

    def _take(self, content: Content | None) -> None:
        """Replace the content, note which sections changed, and wake the viewers."""
        if content is None:
            if not self.gone:
                self.gone = True
                self._wake()
            return
        before = self.content
        known = before.sections if before is not None else {}
        changed = [name for name, html in content.sections.items() if known.get(name) != html]
        if before is None or before.boards != content.boards:
            changed.append("")
        self.content = content
        returned, self.gone = self.gone, False
        if changed or returned:
            self._version += 1
            self._versions |= dict.fromkeys(changed, self._version)
            self._messages.clear()
            self._wake()

    def _wake(self) -> None:
        """Wake the viewers: each waits for the event that it has seen in `_changed`."""
        self._changed.set()
        self._changed = asyncio.Event()

    def stop(self) -> None:
        """End the streams of all viewers."""
        self._stopped = True
        self._wake()

    async def follow(self, *, gzip: bool = False) -> AsyncIterator[bytes]:
        """Yield the stream of one viewer: the whole content, then each change.

        It ends when the server stops, and with an event `gone` when the run or check is deleted.
        """
        encoded = _deflated if gzip else bytes
        if gzip:
            yield GZIP_HEADER
        seen = 0
        self.viewers += 1
        try:
            yield encoded(f"retry: {RETRY_MILLISECONDS}\n\n".encode())
            while not self._stopped:
                if self.gone:
                    yield encoded(b"event: gone\ndata: {}\n\n")
                    return
                changed = self._changed
                if self._version > seen:
                    message, seen = self._message(seen, gzip=gzip), self._version
                    yield message
                    continue
                try:
                    async with asyncio.timeout(KEEP_ALIVE):
                        await changed.wait()
                except TimeoutError:
                    yield encoded(b": nothing new\n\n")
        finally:
            self.viewers -= 1

    def _message(self, seen: int, *, gzip: bool) -> bytes:
        """The event that updates a viewer whose page has version `seen`. It is made once for all of them."""
        if (seen, gzip) not in self._messages:
            assert self.content is not None
            new = {
                name: html
                for name, html in self.content.sections.items()
                if self._versions.get(name, 0) > seen
            }
            change: dict[str, Any] = {"title": self.content.title, "sections": new}
            if self._versions.get("", 0) > seen:
                change["boards"] = self.content.boards
            message = f"event: change\ndata: {json.dumps(change)}\n\n".encode()
            self._messages[seen, gzip] = _deflated(message) if gzip else message
        return self._messages[seen, gzip]


def _deflated(data: bytes) -> bytes:
    """Compress a part of a gzip stream. It refers to no other part, so that every viewer can get it."""
    compressor = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    return compressor.compress(data) + compressor.flush(zlib.Z_FULL_FLUSH)
