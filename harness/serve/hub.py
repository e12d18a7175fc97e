"""The one reader that all viewers share. It reads only while somebody looks, and only what they look at."""

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

from harness.report.html.live_page import (
    boards_data,
    check_sections,
    ended_sections,
    overview_sections,
    place_sections,
    run_sections,
)
from harness.report.text.status_text import report_sentences
from harness.report.visible import one_line
from harness.serve.channel import Channel, Content
from harness.serve.places import Finder, Place
from harness.serve.reading import Reader, Reading, in_order, seconds_of

PAUSE = 1.0
"""Seconds between two looks at what is shown. Chosen: statuses are written once a second."""
SHARE = 40
"""Looks take at most one part in this many of the time of a processor; then they come less often. Chosen: the
server must not slow the matches that it shows."""
LOOKS_IN_VAIN = 3
"""Number of looks without viewers after which the hub stops looking until somebody comes. Chosen: a page that
is loaded again finds the hub awake."""
SEARCH_SECONDS = 3.0
"""Seconds between two searches of the folder; more if a search takes long. Chosen: a new run appears soon."""
MOST_ENTRIES = 200
"""Entries of the overview. Chosen: it is sent again when one of them changes."""
LONGEST_SENTENCE = 300
"""Characters of the sentence about the end of a check."""
OVERVIEW = ""
"""The key of the overview, which no place has."""


def _to_stderr(text: str) -> None:
    sys.stderr.write(f"{text}\n")


class Hub:
    """Channels by the key of their place; the overview has the key OVERVIEW.

    A channel lives as long as a request or a stream holds it, so that no stream is left without updates.
    Addresses are looked up in an index of the folder. It is made again every few seconds at most, whatever is
    asked for; several threads use it, and each takes it as a whole.
    """

    def __init__(
        self,
        root: Path,
        report: Callable[[str], object] = _to_stderr,
        search_seconds: float = SEARCH_SECONDS,
        pause: float = PAUSE,
        finder: Finder | None = None,
    ) -> None:
        """`report` is called with each new error in the making of a page; `pause` is in seconds."""
        self._pause = pause
        self._search_seconds = search_seconds
        self.root = root
        self._report = report
        self._searching = threading.Lock()
        self._stopping = False
        self._finder = finder or Finder(root)
        self._reader = Reader()
        self._places: dict[str, Place] = {}
        self._next_search = 0.0
        self._started: dict[str, str] = {}  # of each check that was seen running, by the key of its place
        self._channels: WeakValueDictionary[str, Channel] = WeakValueDictionary()
        self._task: asyncio.Task[None] | None = None

    @property
    def viewers(self) -> int:
        """Open streams."""
        return sum(channel.viewers for channel in list(self._channels.values()))

    def stop(self) -> None:
        """End all streams."""
        self._stopping = True
        for channel in list(self._channels.values()):
            channel.stop()

    async def place(self, key: str) -> Place | None:
        """The place with this key; None if there is none."""
        if key not in self._places:
            await asyncio.to_thread(self._refresh)
        return self._places.get(key)

    async def channel(self, key: str) -> Channel | None:
        """The channel of a place with up-to-date content; None if nothing is there."""
        place = None if key == OVERVIEW else await self.place(key)
        if place is None and key != OVERVIEW:
            return None
        channel = self._channels.get(key)
        if channel is None or channel.gone:  # nothing is awaited before it is stored: all get the same one
            source = self._overview if place is None else lambda: self._content(place)
            channel = Channel(source, self._report)
            self._channels[key] = channel
        if not channel.viewers:
            await channel.update()
        self._ensure_task()
        return None if channel.content is None else channel

    def _ensure_task(self) -> None:
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._look())

    async def _look(self) -> None:
        """Update what is watched, until nobody has watched for a while.

        Nothing is awaited between the last look at the channels and the end, so that nobody who comes then
        takes this task for one that goes on.
        """
        idle = 0
        while idle < LOOKS_IN_VAIN and not self._stopping:
            used = await self._update()
            await asyncio.sleep(max(self._pause, SHARE * used))
            idle = 0 if self._channels else idle + 1

    async def _update(self) -> float:
        """Update all channels; none is held when this returns. Returns the processor time in seconds."""
        used = 0.0
        for channel in list(self._channels.values()):
            try:
                used += await channel.update()
            except Exception:  # such as no thread to read in: the streams must go on
                self._report(f"conform serve: internal error; please report it: {traceback.format_exc()}")
        return used

    # --- called in a thread --------------------------------------------------------------------------------

    def _refresh(self) -> None:
        """Make the index again if it is old enough. Who comes meanwhile waits for it."""
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
        """Add a place to the index that came after the last search."""
        with self._searching:
            self._places = {**self._places, place.key: place}

    def _overview(self) -> Content:
        self._refresh()
        readings = in_order(filter(None, map(self.read, self._places.values())))
        running = sum(reading.phase.running for reading in readings)
        left_out = max(0, len(readings) - MOST_ENTRIES)
        sections = overview_sections(readings[:MOST_ENTRIES], running, left_out, str(self.root))
        return Content(f"{running} running – conform" if running else "conform", sections)

    def read(self, place: Place) -> Reading | None:
        """Read a place; None if there is nothing now."""
        return self._reader.read(place)

    def _content(self, place: Place) -> Content | None:
        reading = self._reader.read(place)
        if reading is None:
            return self._ended(place)
        if reading.check is not None:
            self._started[place.key] = reading.check.started
        return content_of(reading)

    def _ended(self, place: Place) -> Content | None:
        """Return the outcome of a check whose status file is gone, from its report; None without a report."""
        report = None if place.report is None else self._reader.read(place.report)
        if report is None or not report.reports:
            return None
        # A report has the time of its start in whole seconds.
        if seconds_of(report.at) < math.floor(seconds_of(self._started.get(place.key, ""))):
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
