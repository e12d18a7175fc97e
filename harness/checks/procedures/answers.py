"""Answers of the bot that are numbers or moves, read strictly."""

from __future__ import annotations

import re

from harness.checks.bot.errors import UnreadableAnswerError
from harness.gtp import Exchange, format_vertex, parse_vertex


def read_nodes(exchange: Exchange) -> int:
    """The integer in an answer to `ref-nodes`. Raises UnreadableAnswerError."""
    if exchange.answer is None or not exchange.ok or not re.fullmatch(r"\d+", exchange.text.strip()):
        raise UnreadableAnswerError(exchange, "= and a whole number")
    return int(exchange.text)


def read_score(exchange: Exchange) -> float:
    """The number in an answer to `ref-score`. Raises UnreadableAnswerError."""
    text = exchange.text.strip()
    if exchange.ok and re.fullmatch(r"-?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?", text):
        score = float(text)
        if 0.0 <= score <= 1.0:
            return score
    raise UnreadableAnswerError(exchange, "= and a number from 0 to 1")


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
