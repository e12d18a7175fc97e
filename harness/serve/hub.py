"""The hub: one background task updates every live page that has viewers. Without viewers nothing is read.

Names: a place is a thing with a page, such as a run (`places`); the overview is the page that lists all
places; a channel is the content of one page, and the viewers who follow it (`channel`).
"""

from __future__ import annotations

import asyncio
import math
import sys
import threading
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from weakref import WeakValueDictionary

from harness.files import epoch_seconds
from harness.report.html.live_page import (
    boards_data,
    check_sections,
    ended_sections,
    overview_sections,
    place_sections,
    run_sections,
)
from harness.report.text.status_text import report_sentences
from harness.report.visible import lines, one_line
from harness.serve.channel import Channel, Content, Source
from harness.serve.index import RunIndex
from harness.serve.places import Finder, Place
from harness.serve.reading import Reader, Reading

PAUSE = 1.0
"""Seconds between two updates of the watched pages. Chosen: statuses are written once a second."""
SHARE = 40
"""Updates and searches may use 1/40 of a processor; the pauses grow accordingly. Chosen: the server must not
slow the matches that it shows."""
REQUEST_SHARE = 4
"""The content of a page is reused for 4 times as long as it took to make, so that requests for it use at most
1/5 of a processor. Chosen: a reload of a usual page shows what is new."""
IDLE_UPDATES = 3
"""Updates without a watched page after which the task ends, until the next request. Chosen: the task still
runs when a browser reloads a page."""
SEARCH_SECONDS = 3.0
"""Seconds between two searches of the folder; more if a search takes long. Chosen: a new run appears soon."""
MOST_ENTRIES = 200
"""Entries of the overview. Chosen: the whole list is sent again when one entry changes."""
STORE_SECONDS = 0.5
"""Limit of the processor time, in seconds, for which one update of the overview reads stores that are not in
the index. Chosen: the first page comes soon, also if the runs are large."""
LONGEST_SENTENCE = 300
"""Characters of the sentence about the end of a check."""
OVERVIEW = ""
"""The key of the overview. No place has this key."""


def _to_stderr(text: str) -> None:
    sys.stderr.write(f"{lines(text)}\n")


class Hub:
    """The channels (live pages) of one served folder, by the key of their place, or OVERVIEW.

    The hub holds its channels weakly: a channel lives as long as a request or a stream uses it. `_places`,
    the places in the folder, are searched at most once in `search_seconds`, however many requests come.
    Threads read `_places` without a lock: it is never changed, only replaced.
    """

    def __init__(
        self,
        root: Path,
        report: Callable[[str], object] = _to_stderr,
        search_seconds: float = SEARCH_SECONDS,
        pause: float = PAUSE,
        finder: Finder | None = None,
        index: RunIndex | None = None,
    ) -> None:
        """`report` is called with each new internal error. `pause`: seconds between two updates.

        `index`: the statuses that earlier processes read from stores; None: every store is read again.
        """
        self._pause = pause
        self._search_seconds = search_seconds
        self.root = root
        self._report = report
        self._searching = threading.Lock()
        self._stopping = False
        self._finder = finder or Finder(root)
        self._reader = Reader(index)
        self._places: dict[str, Place] = {}
        self._next_search = 0.0
        self._started: dict[str, str] = {}  # by place key of a check that was seen running: its start time
        self._made: dict[str, tuple[float, Content | None]] = {}  # by key: (until when, content to reuse)
        self._channels: WeakValueDictionary[str, Channel] = WeakValueDictionary()
        self._task: asyncio.Task[None] | None = None

    @property
    def viewers(self) -> int:
        """The number of open streams."""
        return sum(channel.viewers for channel in list(self._channels.values()))

    def stop(self) -> None:
        """End all streams."""
        self._stopping = True
        for channel in list(self._channels.values()):
            channel.stop()

    async def place(self, key: str) -> Place | None:
        """The place with this key; None if there is none. Searches the folder for an unknown key."""
        if key not in self._places:
            await asyncio.to_thread(self._refresh)
        return self._places.get(key)

    async def channel(self, key: str) -> Channel | None:
        """Return the channel of a place or of the overview, with its content; None if nothing is there."""
        place = None if key == OVERVIEW else await self.place(key)
        if place is None and key != OVERVIEW:
            return None
        channel = self._channels.get(key)
        if channel is None or channel.gone:  # no `await` before the channel is stored: requests share it
            source = self._overview if place is None else lambda: self._content(place)
            channel = Channel(lambda: self._reuse_or_make(key, source), self._report)
            self._channels[key] = channel
        if not channel.viewers:
            await channel.update()
        self._ensure_task()
        return None if channel.content is None else channel

    def _ensure_task(self) -> None:
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._keep_updating())

    async def _keep_updating(self) -> None:
        """Update all channels again and again. End after IDLE_UPDATES updates without a channel.

        There is no `await` between the last test of `_channels` and the end of the task. Otherwise a new
        channel could find this task not yet done, and would get no updates.
        """
        idle = 0
        while idle < IDLE_UPDATES and not self._stopping:
            used = await self._update()
            await asyncio.sleep(max(self._pause, SHARE * used))
            idle = 0 if self._channels else idle + 1

    async def _update(self) -> float:
        """Update all channels, and keep no reference to one. Returns the processor time in seconds."""
        used = 0.0
        for channel in list(self._channels.values()):
            try:
                used += await channel.update()
            except Exception:  # for example, no thread can be started: the other streams must continue
                self._report(f"conform serve: internal error; please report it: {traceback.format_exc()}")
        return used

    # --- called in a thread --------------------------------------------------------------------------------

    def _refresh(self) -> None:
        """Search the folder again if the last search is old enough. Other threads wait for the result."""
        with self._searching:
            began = time.monotonic()
            if began < self._next_search:
                return
            try:
                self._places = self._finder.find()
                self._reader.forget_all_but(set(self._places))
            finally:
                took = time.monotonic() - began
                self._next_search = began + max(self._search_seconds, SHARE * took)

    def _add(self, place: Place) -> None:
        """Add a place that appeared after the last search."""
        with self._searching:
            self._places = {**self._places, place.key: place}

    def _reuse_or_make(self, key: str, source: Source) -> Content | None:
        """The content of a page: that of an earlier request while REQUEST_SHARE allows it, else a new one."""
        until, content = self._made.get(key, (0.0, None))
        if time.monotonic() < until:
            return content
        began = time.thread_time()
        content = source()
        now, used = time.monotonic(), time.thread_time() - began
        fresh = {kept: made for kept, made in self._made.items() if made[0] > now}
        self._made = {**fresh, key: (now + REQUEST_SHARE * used, content)}
        return content

    def _overview(self) -> Content:
        """The present content of the overview."""
        self._refresh()
        places = self._places
        readings = self._reader.newest(places.values(), MOST_ENTRIES, STORE_SECONDS)
        running = sum(reading.phase.running for reading in readings)
        left_out = max(0, len(places) - MOST_ENTRIES)
        sections = overview_sections(readings, running, left_out, str(self.root))
        return Content(f"{running} running – conform" if running else "conform", sections)

    def read(self, place: Place) -> Reading | None:
        """Read a place; None if it no longer exists."""
        return self._reader.read(place)

    def _content(self, place: Place) -> Content | None:
        """Return the present content of the page of a place; None if it is gone without an outcome."""
        reading = self._reader.read(place)
        if reading is None:
            return self._outcome_of_check(place)
        if reading.check is not None:
            self._started[place.key] = reading.check.started
        return content_of(reading)

    def _outcome_of_check(self, place: Place) -> Content | None:
        """Return the outcome of a check that removed its status file; None without its report."""
        report = None if place.report is None else self._reader.read(place.report)
        if report is None or not report.reports:
            return None
        # The start time in a report has whole seconds.
        if epoch_seconds(report.at) < math.floor(epoch_seconds(self._started.get(place.key, ""))):
            return None  # the report of an earlier check
        self._add(report.place)  # the page has a link to it
        sentences = [one_line(sentence, LONGEST_SENTENCE) for sentence in report_sentences(report.reports)]
        path, title = str(report.place.path), report.place.title
        sections = ended_sections(sentences, report.phase, path, title, f"../../{report.place.address}")
        return Content(f"{one_line(title)} – conform", sections)


def content_of(reading: Reading) -> Content:
    """Return the content of the live page of a run or a check."""
    place, phase, run = reading.place, reading.phase, reading.run
    path, title = str(place.path), f"{one_line(place.title)} – conform"
    if run is not None:
        share = f"{100 * run.done / run.total:.0f} % " if run.total and phase.running else ""
        boards = tuple(boards_data(run.boards)) if phase.running else ()
        return Content(share + title, run_sections(run, phase, path, reading.problem), boards)
    if reading.check is not None:
        return Content(title, check_sections(reading.check, phase, path, place.title))
    return Content(title, place_sections(place.title, phase, path, reading.problem))
