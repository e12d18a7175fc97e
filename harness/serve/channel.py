"""One live page and all its viewers: read once, made once, sent to each viewer as far as it changed."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from typing import Any

KEEP_ALIVE = 15.0
"""Seconds without an event after which a viewer gets a comment, so that a lost connection is noticed."""
RETRY_MILLISECONDS = 2000


@dataclass(frozen=True)
class Content:
    """What a page shows: HTML by section, boards in play, and its title."""

    title: str
    sections: dict[str, str] = field(default_factory=dict)
    boards: tuple[Any, ...] = ()


Source = Callable[[], Content | None]
"""Makes the content as it is now; None when what it shows is gone."""


class Channel:
    """The content of one page. `update` and `follow` belong to one event loop."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self.content: Content | None = None
        self.gone = False
        self.viewers = 0
        self._stopped = False
        self._version = 0
        self._versions: dict[str, int] = {}  # of each section, and of "" for boards: when it last changed
        self._changed = asyncio.Event()
        self._messages: dict[int, bytes] = {}  # by the version that a viewer has: what brings it up to date
        self._updating = asyncio.Lock()

    async def update(self) -> None:
        """Read again, in a thread. What changed wakes the viewers."""
        async with self._updating:
            self._take(await asyncio.to_thread(self._source))

    def _take(self, content: Content | None) -> None:
        if content is None:
            if not self.gone:
                self.gone = True
                self._wake()
            return
        before = self.content
        changed = [
            name
            for name, html in content.sections.items()
            if before is None or before.sections.get(name) != html
        ]
        if before is None or before.boards != content.boards:
            changed.append("")
        self.content, returned = content, self.gone
        self.gone = False
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

    async def follow(self) -> AsyncIterator[bytes]:
        """The stream of one viewer: the whole content, then its changes. It ends when the server stops."""
        seen = 0
        self.viewers += 1
        try:
            yield f"retry: {RETRY_MILLISECONDS}\n\n".encode()
            while not self._stopped:
                if self.gone:
                    yield b"event: gone\ndata: {}\n\n"
                    return
                changed = self._changed
                if self._version > seen:
                    message, seen = self._message(seen), self._version
                    yield message
                    continue
                try:
                    async with asyncio.timeout(KEEP_ALIVE):
                        await changed.wait()
                except TimeoutError:
                    yield b": nothing new\n\n"
        finally:
            self.viewers -= 1

    def _message(self, seen: int) -> bytes:
        """The event that brings a viewer of version `seen` up to date. Viewers share it."""
        if seen not in self._messages:
            assert self.content is not None
            change: dict[str, Any] = {
                "title": self.content.title,
                "sections": {
                    name: html
                    for name, html in self.content.sections.items()
                    if self._versions.get(name, 0) > seen
                },
            }
            if self._versions.get("", 0) > seen:
                change["boards"] = self.content.boards
            self._messages[seen] = f"event: change\ndata: {json.dumps(change)}\n\n".encode()
        return self._messages[seen]
