"""Faults that would have answered otherwise: a bot with the fault is asked what this bot was asked."""

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
"""Lines that all engines read alike."""

LONGEST = 70
"""Number of bytes of a line that is compared. Chosen: some faults cut longer lines in the loop that reads
them."""

COMPARED = frozenset({b"clear_board", b"play"})
"""Commands whose answer has a sign that follows from the commands before."""

SETTING = frozenset({b"boardsize", b"komi"})
"""Commands that a bot may refuse as it likes."""

ASKING = frozenset({b"protocol_version", b"name", b"version", b"known_command", b"list_commands"})
"""Commands that change nothing."""

REMEMBERED = 4_096
"""Number of answers that are kept. Chosen: 200 faults and 20 failures."""


@lru_cache(REMEMBERED)
def is_contradicted(fault: str, transcript: str) -> bool:
    """Return whether a bot with the fault refuses or dies where this bot accepted, or the reverse.

    `transcript` is a text of `dialogue_text`. It is followed from its first board size on, as long as the
    answers have a sign that is sure. Nothing is said of faults of playouts and of the choice of moves.
    """
    if fault not in FAULTS or FAULTS[fault].where != "wire":
        return False
    return any(foretold != seen for foretold, seen in _signs(fault, transcript))


def _signs(fault: str, transcript: str) -> Iterator[tuple[bytes, bytes]]:
    """Yield the sign of each answer with the fault, empty for a death, and the sign that was seen."""
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
