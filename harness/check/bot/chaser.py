"""The chaser: a command that a bot answers, sent after one that it may never answer, a mute command.

If the bot answers the chaser alone, the command before is mute. Without a chaser, each silence would cost the
whole time limit of an answer. An example:

    showboard          no answer for CHASE_WAIT seconds, so the chaser is sent:
    name               the answer is `= MyBot`: so showboard is mute
"""

from __future__ import annotations

from harness.gtp import SEARCH_COMMANDS, Engine, Exchange, command_name

CHASER = b"name\n"
"""The first chaser: nearly every bot answers this command."""

CHASE_WAIT = 1.5
"""Seconds to wait before the chaser is sent, and for its answer; chosen: most answers take less."""


class Chaser:
    """The chaser of one bot, and its mute commands.

    line   the chaser: a command that the bot answers
    text   the answer to the chaser; None while unknown
    mute   names of the commands that the bot did not answer while it answered the chaser
    """

    def __init__(self) -> None:
        self.line = CHASER
        self.text: str | None = None
        self.mute: set[bytes] = set()

    def is_mute(self, line: bytes) -> bool:
        """Return whether the bot never answered a command of this name."""
        return command_name(line) in self.mute

    def may_be_mute(self, line: bytes) -> bool:
        """Return whether this command could be mute: the bot has other mute commands, and it is no search."""
        if not self.mute or self.is_mute(line):
            return False
        return command_name(line) not in SEARCH_COMMANDS and line != self.line

    def was_late(self, answer: Exchange) -> bool:
        """Return whether the answer after the chaser is that of the command before: one more will come."""
        return not (answer.ok and self.text in (None, answer.text.strip()))

    def note_if_mute(self, line: bytes, answer: Exchange) -> None:
        """Record the command of a line as mute if the answer after the chaser is that of the chaser."""
        if answer.ok and not answer.noise and answer.text.strip() == self.text:
            self.mute.add(command_name(line))


def chase(engine: Engine, chaser: Chaser, line: bytes, heard: bytes, seconds: float) -> Exchange:
    """Send the chaser after a command; return all output since the command (`heard` first) as one answer."""
    engine.send(chaser.line)
    answer = engine.receive(seconds)
    return answer._replace(sent=line + chaser.line, raw=heard + answer.raw, noise=heard + answer.noise)


def silence_of(line: bytes, answer: Exchange) -> Exchange:
    """Return a timeout of the command alone, given the exchange of the command and the chaser together."""
    return answer._replace(sent=line, raw=b"", noise=b"", answer=None, ending="timeout")
