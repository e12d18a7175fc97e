"""A word on stderr when something that is usually instant takes long."""

from __future__ import annotations

import functools
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

PATIENCE_SECONDS = 1.0
MESSAGE = "refbot: loading its kernels; the first time they are compiled, which takes a while"


@contextmanager
def tell_if_slow(patience: float = PATIENCE_SECONDS, message: str = MESSAGE) -> Iterator[None]:
    """Writes `message` to stderr if the body takes longer than `patience` seconds."""
    timer = threading.Timer(patience, _tell, [message])
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


@functools.cache  # what has been said once needs no saying again
def _tell(message: str) -> None:
    if sys.stderr is not None:
        print(message, file=sys.stderr, flush=True)  # noqa: T201 - this is the place where it is said
