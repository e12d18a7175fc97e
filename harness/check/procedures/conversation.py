"""Base of the procedures that hold a conversation of their own, not a fixed dialogue or searches."""

from __future__ import annotations

from harness.check.bot.wording import sent_text
from harness.check.model import Phase, Requirements
from harness.gtp import Exchange, printable


class Conversation:
    """Base of procedures that talk to a bot and depend on its answers."""

    phase = Phase.DIALOGUE
    search_plan = None

    @property
    def requires(self) -> Requirements:
        """Requirements of the conversation beside its subject. The default is none."""
        return Requirements()

    def describe(self) -> list[str]:
        """The first line of the procedure's documentation."""
        return (type(self).__doc__ or "").splitlines()[:1]


def short_answer(exchange: Exchange) -> str:
    """Return an engine's answer in one line for a terminal."""
    return printable(exchange.raw).strip()


def command_and_answer(exchange: Exchange) -> str:
    """A command and what the engine answered, in one line for a terminal."""
    return f"{sent_text(exchange.sent)} → {short_answer(exchange)}"


def first_search(size: int) -> tuple[bytes, ...]:
    """The lines of a new game and its first search, for Black."""
    return (f"boardsize {size}\n".encode("ascii"), b"clear_board\n", b"komi 7.5\n", b"genmove b\n")
