"""Ctrl-C and SIGTERM in a command that plays games."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from harness.arena.run.coordinator import Stop


@contextmanager
def signals_stop(stop: Stop, notify: Callable[[str], object]) -> Iterator[None]:
    """Stop on signals: the first Ctrl-C lets the games in flight end; the second, or SIGTERM, drops them.

    The third Ctrl-C raises KeyboardInterrupt. A signal that is ignored from the start, such as Ctrl-C under
    nohup, stays ignored.
    """

    def interrupt(*_: object) -> None:
        stop.ask()
        if stop.asked == 1:
            notify("stopping after the games in flight; press Ctrl-C again to drop them")
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
