"""Lines on stderr while something takes long."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

FIRST_SECONDS, EVERY_SECONDS = 1.0, 3.0


@contextmanager
def reported(
    message: Callable[[], str], first: float = FIRST_SECONDS, every: float = EVERY_SECONDS
) -> Iterator[None]:
    """Writes `message()` to stderr after `first` seconds of the body, and then every `every` seconds."""
    ended = threading.Event()
    writer = threading.Thread(target=_write, args=(ended, message, first, every), daemon=True)
    writer.start()
    try:
        yield
    finally:
        ended.set()
        writer.join()


def _write(ended: threading.Event, message: Callable[[], str], wait: float, every: float) -> None:
    while not ended.wait(wait):
        wait = every
        if sys.stderr is not None:
            print(message(), file=sys.stderr, flush=True)  # noqa: T201 - the line that is to be written
