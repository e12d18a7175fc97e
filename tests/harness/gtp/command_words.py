"""The numbers of words that the table of commands allows after the name of a command."""

from __future__ import annotations

from harness.gtp.commands import GtpCommand


def fewest_words(command: GtpCommand) -> int:
    return sum(argument.kind.words for argument in command.arguments if not argument.optional)


def most_words(command: GtpCommand) -> int | None:
    """None: no limit."""
    if any(argument.repeated for argument in command.arguments):
        return None
    return sum(argument.kind.words for argument in command.arguments)
