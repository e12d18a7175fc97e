"""The class of deliberate faults. The faults themselves are in `refbot.deviations.faults`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from refbot.deviations.switches import Switch

Where = Literal["playout", "amaf", "selection", "randomness", "report", "game", "state", "wire", "command"]
IN_A_SEARCH: frozenset[Where] = frozenset({"playout", "amaf", "selection", "randomness", "report"})
"""The parts of the bot that a search alone runs, without GTP and without a game."""


@dataclass(frozen=True, eq=False)
class Fault(Switch):
    """One way of getting one clause of the specification wrong.

    clause          the clause that it breaks, such as "simple-ko"
    misconception   what a bot with this fault does
    imitates        where bots with this fault have been seen, or how it comes about
    where           the part of the bot that has the branch of the fault: the playout kernel, the
                    all-moves-as-first records, the choice of the move (selection), the random numbers of
                    searches, the reported numbers, the rules of the real game, the state between commands,
                    the GTP layer (wire), or an optional command
    extension       it is in a command that only an engine with --extensions has
    in_kernel       of a fault of the playout: it is a branch of the kernel; False: it changes a number that
                    the kernel gets, such as komi

    The other fields are for the diagnosis, which compares a bot's searches with those of this fault.

    board                    the smallest board size, of 9, 13 and 19, on which it shows
    readable                 ref-nodes answers a whole number, and ref-score a number from 0 to 1
    nodes_per_search         ref-nodes does not grow with the number of playouts
    counts_earlier_searches  ref-nodes depends on the searches before
    playout_counted          how often each playout is counted, which multiplies the variance of a search
    searches_per_seed        searches in a row that share their random numbers; None: all of them
    """

    clause: str
    misconception: str
    imitates: str
    where: Where

    extension: bool = False
    board: int = 9
    readable: bool = True
    nodes_per_search: bool = False
    counts_earlier_searches: bool = False
    playout_counted: int = 1
    in_kernel: bool = True
    searches_per_seed: int | None = 1

    @property
    def in_search(self) -> bool:
        """True if calls of `Search.search` alone, on 9x9 and without GTP, can show the fault."""
        return self.where in IN_A_SEARCH and self.readable and self.board == 9
