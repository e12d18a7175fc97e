"""What Ctrl-C and SIGTERM do to a command that plays games."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from harness.match import Stop


@contextmanager
def signals_stop(stop: Stop, tell: Callable[[str], object]) -> Iterator[None]:
    """Ctrl-C once: the games in flight are the last. Twice, or SIGTERM: they are dropped. Then: at once."""

    def interrupt(*_: object) -> None:
        stop.ask()
        if stop.asked == 1:
            tell("the games in flight are ended; Ctrl-C again drops them")
        if stop.asked > 2:
            raise KeyboardInterrupt

    def terminate(*_: object) -> None:
        stop.ask()
        stop.ask()

    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    signal.signal(signal.SIGINT, interrupt)
    signal.signal(signal.SIGTERM, terminate)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
