"""The exact enumerator: the distribution of conforming playouts from a position, without sampling.

It follows the probability of every state that a playout can reach, move by move. This is feasible near the
end of a game and on the smallest boards. There it gives the exact values that statistics are compared with.
"""

from __future__ import annotations

from collections import defaultdict

from harness.go import Colour, Point, Position
from harness.oracle.distribution import MarginDistribution, Number, total
from harness.oracle.graph import (
    DEFAULT_MAX_STATES,
    PlayoutGraph,
    carry_forward,
    moves_left,
    root_state,
    unit,
)


def enumerate_playouts(
    position: Position,
    to_move: Colour,
    *,
    ko: Point | None = None,
    moves_made: int | None = None,
    previous_pass_counts: bool = False,
    cap: int | None = None,
    tolerance: float = 0.0,
    exact: bool = False,
    max_states: int = DEFAULT_MAX_STATES,
) -> MarginDistribution:
    """The joint distribution of length and area margin of one conforming playout.

    `ko` is a point forbidden to the first move (default: the ko of the position). `moves_made` (default: the
    number of moves of the position) counts against `cap` (default: 3 N N), but one move is always made. With
    `previous_pass_counts` the last move before the playout is a pass that counts towards the end of the
    playout, which is wrong for a conforming bot. The enumeration stops once unfinished playouts have a
    probability of at most `tolerance`, which it reports as the remainder. `exact` computes with Fractions.
    Raises StateLimitError beyond `max_states` distinct states.
    """
    graph = PlayoutGraph(position.size, max_states)
    endings, remainder = carry_forward(
        root_state(position, to_move, ko, previous_pass_counts),
        graph.following,
        limit=moves_left(position, moves_made, cap),
        start_probability=unit(exact),
        tolerance=tolerance,
    )
    joint: defaultdict[tuple[int, int], list[Number]] = defaultdict(list)
    for ending in endings:
        joint[ending.length, graph.margin(ending.state.board)].append(ending.probability)
    probabilities = {outcome: total(parts) for outcome, parts in sorted(joint.items())}
    return MarginDistribution(to_move, probabilities, remainder, graph.states)
