"""Reduction of a position that deviates: the same deviation after fewer moves, or with shorter playouts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from harness.check.shrink import Attempts, shortest
from harness.explore.position_case import PositionCase
from harness.explore.positions import DrawnPosition, Kind
from harness.go import Colour, IllegalMoveError, opponent
from harness.gtp import format_vertex

Moves = tuple[tuple[Colour, str], ...]
"""Moves before a position: pairs (colour, vertex or pass)."""

Test = Callable[[PositionCase], bool]

MOST_ATTEMPTS, MOST_SECONDS = 60, 20.0
"""Most attempts of a reduction, and its time limit in seconds. Chosen: the limit of reducing a dialogue."""

CONFIRMATIONS = 2
"""New processes in which a reduced case must deviate; chosen: one may deviate by accident."""


def reduce_case(case: PositionCase, deviates: Test, deviates_anew: Test) -> PositionCase:
    """Return a case that still deviates, if possible with a shorter history and with shorter playouts.

    Playouts are shorter after some candidates were played. Returns `case` itself if the reduced one does not
    deviate in new processes.

    deviates        returns True if a case deviates in the running process; called for each attempt
    deviates_anew   the same in a new process; called to confirm the result
    """
    attempts = Attempts(MOST_ATTEMPTS, MOST_SECONDS)
    kept = _without_history(case)
    if not (attempts.take() and deviates(kept)):  # it needs a history: find a short one
        kept = _with_moves(case, shortest(case.drawn.probe.tail, _test_of_moves(case, deviates), attempts))
    smaller = iter(_one_move_later(kept))
    while (one := next(smaller, None)) is not None and attempts.take():
        if deviates(one):
            kept, smaller = one, iter(_one_move_later(one))
    return kept if all(deviates_anew(kept) for _ in range(CONFIRMATIONS)) else case


def _test_of_moves(case: PositionCase, deviates: Test) -> Callable[[Moves], bool]:
    """Return a test of a part of the moves: True if the position after them deviates."""

    def test(moves: Moves) -> bool:
        part = _with_moves(case, moves)
        try:
            part.drawn.probe.position  # noqa: B018 (played through)
        except IllegalMoveError:
            return False
        return deviates(part)

    return test


def _with_moves(case: PositionCase, moves: Moves) -> PositionCase:
    """Return the case with other moves before its position."""
    return replace(case, drawn=replace(case.drawn, probe=replace(case.drawn.probe, tail=moves)))


def _without_history(case: PositionCase) -> PositionCase:
    """Return the case with its stones set up directly, without the game that led to them.

    Its kind becomes LATE: without the game, there is no ko, pass or nearness of the move cap to test.
    """
    probe = case.drawn.probe
    drawn = replace(probe, board=probe.position.draw(), tail=())
    return replace(case, drawn=DrawnPosition(Kind.LATE, drawn))


def _one_move_later(case: PositionCase) -> list[PositionCase]:
    """Return a case for each candidate played at the position: these have shorter playouts.

    Candidates after which the other side has none are left out.
    """
    probe = case.drawn.probe
    mover = probe.to_move
    later = []
    for point in probe.position.candidates(mover):
        tail = (*probe.tail, (mover, format_vertex(point)))
        after = replace(probe, tail=tail, to_move=opponent(mover))
        if not after.position.candidates(after.to_move):
            continue
        if not probe.tail:
            after = replace(after, board=after.position.draw(), tail=())
        later.append(replace(case, drawn=replace(case.drawn, probe=after)))
    return later
