"""The report page of a run, made from its store when somebody asks, and kept while the store stays as it is.

The file `report.html` of the folder is not served: in a folder that somebody sent it could be anything.
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
"""Pages that are kept. Chosen: the page of a long run has some megabytes."""
LEAST_SECONDS = 60.0
"""Seconds before a page is made again. Chosen: the page of a long run takes seconds."""


class RunReports:
    """The last pages that were made. One page is made at a time."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._pages: OrderedDict[Path, tuple[Signature, float, str]] = OrderedDict()

    def page(self, folder: Path) -> str | None:
        """The page; None for a store in which nothing was played. Raises StoreError."""
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
