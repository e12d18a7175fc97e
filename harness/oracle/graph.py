"""Exact enumerator: computes the distribution of conforming playouts from a position, without sampling.

It computes the probability of every state that a playout can reach, move by move. This is feasible near the
end of a game and on the smallest boards. A bot's statistics are compared with these exact values.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Generic, TypeVar

from harness.go import BoardError, Colour, Point, Position
from harness.oracle.distribution import MarginDistribution, Number, total
from harness.oracle.rules import BLACK, NO_KO, WHITE, Board, PlayoutRules, State, Successor

DEFAULT_MAX_STATES = 100_000
"""Default of the most states of an enumeration. Chosen: it takes a few seconds."""


class StateLimitError(Exception):
    """An enumeration met more states than the caller allowed; `states` is that limit."""

    def __init__(self, states: int) -> None:
        super().__init__(f"playouts from this position pass through more than {states} states")
        self.states = states


class PlayoutGraph:
    """The graph of the states of playouts: an edge for each possible move. A side without a play passes.

    Methods raise StateLimitError after more than `max_states` distinct states. Several graphs of one board
    size may share `rules`, which cache the moves on every board.
    """

    def __init__(self, size: int, max_states: int, rules: PlayoutRules | None = None) -> None:
        self._rules = rules or PlayoutRules(size)
        self._max_states = max_states
        self._met: set[State] = set()
        self._following: dict[State, tuple[State, ...]] = {}

    @property
    def states(self) -> int:
        """The number of distinct states so far."""
        return len(self._met)

    def moves(self, state: State) -> tuple[Successor, ...]:
        """Return the equally likely moves from a state, each with the state after it.

        Where no stone may be placed, the only move is a pass. If the move before was a pass too, the result
        is empty: the second pass ends the playout.
        """
        self._met.add(state)
        if len(self._met) > self._max_states:
            raise StateLimitError(self._max_states)
        plays = self._rules.plays(state)
        if plays or state.passed:
            return plays
        return (Successor(None, State(state.board, BLACK + WHITE - state.mover, NO_KO, True)),)

    def following(self, state: State) -> tuple[State, ...]:
        """Return the state after each of the moves. The result is cached."""
        known = self._following.get(state)
        if known is None:
            known = self._following[state] = tuple([move.state for move in self.moves(state)])
        return known

    def margin(self, board: Board) -> int:
        """Return Black's area less White's."""
        return self._rules.margin(board)


def root_state(position: Position, to_move: Colour, ko: Point | None, previous_pass_counts: bool) -> State:
    """Return the state that a playout starts from.

    ko                     as for `enumerate_playouts`; None: the ko of the position, if there is one
    previous_pass_counts   as for `enumerate_playouts`

    Raises BoardError for a `ko` off the board.
    """
    banned = ko if ko is not None else position.ko_ban(to_move)
    if banned is not None and not (0 <= banned[0] < position.size and 0 <= banned[1] < position.size):
        raise BoardError(
            f"the point {banned} forbidden by ko is off the board: expected a row and a column from 0 to "
            f"{position.size - 1}"
        )
    index = NO_KO if banned is None else banned[0] * position.size + banned[1]
    return State(
        Board.of(position.fingerprint), BLACK if to_move == "b" else WHITE, index, previous_pass_counts
    )


def moves_left(position: Position, moves_made: int | None, cap: int | None) -> int:
    """Return the largest number of moves of a playout, at least one (clause `move-cap`).

    moves_made   moves before the playout that count; None: the moves of the position
    cap          most moves of game and playout together; None: 3 N²
    """
    allowed = 3 * position.size**2 if cap is None else cap
    made = len(position.moves) if moves_made is None else moves_made
    return max(1, allowed - made)


def unit(exact: bool) -> Number:
    """Return the number 1: a Fraction for exact computation, else a float."""
    return Fraction(1) if exact else 1.0


_S = TypeVar("_S", bound=Hashable)


@dataclass(frozen=True)
class Ending(Generic[_S]):
    """All playouts that ended in one state after `length` moves. Closing passes count as moves."""

    length: int
    state: _S
    probability: Number


def carry_forward(
    start: _S,
    successors: Callable[[_S], Sequence[_S]],
    limit: int,
    start_probability: Number,
    tolerance: float,
) -> tuple[list[Ending[_S]], Number]:
    """Follow all playouts from `start` move by move. Return their endings, and the probability of the others.

    The others are playouts that are unfinished when `tolerance` stops the computation. After `limit` moves
    every playout ends, so there are none.

    successors          returns the equally likely next states; none at the end of a playout
    start_probability   1.0, or Fraction(1) for exact computation
    tolerance           stop early once unfinished playouts have at most this probability
    """
    endings = []
    unfinished: dict[_S, Number] = {start: start_probability}
    for length in range(1, limit + 1):
        arrived: defaultdict[_S, Number] = defaultdict(type(start_probability))
        for state, probability in unfinished.items():
            following = successors(state)
            if not following:  # move number `length` is the second pass
                endings.append(Ending(length, state, probability))
                continue
            share = probability / len(following)
            for successor in following:
                arrived[successor] += share
        unfinished = arrived
        remainder = total(unfinished.values())
        if remainder <= tolerance:
            return endings, remainder
    # The move cap ends the playouts that are left.
    endings += [Ending(limit, state, probability) for state, probability in unfinished.items()]
    return endings, Fraction(0)


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
    """Return the joint distribution of length and area margin of one conforming playout.

    ko                     point forbidden to the first move (default: the ko of the position)
    moves_made             moves that count towards the cap (default: the moves of the position)
    previous_pass_counts   a pass before the playout counts as the first of two; wrong for a conforming bot
    cap                    most moves of game and playout together (default: 3 N²); one is always made
    tolerance              stop once unfinished playouts have at most this probability (the remainder)
    exact                  compute with Fractions
    Raises StateLimitError beyond `max_states` distinct states, and BoardError for a `ko` off the board.
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
