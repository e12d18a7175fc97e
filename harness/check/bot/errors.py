"""Errors of talking to a bot. An `ExchangeError` has the exchange that a judge needs."""

from __future__ import annotations

from harness.gtp import Exchange, printable


class BotError(Exception):
    """Base class of the failures of a bot."""


class UnusableBotError(BotError):
    """The program cannot be checked: it does not start, is no GTP engine, or does not fit the checks.

    hint   what the user can do; empty for none
    """

    def __init__(self, reason: str, hint: str = "") -> None:
        super().__init__(reason)
        self.reason = reason
        self.hint = hint


class TimeUpError(Exception):
    """The time of the run is up. This is no failure of the bot, so it is no BotError."""


class ExchangeError(BotError):
    """The answer to a command makes the observation of a check impossible.

    wanted   the form of the answer that the command asks for
    before   the lines that the process got before the command; empty if they do not matter
    """

    def __init__(self, text: str, exchange: Exchange, wanted: str, before: tuple[bytes, ...] = ()) -> None:
        super().__init__(text)
        self.exchange = exchange
        self.wanted = wanted
        self.before = before


class BotInterruptedError(ExchangeError):
    """The bot did not answer a command: it died, was silent, or its output had no end."""

    def __init__(self, exchange: Exchange) -> None:
        super().__init__(exchange.ending, exchange, "an answer")


class CommandRefusedError(ExchangeError):
    """A set-up command failed: the bot refused it, also in words after =, or its answer is malformed."""

    def __init__(self, exchange: Exchange, before: tuple[bytes, ...] = ()) -> None:
        super().__init__(printable(exchange.raw), exchange, "= (success)", before)


class UnreadableAnswerError(ExchangeError):
    """The answer does not have the form that its command asks for."""

    def __init__(self, exchange: Exchange, wanted: str) -> None:
        super().__init__(wanted, exchange, wanted)
