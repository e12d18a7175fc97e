"""The chaser: a command that a bot answers. It is sent after a command that the bot may never answer.

If the bot answers the chaser alone, the command before is mute. Without a chaser, each silence would cost the
whole time limit of an answer. An example:

    showboard          no answer for CHASE_WAIT seconds, so the chaser is sent:
    name               the answer is `= MyBot`: so showboard is mute
"""

from __future__ import annotations

from harness.gtp import SEARCH_COMMANDS, Engine, Exchange, command_name

CHASER = b"name\n"
"""The chaser of a bot that was not asked anything yet: nearly every bot answers this command."""

CHASE_WAIT = 1.5
"""Seconds of silence before the chaser is sent, and the time limit of a mute command.
Chosen: most answers take less."""


class Chaser:
    """The chaser of one bot, and its mute commands.

    line   the chaser: a command that the bot answers
    text   the answer to the chaser; None if it is unknown or empty
    mute   names of the commands that the bot did not answer while it answered the chaser
    """

    def __init__(self) -> None:
        self.line = CHASER
        self.text: str | None = None
        self.mute: set[bytes] = set()

    def is_mute(self, line: bytes) -> bool:
        """Return whether the command of this line is known to be mute."""
        return command_name(line) in self.mute

    def may_be_mute(self, line: bytes) -> bool:
        """Return whether to ask for this line with the chaser: the bot has other mute commands.

        False for a command that is known to be mute, for a search, and for the chaser itself.
        """
        if not self.mute or self.is_mute(line):
            return False
        return command_name(line) not in SEARCH_COMMANDS and line != self.line

    def was_late(self, answer: Exchange) -> bool:
        """Return whether the answer after the chaser is not that of the chaser: then one more will come.

        While the answer to the chaser is unknown, any success counts as its answer.
        """
        return not (answer.ok and self.text in (None, answer.text.strip()))

    def note_if_mute(self, line: bytes, answer: Exchange) -> None:
        """Record the command of a line as mute if nothing came after it but the answer to the chaser."""
        if answer.ok and not answer.noise and answer.text.strip() == self.text:
            self.mute.add(command_name(line))


def chase(engine: Engine, chaser: Chaser, line: bytes, heard: bytes, seconds: float) -> Exchange:
    """Send the chaser after a command; return all output since the command as the answer to both lines.

    heard     the output that came before; it becomes noise
    seconds   time limit of the answer
    """
    engine.send(chaser.line)
    answer = engine.receive(seconds)
    return answer._replace(sent=line + chaser.line, raw=heard + answer.raw, noise=heard + answer.noise)


def silence_of(line: bytes, answer: Exchange) -> Exchange:
    """Return a timeout of a mute command alone, from the exchange of the command and the chaser."""
    return answer._replace(sent=line, raw=b"", noise=b"", answer=None, ending="timeout")
