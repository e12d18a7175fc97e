"""The model of a deliberate fault. The registry is in `refbot.deviations.faults`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from refbot.deviations.switches import Switch

Where = Literal["playout", "amaf", "selection", "randomness", "report", "game", "state", "wire"]
IN_A_SEARCH: frozenset[Where] = frozenset({"playout", "amaf", "selection", "randomness", "report"})


@dataclass(frozen=True, eq=False)
class Fault(Switch):
    """One way of getting one clause of the specification wrong.

    `where` is the part of the bot that has the branch: the playout kernel, the all-moves-as-first records,
    the choice of the move, the random numbers of searches, the reported numbers, the rules of the real game,
    what is kept from command to command, or the GTP layer. The fields after `where` say what a diagnosis has
    to know before it compares a bot with this fault.
    """

    clause: str
    misconception: str  # what a bot with this fault does
    imitates: str  # where bots with this fault have been seen, or how it comes about
    where: Where

    readable: bool = True  # ref-nodes answers a whole number, ref-score a decimal number from 0 to 1
    nodes_per_search: bool = False  # ref-nodes does not grow with the number of playouts
    counts_earlier_searches: bool = False  # ref-nodes depends on the searches before
    playout_counted: int = 1  # how often each playout is counted, which multiplies the variance of a search
    searches_per_seed: int | None = 1  # searches in a row that share their random numbers; None: all of them

    @property
    def in_search(self) -> bool:
        """True if a search shows the fault when it is called directly, without GTP and a game before it."""
        return self.where in IN_A_SEARCH and self.readable
