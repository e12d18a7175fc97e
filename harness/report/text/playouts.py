"""The playouts that a conforming bot makes from a probe, a position near the end of a game, move by move."""

from __future__ import annotations

from functools import cache

from harness.check.model import Check
from harness.check.procedures.probe import Probe
from harness.check.search_plan import SearchPlan
from harness.diagnosis.pointing import reads_numbers
from harness.gtp import format_vertex
from harness.oracle import StateLimitError
from harness.oracle.distribution import result_for
from harness.oracle.paths import PlayoutPath, likeliest_playouts

MOST = 12
"""Largest number of playouts that are listed. Chosen: half a screen."""

LONGEST = 20
"""Mean length of a playout, in moves, above which none is listed. Chosen: 20 moves fit on one line."""

LEAST_COVERED = 0.2
"""Least probability of the MOST likeliest playouts together. Chosen: with less, they would not be typical."""


def drawn_probe(check: Check, plan: SearchPlan) -> Probe:
    """Return the position to draw for a failure.

    A check that judges numbers (playout lengths, results) shows the position that the bot got, which may be
    turned by a symmetry of the board. Moves are turned back before they are judged, so a check of moves shows
    the position as the check has it.
    """
    probe: Probe = plan.shown if reads_numbers(check) else plan.probe
    return probe


def playout_lines(probe: Probe, most: int = MOST) -> list[str]:
    """A line for each of the likeliest playouts: its probability, "B C3 W pass", "2 moves, result 1".

    The result is that of the side to move: 1 for a win, 0.5 for a draw, 0 for a loss.

    The last line has the probability of all others, if there are any. The list is empty if the playouts are
    too long, too many (see LONGEST and LEAST_COVERED) or not enumerated. `most`: at most MOST.
    """
    paths = _paths(probe)
    if not paths:
        return []
    shown = paths[:most]
    moves = [
        " ".join(f"{colour.upper()} {format_vertex(point)}" for colour, point in path.moves) for path in shown
    ]
    width = max(map(len, moves))
    lines = [
        f"{path.probability!s:<6} {text:<{width}}  {_ending(path, probe)}"
        for path, text in zip(shown, moves, strict=True)
    ]
    left = 1 - sum(path.probability for path in shown)
    if left:
        lines.append(f"{left!s:<6} other playouts")
    return lines


@cache
def _paths(probe: Probe) -> tuple[PlayoutPath, ...]:
    """The likeliest playouts from a probe; empty if they are too long, too many or not enumerated."""
    if probe.table:
        return ()
    try:
        if probe.expected.source != "enumerated" or probe.expected.mean_length > LONGEST:
            return ()
        paths = likeliest_playouts(probe.position, probe.to_move, MOST)
    except StateLimitError:
        return ()
    return paths if sum(path.probability for path in paths) >= LEAST_COVERED else ()


def _ending(path: PlayoutPath, probe: Probe) -> str:
    """The length and the result of a playout: "12 moves, result 1"."""
    result = result_for(probe.to_move, path.margin, probe.komi)
    number = len(path.moves)
    return f"{number} move{'s' if number > 1 else ''}, result {float(result):g}"
