"""Texts about exchanges for a report: what was sent, what was answered, how an answer failed."""

from __future__ import annotations

from harness.gtp import Exchange, printable

MOST_SHOWN = 200
"""Last bytes of an answer that a text shows. Chosen: three lines of a terminal."""


def sent_text(line: bytes) -> str:
    """Return a sent line for a terminal, without its line feed."""
    return printable(line.removesuffix(b"\n"))


def answer_text(exchange: Exchange) -> str:
    """Return an answer in one line for a terminal: its last bytes, and how it failed if it did."""
    raw = exchange.raw.removesuffix(b"\n\n").removesuffix(b"\n")
    shown = "…" * (len(raw) > MOST_SHOWN) + printable(raw[-MOST_SHOWN:])
    if exchange.is_answered:
        fault = f" ({exchange.fault})" if exchange.fault is not None else ""
        return (shown or "an empty answer") + fault
    ended = failure_text(exchange)
    return f"{shown}, then it {ended}" if shown else f"it {ended}"


def exchange_text(exchange: Exchange) -> str:
    """Return a command and its answer in one line for a terminal."""
    return f"{sent_text(exchange.sent)} → {answer_text(exchange)}"


def failure_text(exchange: Exchange) -> str:
    """Describe how the engine failed to answer, with the end of its stderr."""
    if exchange.ending == "eof":
        ended = str(exchange.exit) if exchange.exit else "closed its output"
        return f"{ended} (on stderr: {exchange.wrote})" if exchange.wrote else ended
    if exchange.ending == "oversize":
        return "gave no end of an answer"
    return f"was silent for {exchange.seconds:.0f} s"
