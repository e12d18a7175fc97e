"""An engine's statements about its own commands."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from harness.check.bot.session import Session
from harness.check.model import Judgement, Outcome, failed, passed
from harness.check.procedures.conversation import Conversation, command_and_answer
from harness.check.procedures.reliance import SentLine, requirements
from harness.gtp import Exchange, printable, printable_text

MOST_LISTED = 300
"""Number of listed commands to look at; chosen: some engines list hundreds, and each takes an answer."""


LIST_CHECK = "gtp.admin.list-words"
"""The check that reports a list that is refused or empty."""


@dataclass(frozen=True)
class CommandListRecord:
    """The answer to list_commands, then the answer to known_command for each command in it, if asked."""

    listed: Exchange
    known: tuple[Exchange, ...] = ()


@dataclass(frozen=True)
class CommandList(Conversation):
    """`gtp.admin.list-words`: the form of list_commands, and that it has the required commands.

    A required command that the bot does not know either is missing: another check reports that.
    """

    required: Sequence[str]

    requires = requirements([SentLine(b"known_command name\n")])

    def observe(self, session: Session) -> CommandListRecord:
        """Ask for the list, then whether the required commands that it leaves out are known."""
        listed = session.bot.ask(b"list_commands\n")
        missing = [name for name in self.required if name not in listed.text.split()]
        known = tuple(session.bot.ask(f"known_command {name}\n".encode("ascii")) for name in missing)
        return CommandListRecord(listed, known)

    def judge(self, observation: CommandListRecord) -> Judgement:
        """One word a line, the required commands that the bot knows among them."""
        expected = "one command a line, the required commands among them"
        listed = observation.listed
        if not listed.ok:
            return failed(expected, printable(listed.raw[:80]))
        lines = [line.strip() for line in listed.text.splitlines() if line.strip()]
        crowded = [line for line in lines if re.search(r"\s", line)]
        if crowded:
            return failed(expected, f"a line with several words: {printable_text(crowded[0])[:60]!r}")
        left_out = [exchange for exchange in observation.known if exchange.text.strip() == "true"]
        if left_out:
            names = ", ".join(exchange.sent.split()[1].decode("ascii") for exchange in left_out)
            return failed(expected, f"{len(lines)} commands, without {names}, which known_command knows")
        return passed(expected, f"{len(lines)} commands")


@dataclass(frozen=True)
class ListedCommandsKnown(Conversation):
    """`gtp.admin.list-known-agree`: known_command of each listed command."""

    requires = requirements([SentLine(b"known_command name\n")])

    def observe(self, session: Session) -> CommandListRecord:
        """Ask for the list, then about each command in it."""
        listed = session.bot.ask(b"list_commands\n")
        words = listed.text.split() if listed.ok else []
        names = [word for word in words if re.fullmatch(r"[!-~]+", word)][:MOST_LISTED]
        known = tuple(session.bot.ask(f"known_command {name}\n".encode("ascii")) for name in names)
        return CommandListRecord(listed, known)

    def judge(self, observation: CommandListRecord) -> Judgement:
        """known_command must answer true each time."""
        expected = "known_command answers true for each listed command"
        for exchange in observation.known:
            if not (exchange.ok and exchange.text.strip() == "true"):
                return failed(expected, command_and_answer(exchange))
        if not observation.known:
            observed = command_and_answer(observation.listed)
            return Judgement(Outcome.FAIL, expected, observed, reported_by=LIST_CHECK)
        return passed(expected, f"{len(observation.known)} commands, all known")
