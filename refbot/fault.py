"""What a deliberate fault is; the list of them is in `refbot.faults`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Where = Literal["playout", "amaf", "selection", "game", "report", "wire", "state"]


@dataclass(frozen=True)
class Fault:
    """One way of getting one clause of the specification wrong.

    `where` says which part of the bot has the branch: the playout kernel, the all-moves-as-first
    bookkeeping, the choice of the move, the rules of the real game, the reported numbers, the GTP
    layer, or what is kept between searches.
    """

    name: str
    clause: str
    misconception: str  # what the author of such a bot believes or forgot
    imitates: str  # where bots like this have been seen, or how it comes about
    where: Where
