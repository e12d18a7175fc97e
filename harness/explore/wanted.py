"""A line as GTP reads it (`Command`), and the answer that a right bot must give to a line (`Wanted`)."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, auto
from functools import lru_cache

from harness.explore.abilities import Feature

CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")
"""The control characters that GTP removes from a line: all but the tab."""

REMEMBERED = 1 << 12
"""Number of parsed lines that are cached. Chosen: a reduction parses a few hundred lines repeatedly."""


class Kind(Enum):
    """Kind of a required answer."""

    SUCCESS = auto()
    REFUSAL = auto()
    EITHER = auto()  # a success that has its effect, or a refusal without effect
    MOVE = auto()  # a move that a right bot may choose
    NODES = auto()  # the ref-nodes of the last search: the total number of moves in its playouts
    SCORE = auto()  # the ref-score of the last search: the mean result of its playouts
    ANSWER = auto()  # any answer
    LINE = auto()  # a success of one line
    COMMANDS = auto()  # a success with the names of commands, one a line, the required ones among them
    TEXT = auto()  # a success with exactly the wanted text, in capitals or small letters
    RESULT = auto()  # the wanted result of a game, however its number is written, or a refusal to score
    READ = auto()  # a success in whose text `Wanted.reading` finds nothing wrong
    STONES = auto()  # a success that lists the points of a handicap
    SHOWN_MOVE = auto()  # a legal move, which is not made
    ANALYSIS = auto()  # an answer that goes on until the next line


@dataclass(frozen=True)
class Wanted:
    """The answer that a right bot gives to a line.

    clause      clause of the specification that a wrong answer breaks
    why         the reason, for the report; empty where it is evident
    text        the required text, for the kinds TEXT and RESULT
    feature     optional feature that the line uses; the line is not sent to a bot without it
    reading     for the kinds READ and STONES: returns what is wrong with a text, as `readings` explains
    refusable   for the kinds READ and ANALYSIS: the bot may also refuse the line
    """

    kind: Kind
    clause: str = "gtp"
    why: str = ""
    text: str = ""
    feature: Feature | None = None
    reading: Callable[[str], str] | None = None
    refusable: bool = False


def refusal(why: str, feature: Feature, clause: str = "gtp") -> Wanted:
    """Return the answer to a line that a right bot refuses."""
    return Wanted(Kind.REFUSAL, clause, why, feature=feature)


@dataclass(frozen=True)
class Command:
    """A line as GTP reads it."""

    id: int | None
    name: str
    arguments: tuple[str, ...]


@lru_cache(REMEMBERED)
def read_line(line: str) -> Command | None:
    """Return the command in a line; None if it has none. If `line` has several lines: the last command."""
    command = None
    for part in line.split("\n"):
        words = CONTROL.sub("", part).partition("#")[0].split()
        if not words:
            continue
        number = int(words.pop(0)) if words[0].isascii() and words[0].isdigit() else None
        if words:
            command = Command(number, words[0], tuple(words[1:]))
    return command
