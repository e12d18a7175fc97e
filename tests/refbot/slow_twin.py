"""A playout of a kernel, move by move, against the slow twin of the rules."""

from collections.abc import Sequence

import numpy as np

from refbot.rules import NO_POINT, Position
from tests.refbot import naive


def assert_follows_the_rules(
    start: Position, moves: Sequence[int | None], black_result: float, komi: float
) -> None:
    """Assert that moves are legal and fill no own eye, passes are forced, and end and result are right."""
    board = {divmod(int(p), start.size): int(start.stones[p]) for p in np.flatnonzero(start.stones)}
    ko = None if start.ko == NO_POINT else divmod(start.ko, start.size)
    twin = naive.Playout(start.size, board, start.to_move, ko, start.moves_made)
    for move in moves:
        assert not twin.is_over()
        if move is None:
            assert not twin.candidates()
            twin.play(None)
        else:
            assert twin.allows(divmod(move, start.size))
            twin.play(divmod(move, start.size))
    assert twin.is_over()
    lead = naive.area(twin.board, start.size) - komi
    assert black_result == (0.5 if lead == 0 else float(lead > 0))
