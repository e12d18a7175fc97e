"""Rules out a fault if `refbot` with the fault answers the lines of a failure differently from the bot."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from harness.check.bot.wording import exchanges_in
from harness.gtp import command_name
from refbot.deviations.faults import FAULTS, checked
from refbot.gtp import Server, Session, Settings
from refbot.gtp.syntax import DeliberateCrashError

PLAIN = re.compile(rb"(?:\d+ )?[a-z_]+(?: [A-Za-z0-9_.]+)*\n")
"""Lines that all engines parse in the same way."""

ID = re.compile(rb"(\d+) ")
HEAD = re.compile(rb"\s*([=?])(\S*)")

LONGEST = 70
"""Longest line, in bytes, that is compared. Chosen: some faults cut longer lines before `Server` gets
them."""

COMPARED = frozenset({b"clear_board", b"play"})
"""Commands whose answer is a success or a failure (= or ?) by the lines before it alone."""

SETTING = frozenset({b"boardsize", b"komi"})
"""Commands that a bot may refuse as it likes."""

ASKING = frozenset({b"protocol_version", b"name", b"version", b"known_command", b"list_commands"})
"""Commands that change nothing."""

OF_DIALOGUES = frozenset({"wire", "game", "state"})
"""Parts whose faults may change the answers to COMPARED. All other faults leave them right."""

EARLIER = b"77 name\n"
"""A line before those of a failure. The past of the process is not known."""

REMEMBERED = 4_096
"""Number of cached results. Chosen: 200 faults and 20 failures."""


class _Answer(NamedTuple):
    """The beginning of an answer: its sign (empty for a crash or silence), and what stands behind it."""

    sign: bytes
    id: bytes = b""


def is_contradicted(fault: str, transcript: str) -> bool:
    """Return whether a bot with the fault would answer a line differently from this bot.

    transcript   text of `dialogue_text`, replayed as long as the answers are predictable
    Compared are ids, and the signs of clear_board and play. A refusal that is foretold by the rules and not
    by the fault contradicts only faults of the protocol: a bot may accept illegal moves by play.
    """
    known = FAULTS.get(fault)
    if known is None:
        return False
    return _differs(fault if known.where in OF_DIALOGUES else "", known.where == "wire", transcript)


@lru_cache(REMEMBERED)
def _differs(fault: str, of_wire: bool, transcript: str) -> bool:
    faulty, elsewhere, right = _server(fault), _server(fault), _server("")
    _ask(elsewhere, EARLIER)
    set_up = False  # True after the first boardsize: the board is known
    for sent, received in exchanges_in(transcript):
        name, head = command_name(sent), HEAD.match(received)
        if head is None or not PLAIN.fullmatch(sent) or len(sent) > LONGEST:
            return False
        set_up = set_up or name == b"boardsize"
        if name not in ASKING and not (set_up and name in COMPARED | SETTING):
            return False
        seen = _Answer(*head.groups())
        foretold, other, wanted = (_ask(server, sent) for server in (faulty, elsewhere, right))
        if name in SETTING and foretold.sign != seen.sign:
            return False
        if ID.match(sent) and foretold.sign == seen.sign and foretold.id == other.id != seen.id:
            return True
        lenient = wanted.sign == foretold.sign == b"?" and not of_wire
        if name in COMPARED and foretold.sign != seen.sign and not lenient:
            return True
    return False


def _server(fault: str) -> Server:
    return Server(Session(Settings(playouts=1, seed=1, faults=checked({fault} if fault else set()))))


def _ask(server: Server, line: bytes) -> _Answer:
    try:
        head = HEAD.match(server.answer(line))
    except DeliberateCrashError:
        head = None
    return _Answer(*head.groups()) if head else _Answer(b"")
