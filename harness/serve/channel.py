"""One live page and all its viewers: read once, made once, sent to each viewer as far as it changed."""

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
"""Seconds without an event after which a viewer gets a comment, so that a lost connection is noticed. Chosen:
proxies close a silent connection after 30 seconds or more."""
RETRY_MILLISECONDS = 2000
"""Milliseconds after which a browser opens a lost stream again. Chosen: a restart of the server takes one."""
GZIP_HEADER = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"
"""RFC 1952: deflated, without time and name. The stream never ends by itself, so that it has no trailer."""


@dataclass(frozen=True)
class Content:
    """Content of a page: HTML by section, boards in play, and its title."""

    title: str
    sections: dict[str, str] = field(default_factory=dict)
    boards: tuple[Any, ...] = ()


Source = Callable[[], Content | None]
"""Makes the content as it is now; None when what it shows is gone."""


class Channel:
    """The content of one page. `update` and `follow` belong to one event loop."""

    def __init__(self, source: Source, report: Callable[[str], object] = lambda _: None) -> None:
        """`report` is called with each new error of the source; the page shows the error."""
        self._source = source
        self._report = report
        self._error = ""  # the last one; empty while the source works
        self.content: Content | None = None
        self.gone = False
        self.viewers = 0
        self._stopped = False
        self._version = 0
        self._versions: dict[str, int] = {}  # of each section, and of "" for boards: when it last changed
        self._changed = asyncio.Event()
        self._messages: dict[tuple[int, bool], bytes] = {}  # by the version that a viewer has, and gzip
        self._updating = asyncio.Lock()

    async def update(self) -> float:
        """Read again, in a thread. What changed wakes the viewers. Returns the processor time in seconds.

        An error of the source is reported and shown, and the next update tries again.
        """
        async with self._updating:
            content, seconds = await asyncio.to_thread(self._read)
            self._take(content)
            return seconds

    def _read(self) -> tuple[Content | None, float]:
        began = time.thread_time()
        try:
            content = self._source()
            self._error = ""
        except Exception as error:  # a viewer must see that the page stands still, and that it goes on again
            content = self._failed(error)
        return content, time.thread_time() - began

    def _failed(self, error: Exception) -> Content:
        """The content as it was, with the error."""
        text = traceback.format_exc()
        if text != self._error:
            self._error = text
            self._report(f"conform serve: internal error; please report it: {text}")
        what = f"{type(error).__name__}: {error}"
        sentence = f"This page cannot be updated: internal error ({what}). It is tried again every second."
        before = self.content or Content("conform")
        return replace(before, sections={**before.sections, **problem_section(sentence)})

    def _take(self, content: Content | None) -> None:
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
        self.content, returned, self.gone = content, self.gone, False
        if changed or returned:
            self._version += 1
            self._versions |= dict.fromkeys(changed, self._version)
            self._messages.clear()
            self._wake()

    def _wake(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()

    def stop(self) -> None:
        """End the streams of all viewers."""
        self._stopped = True
        self._wake()

    async def follow(self, *, gzip: bool = False) -> AsyncIterator[bytes]:
        """The stream of one viewer: the whole content, then its changes. It ends when the server stops."""
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
        """The event that brings a viewer of version `seen` up to date. Viewers share it."""
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
    """A part of a gzip stream that refers to no other part, so that all viewers share one compression."""
    compressor = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    return compressor.compress(data) + compressor.flush(zlib.Z_FULL_FLUSH)
