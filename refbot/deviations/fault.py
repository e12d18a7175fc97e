"""The class of deliberate faults. The faults themselves are in `refbot.deviations.faults`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from refbot.deviations.switches import Switch

Where = Literal["playout", "amaf", "selection", "randomness", "report", "game", "state", "wire", "command"]
IN_A_SEARCH: frozenset[Where] = frozenset({"playout", "amaf", "selection", "randomness", "report"})


@dataclass(frozen=True, eq=False)
class Fault(Switch):
    """One way of getting one clause of the specification wrong.

    `where` is the part of the bot that has the branch of the fault: the playout kernel, the
    all-moves-as-first records, the choice of the move (selection), the random numbers of searches, the
    reported numbers, the rules of the real game, the state between commands, the GTP layer (wire), or an
    optional command. The fields after `where` are for the diagnosis, which compares a bot's searches with
    those of this fault.
    """

    clause: str  # the clause of the specification that it breaks, such as "simple-ko"
    misconception: str  # what a bot with this fault does
    imitates: str  # where bots with this fault have been seen, or how it comes about
    where: Where

    extension: bool = False  # of a command that only an engine with --extensions has
    board: int = 9  # the smallest board size, of 9, 13 and 19, on which it shows
    readable: bool = True  # ref-nodes answers with a whole number, ref-score with a number from 0 to 1
    nodes_per_search: bool = False  # ref-nodes does not grow with the number of playouts
    counts_earlier_searches: bool = False  # ref-nodes depends on the searches before
    playout_counted: int = 1  # how often each playout is counted, which multiplies the variance of a search
    in_kernel: bool = (
        True  # of a playout: it is a branch of the kernel, not a number that the kernel is given
    )
    searches_per_seed: int | None = 1  # searches in a row that share their random numbers; None: all of them

    @property
    def in_search(self) -> bool:
        """True if `Search.search`, called without GTP and without earlier moves, shows the fault."""
        return self.where in IN_A_SEARCH and self.readable and self.board == 9
