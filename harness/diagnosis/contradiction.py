"""Rules out a fault of the protocol if `refbot` with the fault answers the lines of a failure differently."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from harness.check.bot.wording import exchanges_in
from harness.gtp import command_name
from refbot.deviations.faults import FAULTS, checked
from refbot.gtp import Server, Session, Settings
from refbot.gtp.syntax import DeliberateCrashError

PLAIN = re.compile(rb"[a-z_]+(?: [A-Za-z0-9_.]+)*\n")
"""Lines that all engines parse in the same way."""

LONGEST = 70
"""Longest line, in bytes, that is compared. Chosen: some faults cut longer lines before `Server` gets
them."""

COMPARED = frozenset({b"clear_board", b"play"})
"""Commands whose answer is a success or a failure (= or ?) by the lines before it alone."""

SETTING = frozenset({b"boardsize", b"komi"})
"""Commands that a bot may refuse as it likes."""

ASKING = frozenset({b"protocol_version", b"name", b"version", b"known_command", b"list_commands"})
"""Commands that change nothing."""

REMEMBERED = 4_096
"""Number of cached results. Chosen: 200 faults and 20 failures."""


@lru_cache(REMEMBERED)
def is_contradicted(fault: str, transcript: str) -> bool:
    """Return whether a bot with the fault refuses a line (or crashes) that this bot accepted, or the reverse.

    transcript   text of `dialogue_text`, replayed from the first boardsize on while answers are predictable
    False for faults outside the protocol: these change playouts or the choice of moves.
    """
    if fault not in FAULTS or FAULTS[fault].where != "wire":
        return False
    return any(foretold != seen for foretold, seen in _signs(fault, transcript))


def _signs(fault: str, transcript: str) -> Iterator[tuple[bytes, bytes]]:
    """Yield the sign (= or ?) of each answer with the fault, empty for a crash, and of the bot's answer."""
    server: Server | None = None
    for sent, received in exchanges_in(transcript):
        name, seen = command_name(sent), received.lstrip()[:1]
        if name in ASKING and PLAIN.fullmatch(sent):
            continue
        if seen not in (b"=", b"?") or not PLAIN.fullmatch(sent) or len(sent) > LONGEST:
            return
        if name == b"boardsize" and server is None:
            server = Server(Session(Settings(playouts=1, seed=1, faults=checked({fault}))))
        if server is None or name not in COMPARED | SETTING:
            return
        try:
            foretold = server.answer(sent).lstrip()[:1]
        except DeliberateCrashError:
            foretold = b""
        if name in SETTING and foretold != seen:
            return
        yield foretold, seen
