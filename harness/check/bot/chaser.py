"""Commands that a bot leaves without an answer, and the command sent after one of them to find that out."""

from __future__ import annotations

from harness.gtp import Engine, Exchange, command_name

CHASER = b"name\n"
"""The command that is sent after one that may stay without an answer: nearly every bot answers it."""

CHASE_WAIT = 1.5
"""Seconds to wait for an answer that may not come; chosen: longer than most answers take."""


class Chaser:
    """A command that the bot answers, and what it has shown about others.

    line   the command
    text   its answer, once that is known
    mute   names of the commands that stayed without an answer while a later one was answered
    """

    def __init__(self) -> None:
        self.line = CHASER
        self.text: str | None = None
        self.mute: set[bytes] = set()

    def is_mute(self, line: bytes) -> bool:
        """Return whether the bot leaves this command without an answer."""
        return command_name(line) in self.mute

    def may_be_mute(self, line: bytes) -> bool:
        """Return whether a bot that leaves some commands without an answer may do so here too."""
        searches = command_name(line) == b"genmove"
        return bool(self.mute) and not self.is_mute(line) and not searches and line != self.line

    def is_answered_by(self, answer: Exchange) -> bool:
        """Return whether an answer is that of the chaser, and so not that of the command before it."""
        return answer.ok and not answer.noise and answer.text.strip() == self.text


class ChasedExchange:
    """One command that may stay without an answer, with the chaser behind it once that is sent."""

    def __init__(self, engine: Engine, chaser: Chaser, line: bytes) -> None:
        self._engine = engine
        self._chaser = chaser
        self._line = line
        self._heard = b""  # before the chaser was sent

    def ask(self, seconds: float) -> Exchange:
        """Send the command alone."""
        exchange = self._engine.ask(self._line, timeout=seconds)
        self._heard = exchange.raw
        return exchange

    def chase(self, seconds: float) -> Exchange:
        """Send the chaser; the next answer is returned as that of both commands."""
        self._engine.send(self._chaser.line)
        answer = self._engine.receive(seconds)
        return answer._replace(
            sent=self._line + self._chaser.line,
            raw=self._heard + answer.raw,
            noise=self._heard + answer.noise,
        )

    def was_late(self, answer: Exchange) -> bool:
        """Return whether the answer is that of the command: the one of the chaser is still to come."""
        return not (answer.ok and self._chaser.text in (None, answer.text.strip()))

    def note_if_mute(self, answer: Exchange) -> None:
        """Remember the command as mute where the chaser alone was answered."""
        if self._chaser.is_answered_by(answer):
            self._chaser.mute.add(command_name(self._line))


def silence(line: bytes, answer: Exchange) -> Exchange:
    """Return the exchange of a command that stayed without an answer, given that of it and the chaser."""
    return answer._replace(sent=line, raw=b"", noise=b"", answer=None, ending="timeout")
