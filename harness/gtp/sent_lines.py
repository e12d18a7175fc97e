"""Lines as `Engine` sends them: with a line feed, one command each; and how much of them was not taken."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from harness.gtp.errors import CommandError
from harness.gtp.exchange import Exchange
from harness.gtp.syntax import REMEMBERED, command_name, printable


def with_line_feed(line: str | bytes) -> bytes:
    """The bytes of a line, with a line feed at the end."""
    sent = line.encode("utf-8", "surrogateescape") if isinstance(line, str) else line
    return sent if sent.endswith(b"\n") else sent + b"\n"


@lru_cache(REMEMBERED)
def single_command(line: str | bytes) -> bytes:
    """The bytes of a line that gets exactly one answer. Raises CommandError for any other line."""
    sent = with_line_feed(line)
    if sent.count(b"\n") > 1:
        raise CommandError(f"{printable(sent)} is more than one line: send each line by itself")
    if not command_name(sent):
        raise CommandError(f"{printable(sent)} holds no command, so no answer will come: leave it out")
    return sent


def with_unsent(exchanges: Iterable[Exchange], taken: int) -> tuple[Exchange, ...]:
    """Return the exchanges with `unsent`, as the engine took only the first `taken` bytes of all commands."""
    corrected = []
    for exchange in exchanges:
        length = len(exchange.sent)
        corrected.append(exchange._replace(unsent=min(length, max(0, length - taken))))
        taken -= length
    return tuple(corrected)
