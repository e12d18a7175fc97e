"""How talking to a bot can fail: what each error observed, for whoever judges it."""

from __future__ import annotations

from harness.gtp import Exchange, printable


class ChecksError(Exception):
    """Base class of all errors of `harness.check`."""


class BotError(ChecksError):
    """Base of everything that talking to a bot can raise."""


class UnusableBotError(BotError):
    """A program that cannot be checked: it could not be started, or is no GTP engine."""

    def __init__(self, reason: str, hint: str = "") -> None:
        super().__init__(reason)
        self.reason = reason
        self.hint = hint


class TimeUpError(ChecksError):
    """The time of the run is up in the middle of a dialogue.

    It is no error of the bot: a procedure that expects those of a bot must not take it for one.
    """


class BotInterruptedError(BotError):
    """The bot died or went silent with a command in flight."""

    def __init__(self, exchange: Exchange) -> None:
        super().__init__(exchange.ending)
        self.exchange = exchange


class CommandRefusedError(BotError):
    """The bot refused a command of a set-up, or answered it in no readable way.

    `before` are the lines that its process had been sent before that command.
    """

    def __init__(self, exchange: Exchange, before: tuple[bytes, ...] = ()) -> None:
        super().__init__(printable(exchange.raw))
        self.exchange = exchange
        self.before = before


class UnreadableAnswerError(BotError):
    """An answer that does not have the form that its command asks for."""

    def __init__(self, exchange: Exchange, wanted: str) -> None:
        super().__init__(wanted)
        self.exchange = exchange
        self.wanted = wanted
