"""`Rules`: which repetitions and suicides are illegal, and how a position is counted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Ko = Literal["positional", "situational", "simple"]
Counting = Literal["area", "territory"]


@dataclass(frozen=True)
class Rules:
    """Rules of a game. The defaults are the rules of the reference bot, docs/spec.md.

    ko        positional: no move may repeat an earlier board. situational: none may repeat an earlier board
              with the same side to move. simple: a stone that captured one stone may not be recaptured at
              once, which holds under every rule
    suicide   two or more stones may be left without a liberty, and are removed; a single stone never may
    counting  area: stones and surrounded points; territory: surrounded points and captured stones
    """

    ko: Ko = "positional"
    suicide: bool = False
    counting: Counting = "area"


REFERENCE = Rules()
