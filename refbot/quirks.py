"""Quirks of the GTP layer: what real engines do where the draft says nothing.

A bot with a quirk breaks no rule, so a quirk is no fault; but somebody's controller stumbles over each.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable

from refbot.fault import Fault


def _quirk(name: str, habit: str, imitates: str) -> Fault:
    return Fault(name, "gtp", habit, imitates, "wire")


_QUIRKS = (
    _quirk("slow-start", "the first answer comes after a long wait", "Leela Zero and AQ, tuning at start"),
    _quirk("leading-blank-unanswered", "a line that starts with a blank gets no answer", "oakfoam, Pachi"),
    _quirk("blanks-kept-apart", "two blanks make an empty argument", "oakfoam, KataGo, minizero"),
    _quirk("id-glued", "5name is the id 5 and the command name", "michi, michi-c2"),
    _quirk("id-alone-unanswered", "a line with only an id gets no answer", "GNU Go"),
    _quirk("id-clamped", "an id above 2^31 - 1 is answered as 2^31 - 1", "Leela"),
    _quirk("extra-argument-refused", "a command refuses more arguments than it needs", "Fuego, gogui-dummy"),
    _quirk("long-line-split", "a line of more than 1,000 bytes is several", "GNU Go; Pachi from 4,096 on"),
    _quirk("end-of-input-ignored", "the process lives on after its input has ended", "an untested read"),
    _quirk("last-line-lost", "a last line without its line feed is not obeyed", "michi-c2; loops over lines"),
    _quirk("known-command-needs-argument", "known_command alone fails", "Pachi, Fuego, KataGo"),
    _quirk("play-answers-text", "play answers true", "minigo; minizero's boardsize shows the board"),
)

QUIRKS: dict[str, Fault] = {quirk.name: quirk for quirk in _QUIRKS}


class UnknownQuirkError(ValueError):
    """A quirk that the registry does not have."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.nearest = next(iter(difflib.get_close_matches(name, QUIRKS, n=1, cutoff=0.0)), None)
        super().__init__(f"unknown quirk {name!r}; did you mean {self.nearest!r}?")


def checked_quirks(names: Iterable[str]) -> frozenset[str]:
    """The names as a set. Raises UnknownQuirkError for the first that the registry does not have."""
    for name in (wanted := list(names)):
        if name not in QUIRKS:
            raise UnknownQuirkError(name)
    return frozenset(wanted)
