"""Probes (positions to search) with short playouts: few points are left, or the move cap is near."""

from __future__ import annotations

from dataclasses import replace

from harness.check.positions import DAME, NEUTRAL_FILE
from harness.check.procedures.conversation import first_search
from harness.check.procedures.probe import Probe
from harness.check.procedures.search import SearchProcedure, SeriesJudge
from harness.go import Colour

CAP = 3 * 9 * 9
"""The move cap on 9x9: a playout ends at this number of moves, those of the game included."""

ONE, FOUR = (Probe(f"dame-{count}", DAME[count]) for count in (1, 4))
"""Positions with one and four neutral points: every playout has exactly 3, or exactly 6 moves."""

STONES = "".join(f"play {colour} {vertex}\n" for colour, vertex in Probe("file", NEUTRAL_FILE).moves)
"""Lines that set up a position with a short search, Black to move, on 9x9.

For dialogues that need any search: a search of the empty board takes a slow bot long.
"""

MOST = 120
"""Most searches of a check of `near_end`; chosen: they are short, and this many decide a check."""


def near_end(probe: Probe, judge: SeriesJudge, least_quick: int = 2) -> SearchProcedure:
    """Make the procedure of a check at a probe with short playouts.

    It makes at least four searches, or `least_quick` in a quick run.
    """
    return SearchProcedure(probe, judge, least=4, most=MOST, least_quick=least_quick)


def short_search(size: int) -> tuple[bytes, ...]:
    """Return the lines of a new game and a search for Black, a short one on 9x9."""
    *new_game, genmove = first_search(size)
    stones = STONES.encode("ascii").splitlines(keepends=True) if size == 9 else []
    return (*new_game, *stones, genmove)


def late(moves_made: int) -> Probe:
    """Return a probe with four neutral points, with passes up to `moves_made` moves (see `passed_on`)."""
    return passed_on(Probe(f"late-{moves_made}", DAME[4], "b", 5.5), moves_made)


def passed_on(probe: Probe, moves_made: int) -> Probe:
    """Return a probe with passes of both sides after its own moves, so that `moves_made` moves are made.

    The number of passes is even, so that the same side is to move: there may be one move more than that. A
    probe with as many moves or more gets no passes.
    """
    passes = moves_made - len(probe.moves)
    passes += passes % 2
    colours: tuple[Colour, Colour] = ("b", "w") if probe.to_move == "b" else ("w", "b")
    return replace(probe, tail=(*probe.tail, *((colours[number % 2], "pass") for number in range(passes))))
