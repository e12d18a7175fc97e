"""How Ctrl-C and SIGTERM end a command. `stop_on_signals` is for commands that play games."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from harness.arena.run.stop import Stop


@contextmanager
def stop_on_signals(stop: Stop, notify: Callable[[str], object]) -> Iterator[None]:
    """Set `stop` on signals: the first Ctrl-C lets games in progress end; the second, or SIGTERM, drops them.

    A Ctrl-C after that raises KeyboardInterrupt. If the time limit has set `stop`, the first Ctrl-C drops
    the games. A signal that was ignored before, as Ctrl-C in a background job of a shell script, stays
    ignored. `notify` gets a sentence for the user when a Ctrl-C lets games end.
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

    A process inherits the signals that its parent blocks. If SIGTERM and SIGINT are among them, they would
    not end it.
    """
    signal.pthread_sigmask(signal.SIG_SETMASK, ())


def end_on_sigterm() -> None:
    """Let SIGTERM act like Ctrl-C: the command reports its results so far, and restores the terminal.

    Nothing changes if SIGTERM is ignored or has a handler. While a command plays games, `stop_on_signals`
    replaces this handler.
    """
    if signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
        signal.signal(signal.SIGTERM, _interrupt)


def _interrupt(*_: object) -> None:
    """Do what Ctrl-C does. If SIGINT has no handler, raise KeyboardInterrupt."""
    if callable(signal.getsignal(signal.SIGINT)):
        signal.raise_signal(signal.SIGINT)  # `interrupt_held` may delay it
    else:
        raise KeyboardInterrupt  # Ctrl-C is ignored, as in a background job of a shell script
