"""Finds the likeliest single playouts of a conforming bot from a position, move by move, as examples."""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import count, islice

from harness.go import Colour, Point, Position
from harness.oracle.graph import PlayoutGraph, StateLimitError, moves_left, root_state
from harness.oracle.rules import BLACK, State

MOST_STATES = 5_000
"""Most states, and most unfinished beginnings, of the search. Chosen: it takes a fraction of a second."""

Moves = tuple[tuple[Colour, Point | None], ...]


@dataclass(frozen=True)
class PlayoutPath:
    """One playout, up to its second closing pass or the move cap."""

    moves: Moves  # in order; None for a pass
    probability: Fraction
    margin: int  # Black's area less White's


def likeliest_playouts(
    position: Position, to_move: Colour, most: int, *, max_states: int = MOST_STATES
) -> tuple[PlayoutPath, ...]:
    """Return the `most` likeliest playouts from a position, or all of them where there are fewer.

    Raises StateLimitError if the search meets more than `max_states` states, or more beginnings of playouts.
    """
    return tuple(islice(_by_probability(position, to_move, max_states), most))


def _by_probability(position: Position, to_move: Colour, max_states: int) -> Iterator[PlayoutPath]:
    """Yield playouts by decreasing probability (best-first: no playout is likelier than its beginning)."""
    graph = PlayoutGraph(position.size, max_states)
    limit = moves_left(position, None, None)
    order = count()  # equally likely playouts keep the order in which their beginnings were found
    start = root_state(position, to_move, None, False)
    begun: list[tuple[Fraction, int, State, Moves]] = [(Fraction(-1), next(order), start, ())]
    while begun:
        minus, _, state, moves = heapq.heappop(begun)  # `minus` is −probability: the heap gives the least
        mover: Colour = "b" if state.mover == BLACK else "w"
        successors = graph.moves(state) if len(moves) < limit else ()
        if not successors:
            closing: Moves = ((mover, None),) if len(moves) < limit else ()
            yield PlayoutPath((*moves, *closing), -minus, graph.margin(state.board))
            continue
        for successor in successors:
            point = None if successor.point is None else divmod(successor.point, position.size)
            entry = (minus / len(successors), next(order), successor.state, (*moves, (mover, point)))
            heapq.heappush(begun, entry)
        if len(begun) > max_states:
            raise StateLimitError(max_states)
