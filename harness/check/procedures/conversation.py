"""Base of the procedures that are no fixed dialogue; lines that they send, and strict readers of answers."""

from __future__ import annotations

from collections.abc import Iterable

from harness.check.bot.errors import UnreadableAnswerError
from harness.check.model import Phase, Requirements
from harness.gtp import Exchange, format_vertex, parse_count, parse_decimal, parse_vertex


class Conversation:
    """Base of procedures in which the next command may depend on the bot's answers."""

    phase = Phase.DIALOGUE
    search_plan = None

    @property
    def requires(self) -> Requirements:
        """Requirements of the commands that the procedure sends. The default is none."""
        return Requirements()

    def describe(self) -> list[str]:
        """Return the first line of the class docstring."""
        return (type(self).__doc__ or "").splitlines()[:1]


def as_lines(*commands: str) -> tuple[bytes, ...]:
    """Return commands as the lines that an engine gets."""
    return tuple(f"{command}\n".encode("ascii") for command in commands)


def new_game(size: int, moves: Iterable[str] = ()) -> tuple[bytes, ...]:
    """Return the lines that begin a game and play these moves, such as `b C3`."""
    return as_lines(f"boardsize {size}", "clear_board", *(f"play {move}" for move in moves))


def first_search(size: int) -> tuple[bytes, ...]:
    """Return the lines of a new game and its first search, for Black."""
    return (*new_game(size), *as_lines("komi 7.5", "genmove b"))


BEYOND = 1e-6
"""Rounding error by which a printed score may lie outside 0 to 1; chosen: far above the error of a double."""


def read_nodes(exchange: Exchange) -> int:
    """Return the number of nodes, from 0, in an answer to `ref-nodes`. Raises UnreadableAnswerError."""
    nodes = parse_count(exchange.text) if exchange.ok else None
    if nodes is None:
        raise UnreadableAnswerError(exchange, "= and a whole number")
    return nodes


def read_score(exchange: Exchange) -> float:
    """Return the score in an answer to `ref-score`, clamped to 0 to 1. Raises UnreadableAnswerError."""
    score = parse_decimal(exchange.text) if exchange.ok else None
    if score is None or not -BEYOND <= score <= 1.0 + BEYOND:
        raise UnreadableAnswerError(exchange, "= and a number from 0 to 1")
    return min(max(score, 0.0), 1.0)


def read_move(exchange: Exchange, size: int) -> str:
    """Return the move in an answer to `genmove`: a vertex in upper case, PASS or RESIGN.

    Raises UnreadableAnswerError, also for a vertex off the board.
    """
    text = exchange.text.strip()
    try:
        if exchange.ok and text.lower() == "resign":
            return "RESIGN"
        if exchange.ok:
            return format_vertex(parse_vertex(text, size)).upper()
    except ValueError:
        pass
    raise UnreadableAnswerError(exchange, "= and a vertex")
