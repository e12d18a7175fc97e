"""Base of the procedures that hold a conversation of their own; answers read strictly."""

from __future__ import annotations

from harness.check.bot.errors import UnreadableAnswerError
from harness.check.bot.wording import sent_text
from harness.check.model import Phase, Requirements
from harness.gtp import Exchange, format_vertex, parse_count, parse_decimal, parse_vertex, printable


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


BEYOND = 1e-6
"""Rounding error by which a score may lie beyond 0 or 1; chosen: far above that of a double."""


def read_nodes(exchange: Exchange) -> int:
    """The integer in an answer to `ref-nodes`. Raises UnreadableAnswerError."""
    nodes = parse_count(exchange.text) if exchange.ok else None
    if nodes is None:
        raise UnreadableAnswerError(exchange, "= and a whole number")
    return nodes


def read_score(exchange: Exchange) -> float:
    """The number in an answer to `ref-score`. Raises UnreadableAnswerError."""
    score = parse_decimal(exchange.text) if exchange.ok else None
    if score is None or not -BEYOND <= score <= 1.0 + BEYOND:
        raise UnreadableAnswerError(exchange, "= and a number from 0 to 1")
    return min(max(score, 0.0), 1.0)


def read_move(exchange: Exchange, size: int) -> str:
    """The move in an answer to `genmove`. Raises UnreadableAnswerError."""
    text = exchange.text.strip()
    try:
        if exchange.ok and text.lower() == "resign":
            return "RESIGN"
        if exchange.ok:
            return format_vertex(parse_vertex(text, size)).upper()
    except ValueError:
        pass
    raise UnreadableAnswerError(exchange, "= and a vertex")
