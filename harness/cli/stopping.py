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
    """Ctrl-C once: the games in flight are the last. Twice, or SIGTERM: they are dropped. Then: at once.

    A signal that is ignored from the start, as Ctrl-C under nohup, stays ignored: it is meant for others.
    """

    def interrupt(*_: object) -> None:
        stop.ask()
        if stop.asked == 1:
            tell("the games in flight are ended; Ctrl-C again drops them")
        if stop.asked > 2:
            raise KeyboardInterrupt

    def terminate(*_: object) -> None:
        stop.ask()
        stop.ask()

    handlers = {signal.SIGINT: interrupt, signal.SIGTERM: terminate}
    before = {number: signal.getsignal(number) for number in handlers}
    for number, handler in handlers.items():
        if before[number] is not signal.SIG_IGN:
            signal.signal(number, handler)
    try:
        yield
    finally:
        for number, usual in before.items():
            signal.signal(number, usual)
