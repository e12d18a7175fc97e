"""The report pages of runs: made from the store at the first request, cached until the store changes.

The file `report.html` in the folder of the run is not served: it may come from anybody.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from pathlib import Path

from harness.arena.judge.judge import judge
from harness.arena.store.store import DATABASE, Store
from harness.serve.places import Signature, signature

MOST_PAGES = 4
"""Pages in the cache. Chosen: the page of a long run has some megabytes."""
LEAST_SECONDS = 60.0
"""Least seconds between two makings of one page. Chosen: the page of a long run takes seconds to make."""


class RunReports:
    """A cache of report pages by folder, the least recently used first. It makes one page at a time."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._pages: OrderedDict[Path, tuple[Signature, float, str]] = OrderedDict()

    def page(self, folder: Path) -> str | None:
        """The page of the run in `folder`; None if no game was played. Raises StoreError."""
        with self._lock:
            from harness.report.html.run_page import run_page  # half a second that few viewers need

            now = signature(folder / DATABASE) + signature(folder / f"{DATABASE}-wal")
            before, made, text = self._pages.get(folder, ((), 0.0, ""))
            if text and (before == now or time.monotonic() < made + LEAST_SECONDS):
                self._pages.move_to_end(folder)
                return text
            with Store.open(folder, read_only=True) as store:
                config = store.config()
                if config is None:
                    return None
                text = run_page(store, judge(store, config))
            self._pages[folder] = now, time.monotonic(), text
            while len(self._pages) > MOST_PAGES:
                self._pages.popitem(last=False)
            return text
