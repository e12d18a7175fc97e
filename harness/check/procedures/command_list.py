"""Checks of list_commands and known_command: the form of the list, and each command against the other."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from harness.check.bot.session import Session
from harness.check.bot.wording import exchange_text
from harness.check.model import Judgement, Outcome, failed, passed
from harness.check.procedures.conversation import Conversation, as_lines
from harness.check.procedures.reliance import SentLine, requirements
from harness.gtp import Exchange, cut, printable, printable_text
from harness.gtp.commands import COMMANDS

MOST_LISTED = 300
"""Number of listed commands that `ListedCommandsKnown` asks about; chosen: some engines list hundreds."""

NO_NAME = "nam"
"""A part of a command's name, and no name itself. An engine that knows it also knows parts of other names, so
what it knows is no evidence."""

LIST_CHECK = "gtp.admin.list-words"
"""The check that reports a list that is refused or empty."""


@dataclass(frozen=True)
class CommandListRecord:
    """The answers to list_commands, and to known_command for some commands."""

    listed: Exchange
    known: tuple[Exchange, ...] = ()


def _questions(names: Iterable[str]) -> tuple[bytes, ...]:
    """Return the lines that ask whether the bot knows these commands."""
    return as_lines(*(f"known_command {name}" for name in names))


@dataclass(frozen=True)
class CommandList(Conversation):
    """`gtp.admin.list-words`: list_commands has one command a line, the required ones among them.

    It may leave out a required command that the bot does not know: another check reports that.
    """

    required: Sequence[str]

    requires = requirements([SentLine(b"known_command name\n")])

    def observe(self, session: Session) -> CommandListRecord:
        """Ask for the list, then whether the required commands that it leaves out are known."""
        listed = session.bot.ask(b"list_commands\n")
        missing = [name for name in self.required if name not in listed.text.split()]
        known = tuple(map(session.bot.ask, _questions(missing)))
        return CommandListRecord(listed, known)

    def judge(self, observation: CommandListRecord) -> Judgement:
        """Each line must be one word; each required command that the bot knows must be in the list."""
        expected = "one command a line, the required commands among them"
        listed = observation.listed
        if not listed.ok:
            return failed(expected, printable(listed.raw[:80]))
        lines = [line.strip() for line in listed.text.splitlines() if line.strip()]
        crowded = [line for line in lines if re.search(r"\s", line)]
        if crowded:
            return failed(expected, f"a line with several words: {cut(printable_text(crowded[0]), 60)}")
        left_out = [exchange for exchange in observation.known if exchange.text.strip() == "true"]
        if left_out:
            names = ", ".join(exchange.sent.split()[1].decode("ascii") for exchange in left_out)
            return failed(expected, f"{len(lines)} commands, without {names}, which known_command knows")
        return passed(expected, f"{len(lines)} commands")


@dataclass(frozen=True)
class KnownCommandsListed(Conversation):
    """`gtp.admin.known-listed`: list_commands has each command that known_command knows.

    Only commands of GTP and of its extensions are tried.
    """

    requires = requirements([SentLine(b"known_command name\n")])

    def observe(self, session: Session) -> CommandListRecord:
        """Ask for the list, then about NO_NAME and each of COMMANDS that is not in it."""
        listed = session.bot.ask(b"list_commands\n")
        words = set(listed.text.split())
        names = [NO_NAME, *(name for name in COMMANDS if name not in words)]
        known = session.bot.ask_many(_questions(names))
        return CommandListRecord(listed, known)

    def judge(self, observation: CommandListRecord) -> Judgement:
        """known_command must answer true for no command outside of the list; skip if it knows NO_NAME.

        LIST_CHECK reports a refused list.
        """
        expected = "list_commands has every command for which known_command answers true"
        if not observation.listed.ok:
            observed = exchange_text(observation.listed)
            return Judgement(Outcome.FAIL, expected, observed, reported_by=LIST_CHECK)
        part, *others = observation.known
        if part.text.strip() == "true":
            return Judgement(Outcome.SKIP, expected, exchange_text(part))
        hidden = [exchange for exchange in others if exchange.text.strip() == "true"]
        if hidden:
            names = ", ".join(exchange.sent.split()[1].decode("ascii") for exchange in hidden)
            return failed(expected, f"known, and not listed: {names}")
        return passed(expected)


@dataclass(frozen=True)
class ListedCommandsKnown(Conversation):
    """`gtp.admin.list-known-agree`: known_command answers true for each listed command."""

    requires = requirements([SentLine(b"known_command name\n")])

    def observe(self, session: Session) -> CommandListRecord:
        """Ask for the list, then about its first MOST_LISTED commands; about none if the list is refused."""
        listed = session.bot.ask(b"list_commands\n")
        words = listed.text.split() if listed.ok else []
        names = [word for word in words if re.fullmatch(r"[!-~]+", word)][:MOST_LISTED]
        known = session.bot.ask_many(_questions(names))
        return CommandListRecord(listed, known)

    def judge(self, observation: CommandListRecord) -> Judgement:
        """known_command must answer true for each command asked about. LIST_CHECK reports an empty list."""
        expected = "known_command answers true for each listed command"
        for exchange in observation.known:
            if not (exchange.ok and exchange.text.strip() == "true"):
                return failed(expected, exchange_text(exchange))
        if not observation.known:
            observed = exchange_text(observation.listed)
            return Judgement(Outcome.FAIL, expected, observed, reported_by=LIST_CHECK)
        return passed(expected, f"{len(observation.known)} commands, all known")
