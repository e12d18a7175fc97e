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


class ExchangeError(BotError):
    """An exchange that leaves a check without its observation.

    wanted   the form of the answer that its command asks for
    before   the lines that the process had been sent before the command, where they matter
    """

    def __init__(self, text: str, exchange: Exchange, wanted: str, before: tuple[bytes, ...] = ()) -> None:
        super().__init__(text)
        self.exchange = exchange
        self.wanted = wanted
        self.before = before


class BotInterruptedError(ExchangeError):
    """The bot died or went silent with a command in flight."""

    def __init__(self, exchange: Exchange) -> None:
        super().__init__(exchange.ending, exchange, "an answer")


class CommandRefusedError(ExchangeError):
    """The bot refused a command of a set-up, or answered it in no readable way."""

    def __init__(self, exchange: Exchange, before: tuple[bytes, ...] = ()) -> None:
        super().__init__(printable(exchange.raw), exchange, "= (success)", before)


class UnreadableAnswerError(ExchangeError):
    """An answer that does not have the form that its command asks for."""

    def __init__(self, exchange: Exchange, wanted: str) -> None:
        super().__init__(wanted, exchange, wanted)
