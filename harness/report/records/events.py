"""The event stream of a command as JSON lines, format `conform-events/1`: for programs that follow a run.

The first line names the format. The last line is "stream-ended"; a stream without it is incomplete.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from importlib.resources import files
from typing import Any

from harness import __version__

FORMAT = "conform-events/1"


def schema() -> dict[str, Any]:
    """The JSON schema (2020-12) of one line of the format."""
    text = files("harness.report").joinpath("data/conform-events-1.schema.json").read_text("utf-8")
    loaded: dict[str, Any] = json.loads(text)
    return loaded


class EventLines:
    """Writes the lines of one stream.

    write   a function that takes one line, with its line feed
    now     a function that returns the seconds since the command began
    """

    def __init__(self, write: Callable[[str], object], now: Callable[[], float]) -> None:
        self._write = write
        self._now = now

    def begin(self, started: str) -> None:
        """Write the first line. `started`: ISO 8601 with zone."""
        self.add("stream-started", {"format": FORMAT, "tool": __version__, "started": started})

    def end(self) -> None:
        """Write the last line."""
        self.add("stream-ended", {})

    def add(self, name: str, fields: Mapping[str, Any]) -> None:
        """Write one line: the event `name` with its time in seconds, and these fields."""
        line = {"event": name, "at": round(self._now(), 6), **fields}
        self._write(json.dumps(line, separators=(",", ":"), allow_nan=False) + "\n")
