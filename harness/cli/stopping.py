"""How signals end a command: every command, and one that plays games."""

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


def unblock_signals() -> None:
    """Let every signal reach this process, and the programs that it starts.

    A parent may have blocked SIGTERM and SIGINT for a moment, and started this process in it. Blocked, they
    would end neither this process nor its engines.
    """
    signal.pthread_sigmask(signal.SIG_SETMASK, ())


def end_on_sigterm() -> None:
    """Let SIGTERM do what Ctrl-C does: the command reports what it has, and the terminal is set right.

    Commands that play games set a handler of their own while they do.
    """
    if signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
        signal.signal(signal.SIGTERM, _interrupt)


def _interrupt(*_: object) -> None:
    if callable(signal.getsignal(signal.SIGINT)):
        signal.raise_signal(signal.SIGINT)  # may be held back for a step that must not be cut in two
    else:
        raise KeyboardInterrupt  # Ctrl-C is ignored, as under nohup
