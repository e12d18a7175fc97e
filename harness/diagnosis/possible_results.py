"""The lowest and the highest result that right playouts from one position can have, by enumeration."""

from __future__ import annotations

from functools import lru_cache

from harness.diagnosis.replay import Start
from harness.go import BoardError, Position
from harness.oracle import StateLimitError, enumerate_playouts
from refbot.rules.position import BLACK, WHITE

MOST_STATES = 1_000
"""Most states of an enumeration of the playouts from one position. Chosen: a tenth of a second."""

REMEMBERED = 1_024
"""Number of cached positions. Chosen: more than the diagnoses of one run need."""


@lru_cache(REMEMBERED)
def possible_results(start: Start) -> tuple[float, float] | None:
    """Return the lowest and the highest result of a right playout, from 0 (lost) to 1; None if unknown.

    Results are for the side to move. Unknown are those with too many states to enumerate, and those of a
    board where a chain has no liberty, as a fault of captures leaves it.
    """
    black, white = (
        [_point(p, start.size) for p, c in enumerate(start.stones) if c == colour]
        for colour in (BLACK, WHITE)
    )
    position = Position(start.size)
    try:
        position.set_up(black, white)
        spread = enumerate_playouts(
            position,
            "b" if start.to_move == BLACK else "w",
            ko=_point(start.ko, start.size) if start.ko >= 0 else None,
            moves_made=start.moves_made,
            max_states=MOST_STATES,
        )
    except (StateLimitError, BoardError):
        return None
    sign = 1.0 if start.to_move == BLACK else -1.0
    leads = [sign * (margin - start.komi) for margin in spread.margins]
    results = [1.0 if lead > 0 else 0.0 if lead < 0 else 0.5 for lead in leads]
    return min(results), max(results)


def _point(number: int, size: int) -> tuple[int, int]:
    """Return the point (row, column) of `harness.go` for a number of a point of `refbot`."""
    return divmod(number, size)
