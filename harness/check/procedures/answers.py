"""Answers of the bot that are numbers or moves, read strictly."""

from __future__ import annotations

from harness.check.bot.errors import UnreadableAnswerError
from harness.gtp import Exchange, format_vertex, parse_count, parse_decimal, parse_vertex

BEYOND = 1e-6
"""How far rounding may put a score beyond 0 or 1."""


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
