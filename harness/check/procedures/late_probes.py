"""Probes late in a game: a playout from there is a few moves long, as stones or the move cap have it."""

from __future__ import annotations

from dataclasses import replace

from harness.check.positions import DAME, NEUTRAL_FILE
from harness.check.procedures.conversation import first_search
from harness.check.procedures.probe import Probe
from harness.check.procedures.search import SearchProcedure, SeriesJudge
from harness.go import Colour

CAP = 3 * 9 * 9

ONE, FOUR = (Probe(f"dame-{count}", DAME[count]) for count in (1, 4))
"""Every playout lasts exactly 3 and exactly 6 moves, so the difference of `ref-nodes` is 3 P."""

STONES = "".join(f"play {colour} {vertex}\n" for colour, vertex in Probe("file", NEUTRAL_FILE).moves)
"""Lines of a dialogue that lead to a position with Black to move in which a search is short on 9x9: dialogues
that need a search, but not that of an empty board, do not make a slow bot wait."""


MOST = 120
"""Limit of the searches at a position near the end; chosen: they are short, and this many decide."""


def near_end(probe: Probe, judge: SeriesJudge) -> SearchProcedure:
    """Search a probe of short playouts: cheap, so that it is soon decided; seen from four sides."""
    return SearchProcedure(probe, judge, least=4, most=MOST, least_quick=2)


def short_search(size: int) -> tuple[bytes, ...]:
    """The lines of a new game and its first search, for Black: a short one on 9x9."""
    *new_game, genmove = first_search(size)
    stones = STONES.encode("ascii").splitlines(keepends=True) if size == 9 else []
    return (*new_game, *stones, genmove)


def late(moves_made: int) -> Probe:
    """Four neutral points so late in a game that the cap is near: passes make up the number of moves."""
    return passed_on(Probe(f"late-{moves_made}", DAME[4], "b", 5.5), moves_made)


def passed_on(drawn: Probe, moves_made: int) -> Probe:
    """The position so late in a game: passes of both sides in turn make up the number of moves after its own.

    Black has the turn after an even number of moves, White after an odd one: where `moves_made` gives it to
    the other side, there is one move more.
    """
    passes = moves_made - len(drawn.moves)
    passes += passes % 2
    colours: tuple[Colour, Colour] = ("b", "w") if drawn.to_move == "b" else ("w", "b")
    return replace(drawn, tail=(*drawn.tail, *((colours[number % 2], "pass") for number in range(passes))))
