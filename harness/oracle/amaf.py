"""Exact all-moves-as-first (AMAF): the distribution of what a playout adds to the records of points.

The record of a point is its visits and wins. A playout *credits* a point if it adds a visit to it: by the
specification, if the side to move at the root was the first to play there. The wins of a credited point grow
by the result of the playout. The search chooses the candidate with the highest wins/visits.

A set of points is a bit mask: bit row * size + column, so 0b101 is A1 and C1. The enumeration is that of
`harness.oracle.graph`, with states that include who has played where.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from harness.go import Colour, Point, Position
from harness.oracle.distribution import Number, result_for, total
from harness.oracle.graph import (
    DEFAULT_MAX_STATES,
    PlayoutGraph,
    StateLimitError,
    carry_forward,
    moves_left,
    root_state,
    unit,
)
from harness.oracle.rules import PlayoutRules, State, Successor

Floats = npt.NDArray[np.float64]


class AmafValue(NamedTuple):
    """Mean visits and wins that one playout adds to the record of a point."""

    visits: Number
    wins: Number  # a draw is half a win

    @property
    def rate(self) -> Number:
        """Wins per visit of one playout, which is the limit of wins/visits for many playouts."""
        return self.wins / self.visits


class Play(NamedTuple):
    """A stone placed in a playout. Sets of points are bit masks."""

    point: int  # a mask with one bit
    mine: bool  # placed by the side to move at the root
    captured: int  # points of the captured stones


CreditRule = Callable[[int, int, Play], tuple[int, int]]
"""A function of (touched, credited, play) that returns (touched, credited) after the play.

`touched` are the points played on so far, `credited` those of them that get a visit.
"""


def first_of_either(touched: int, credited: int, play: Play) -> tuple[int, int]:
    """Clause `amaf`: credit a point if the side to move was the first of either side to play there.

    Returns the sets of points (touched by either side, credited) after the play, as bits.
    """
    first = play.mine and not touched & play.point
    return touched | play.point, credited | (play.point if first else 0)


class _AmafState(NamedTuple):
    """A state of a playout, and the points played so far as bit masks."""

    playout: State
    touched: int  # by either side
    credited: int  # to the side to move at the root


@dataclass(frozen=True)
class AmafDistribution:
    """The joint distribution of one playout's credited points and margin: Black's area less White's.

    to_move         side to move at the root; only its plays are credited
    probabilities   by (credited points as bits, margin)
    by_length       by (length, credited points as bits, margin)
    """

    to_move: Colour
    size: int
    probabilities: Mapping[tuple[int, int], Number]
    by_length: Mapping[tuple[int, int, int], Number]

    def values(self, komi: float) -> dict[Point, AmafValue]:
        """Return the mean visits and wins that one playout adds to each point, at a komi.

        Points that cannot be credited are left out.
        """
        visits: defaultdict[int, list[Number]] = defaultdict(list)
        wins: defaultdict[int, list[Number]] = defaultdict(list)
        for (credited, margin), probability in self.probabilities.items():
            result = result_for(self.to_move, margin, komi)
            for index in _bits(credited):
                visits[index].append(probability)
                wins[index].append(probability * result)
        return {
            divmod(index, self.size): AmafValue(total(visits[index]), total(wins[index]))
            for index in sorted(visits)
        }

    def records(self, komi: float, candidates: Sequence[Point]) -> AmafRecords:
        """Return the distribution of one playout's addition to the candidates' records, to draw searches."""
        # Lengths do not matter here: 0 stands for all of them.
        ways = ((0, *outcome, p) for outcome, p in self.probabilities.items())
        probabilities, table = self._table(ways, komi, candidates)
        return AmafRecords(probabilities, table[:, 1], table[:, 2:])

    def playouts(self, komi: float, candidates: Sequence[Point]) -> WholePlayouts:
        """Return the distribution of one playout's length, result and addition to the candidates' records."""
        ways = ((*outcome, p) for outcome, p in self.by_length.items())
        probabilities, table = self._table(ways, komi, candidates)
        return WholePlayouts(probabilities, table[:, 1], table[:, 2:], table[:, 0])

    def _table(
        self, ways: Iterable[tuple[int, int, int, Number]], komi: float, candidates: Sequence[Point]
    ) -> tuple[Floats, Floats]:
        """Return the probabilities of the distinct outcomes of a playout, and a table with a row for each.

        ways   tuples (length, credited points as bits, margin, probability); equal outcomes are merged

        A row has the length, the result, and for each candidate 1 if it is credited, else 0. With two
        candidates, (5, 1, 0, 1) is a playout of 5 moves that is won and credits the second.
        """
        parts: defaultdict[tuple[float, ...], list[Number]] = defaultdict(list)
        for length, credited, margin, probability in ways:
            result = float(result_for(self.to_move, margin, komi))
            flags = [float(credited >> row * self.size + column & 1) for row, column in candidates]
            parts[float(length), result, *flags].append(probability)
        ordered = sorted(parts)
        probabilities = np.array([float(total(parts[row])) for row in ordered])
        return probabilities / probabilities.sum(), np.array(ordered, dtype=np.float64)


@dataclass(frozen=True, eq=False)
class AmafRecords:
    """Additions of one playout to the records of c candidates: w distinct outcomes, with probabilities."""

    probabilities: Floats  # shape (w,)
    results: Floats  # shape (w,): 0, ½ or 1
    credited: Floats  # shape (w, c): 1 where a visit is added

    def draw(self, playouts: int, searches: int, seed: int) -> tuple[Floats, Floats]:
        """Simulate searches of `playouts` playouts. Return (visits, wins), each of shape (searches, c)."""
        generator = np.random.default_rng(seed)
        times = generator.multinomial(playouts, self.probabilities, size=searches).astype(np.float64)
        return times @ self.credited, times @ (self.credited * self.results[:, None])


class SearchTotals(NamedTuple):
    """The figures of one search; visits and wins are of the candidates, shape (c,)."""

    nodes: int  # moves in all playouts
    score: float  # mean result
    visits: Floats
    wins: Floats


@dataclass(frozen=True, eq=False)
class WholePlayouts(AmafRecords):
    """Additions of one playout to a search with c candidates: to the records, and to the length."""

    lengths: Floats  # shape (w,)

    def draw_search(self, playouts: int, generator: np.random.Generator) -> SearchTotals:
        """Draw one search of `playouts` playouts."""
        times = generator.multinomial(playouts, self.probabilities).astype(np.float64)
        wins = times * self.results
        nodes, score = round(float(times @ self.lengths)), float(wins.sum()) / playouts
        return SearchTotals(nodes, score, times @ self.credited, wins @ self.credited)


def rates(visits: Floats, wins: Floats) -> Floats:
    """Return wins per visit, for whole numbers of visits; −1 without visits, which is below every rate."""
    return np.where(visits > 0.0, wins / np.maximum(visits, 1.0), -1.0)


def choice_shares(merits: Floats, slack: float = 0.0) -> Floats:
    """Return how likely each candidate is chosen, shape (c,), if searches choose the highest merit.

    merits   the merit, such as wins/visits, of each candidate in each search: shape (searches, c)
    slack    candidates within this distance of the highest merit are equally likely (clause `ties`)
    """
    equal = merits >= merits.max(axis=1, keepdims=True) - slack
    return np.asarray((equal / equal.sum(axis=1, keepdims=True)).mean(axis=0), np.float64)


def enumerate_amaf(
    position: Position,
    to_move: Colour,
    *,
    ko: Point | None = None,
    moves_made: int | None = None,
    cap: int | None = None,
    tolerance: float = 0.0,
    exact: bool = False,
    max_states: int = DEFAULT_MAX_STATES,
    rule: CreditRule = first_of_either,
    moves: PlayoutRules | None = None,
) -> AmafDistribution:
    """Return the joint distribution of a playout's credited points and margin (clause `amaf`).

    rule    rule of the credit; another rule than the default shows what a bot with wrong records does
    moves   cache of moves, which several enumerations of one board size may share
    The other arguments are those of `enumerate_playouts` in `harness.oracle.graph`. There are many more
    states, because a state includes who has played where. Points that are no candidates are credited too.
    With a `tolerance`, the probabilities sum to less than 1, by the remainder.
    Raises StateLimitError, and BoardError for a `ko` off the board.
    """
    graph = PlayoutGraph(position.size, max_states, moves)
    root = root_state(position, to_move, ko, previous_pass_counts=False)
    known: dict[_AmafState, list[_AmafState]] = {}

    def successors(amaf: _AmafState) -> list[_AmafState]:
        if amaf not in known:
            if len(known) >= max_states:
                raise StateLimitError(max_states)
            known[amaf] = [
                _touch(amaf, move, amaf.playout.mover == root.mover, rule)
                for move in graph.moves(amaf.playout)
            ]
        return known[amaf]

    endings, _ = carry_forward(
        _AmafState(root, 0, 0), successors, moves_left(position, moves_made, cap), unit(exact), tolerance
    )
    joint: defaultdict[tuple[int, int], list[Number]] = defaultdict(list)
    by_length: defaultdict[tuple[int, int, int], list[Number]] = defaultdict(list)
    for ending in endings:
        margin = graph.margin(ending.state.playout.board)
        joint[ending.state.credited, margin].append(ending.probability)
        by_length[ending.length, ending.state.credited, margin].append(ending.probability)
    return AmafDistribution(
        to_move,
        position.size,
        {outcome: total(parts) for outcome, parts in sorted(joint.items())},
        {outcome: total(parts) for outcome, parts in sorted(by_length.items())},
    )


def expected_amaf(position: Position, to_move: Colour, komi: float) -> Mapping[Point, AmafValue]:
    """Return the exact AMAF values of one playout, by candidate of `to_move` that a playout can credit.

    Raises StateLimitError for too many states.
    """
    values = enumerate_amaf(position, to_move, ko=position.ko_ban(to_move)).values(komi)
    candidates = set(position.candidates(to_move))
    return {point: value for point, value in values.items() if point in candidates}


def _touch(amaf: _AmafState, move: Successor, mine: bool, rule: CreditRule) -> _AmafState:
    """Return the state after a move; `mine`: the side to move at the root makes it."""
    if move.point is None:
        return amaf._replace(playout=move.state)
    before, after = amaf.playout.board, move.state.board
    captured = before.black & ~after.black | before.white & ~after.white
    play = Play(1 << move.point, mine, captured)
    return _AmafState(move.state, *rule(amaf.touched, amaf.credited, play))


def _bits(mask: int) -> list[int]:
    """Return the numbers of the bits that are set: [0, 2] for 0b101."""
    return [index for index in range(mask.bit_length()) if mask >> index & 1]
