"""Commands that a bot leaves without an answer, and the command sent after one of them to find that out."""

from __future__ import annotations

from harness.gtp import Engine, Exchange, command_name

CHASER = b"name\n"
"""The command that is sent after one that may stay without an answer: nearly every bot answers it."""

CHASE_WAIT = 1.5
"""Seconds to wait for an answer that may not come; chosen: longer than most answers take."""


class Chaser:
    """A command that the bot answers, and the commands that it leaves without an answer.

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

    def was_late(self, answer: Exchange) -> bool:
        """Return whether an answer is that of the command before the chaser, whose own is still to come."""
        return not (answer.ok and self.text in (None, answer.text.strip()))

    def note_if_mute(self, line: bytes, answer: Exchange) -> None:
        """Remember a command as mute where the answer after it is that of the chaser alone."""
        if answer.ok and not answer.noise and answer.text.strip() == self.text:
            self.mute.add(command_name(line))


def chase(engine: Engine, chaser: Chaser, line: bytes, heard: bytes, seconds: float) -> Exchange:
    """Send the chaser after a command; the next answer, with what was heard, is returned as that of both."""
    engine.send(chaser.line)
    answer = engine.receive(seconds)
    return answer._replace(sent=line + chaser.line, raw=heard + answer.raw, noise=heard + answer.noise)


def silence(line: bytes, answer: Exchange) -> Exchange:
    """Return the silence after a command, given the exchange of the command and the chaser together."""
    return answer._replace(sent=line, raw=b"", noise=b"", answer=None, ending="timeout")
