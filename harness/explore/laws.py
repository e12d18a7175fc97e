"""Exact laws (probability distributions) of the length and result of a playout, and of a search's numbers.

The specification leaves three points open, so a position may have several laws. A bot may count the move cap
from the start of the game or of the playout, may count an implied pass between two moves of one colour, and
may apply a ko ban to both colours. Each combination is a "reading". A bot is right if it follows one reading.

The log e-value of an answer is the log of the evidence against a law: a right bot reaches log(1/p) with a
chance of at most p. An example: if a playout has 3 or 5 moves, each with probability 1/2, then a search of
100 playouts reports a ref-nodes of 300 to 500 that is even. 401 is impossible (log e-value infinite), 400 is
no evidence, 440 is much.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from harness.explore.dice import Dice
from harness.go import Colour, Point, Position
from harness.oracle import MarginDistribution, StateLimitError
from harness.oracle.graph import PlayoutGraph, carry_forward
from harness.oracle.rules import BLACK, NO_KO, WHITE, Board, PlayoutRules, State
from harness.stats.evidence import mix

# To enumerate a position is to follow all its playouts, state by state. Only few positions allow it.

MOST_STATES = 400
"""Most states of the playouts from an enumerated position. Chosen: they take a few milliseconds."""

MOST_ON_3X3 = 150
"""Most states on 3x3. Chosen: playouts that capture the whole board have thousands, others few."""

MOST_OPEN_POINTS = 5
"""Most empty points, eyes left out, of an enumerated position from 3x3 on. Chosen: with more, few succeed."""

FEW_MOVES = 2
"""Moves before the cap at which any board is enumerated. Chosen: three on 9x9 have too many states."""

TRIALS, TOO_LONG, TOO_MANY_WAYS = 6, 12, 2_000
"""An enumeration starts only if TRIALS random playouts are all shorter than TOO_LONG moves, and the estimated
number of possible playouts is at most TOO_MANY_WAYS. The estimate is the mean product of the numbers of moves
to choose from (Knuth 1975). Chosen: one in fifty of the positions left out has few enough states."""

MOST_REMEMBERED = 500_000
"""The cache of moves is emptied when its boards have more points than this. Chosen: it bounds memory."""

CACHED = 4_096
"""Number of cached enumerations. Chosen: sessions on the smallest boards often reach the same positions."""

TILTS = (0.03, 0.1, 0.3, 1.0, 3.0)
"""Shifts of the mean, in standard deviations of one playout, for which e-values are computed. Chosen: each is
about three times the one before, so that small and large errors are found."""

PRINTING = 0.0005
"""Largest rounding error of a printed score: half a step of three decimals."""

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class NumberLaw:
    """Law of one number of a playout, and of the number that a search of independent playouts reports.

    outcomes   pairs (value of one playout, probability), smallest value first: ((3, 0.5), (5, 0.5))

    In the methods, `reported` is the number of a search, and `playouts` says how many playouts it made.
    """

    outcomes: tuple[tuple[float, float], ...]

    @property
    def mean(self) -> float:
        """Mean value of one playout."""
        return math.fsum(value * p for value, p in self.outcomes)

    @property
    def least(self) -> float:
        """Smallest value of one playout."""
        return self.outcomes[0][0]

    @property
    def most(self) -> float:
        """Largest value of one playout."""
        return self.outcomes[-1][0]

    def is_possible(self, reported: float, playouts: int) -> bool:
        """Return False only if no right search reports this number; some impossible ones are not found."""
        raise NotImplementedError

    def log_es(self, reported: float, playouts: int) -> Floats:
        """Return the log e-values of the bets on another mean, one for each of ± TILTS.

        Zeros for a constant law.
        """
        raise NotImplementedError

    def log_e(self, reported: float, playouts: int) -> float:
        """Return the log e-value against the law (mean of all bets); infinite unless `is_possible`."""
        if not self.is_possible(reported, playouts):
            return math.inf
        return float(mix(self.log_es(reported, playouts)))


@dataclass(frozen=True)
class LengthLaw(NumberLaw):
    """Law of the moves of one playout. A search reports their total over its playouts (`ref-nodes`)."""

    outcomes: tuple[tuple[int, float], ...]

    @property
    def step(self) -> int:
        """Largest number that divides the difference of any two lengths; 1 if all have one length."""
        return max(1, math.gcd(*(length - self.outcomes[0][0] for length, _ in self.outcomes)))

    def is_possible(self, reported: float, playouts: int) -> bool:
        """Return True if the total lies between the bounds, in steps of `step` above the lower one."""
        above = reported - self.least * playouts
        return 0 <= above <= (self.most - self.least) * playouts and above % self.step == 0

    def log_es(self, reported: float, playouts: int) -> Floats:
        """Return the log e-values of the bets on longer and shorter playouts."""
        return tilted_log_es(self.outcomes, reported - playouts * self.mean, playouts)

    def text(self, digits: int = 3) -> str:
        """Return the law in words, its mean with `digits` decimals."""
        if len(self.outcomes) == 1:
            return f"{self.least} moves a playout, exactly"
        return f"{self.mean:.{digits}f} moves a playout on average ({self.least} to {self.most})"


@dataclass(frozen=True)
class ResultLaw(NumberLaw):
    """Law of a playout's result for the side to move: 1 win, 0.5 draw, 0 loss. `ref-score` is the mean."""

    def is_possible(self, reported: float, playouts: int) -> bool:
        """Return True if the mean lies between the bounds, with rounding in the bot's favour."""
        return self.least - PRINTING <= reported <= self.most + PRINTING

    def log_es(self, reported: float, playouts: int) -> Floats:
        """Return the log e-values of the bets on more and fewer wins, with rounding in the bot's favour."""
        off = (reported - self.mean) * playouts
        certain = math.copysign(max(0.0, abs(off) - PRINTING * playouts), off)
        return tilted_log_es(self.outcomes, certain, playouts)

    def text(self) -> str:
        """Return the law in words."""
        return f"{self.mean:.4f}" + (", exactly" if len(self.outcomes) == 1 else " on average")


@dataclass(frozen=True)
class PlayoutLaw:
    """Laws of the length and the result of a playout; `result` is None if komi is unknown."""

    length: LengthLaw
    result: ResultLaw | None


def alternatives(texts: Iterable[str]) -> str:
    """Join the texts of laws by "or"; equal texts once."""
    return " or ".join(dict.fromkeys(texts))


def tilted_log_es(law: tuple[tuple[float, float], ...], deviation: float, playouts: int) -> Floats:
    """Return the log e-values of bets that the mean of P values is shifted, up and down by each of TILTS.

    law         pairs (value, probability)
    deviation   S - Pμ: the sum of the P values, less its expected value
    playouts    P

    A bet is exp(λ(S - Pμ)) / E exp(λ(S - Pμ)), where λ is the tilt divided by the standard deviation. This is
    exact for every P, since the expected value is computed from the law. The order is that of TILTS, with the
    bet on a larger mean before the bet on a smaller one. Zeros for a law with one value.
    """
    values = np.array([value for value, _ in law], dtype=np.float64)
    weights = np.array([weight for _, weight in law])
    centred = values - float(values @ weights)
    sd = math.sqrt(float(centred**2 @ weights))
    if sd < 1e-9:
        return np.zeros(2 * len(TILTS))
    rates = np.array([sign * tilt / sd for tilt in TILTS for sign in (1.0, -1.0)])
    exponents = np.outer(rates, centred)
    top = exponents.max(axis=1)
    cumulants = top + np.log(np.exp(exponents - top[:, None]) @ weights)
    return np.asarray(rates * deviation - playouts * cumulants)


@dataclass(frozen=True)
class SearchKey:
    """Everything that the playouts from a position depend on, without komi.

    board   the stones: a byte per point (0 empty, 1 black, 2 white)
    kos     the point banned for the side to move (None: no ban), in each reading of the ko
    made    number of moves made that count towards the cap, in each reading of the cap, fewest first
    """

    size: int
    board: bytes
    to_move: Colour
    kos: tuple[Point | None, ...]
    made: tuple[int, ...]


def search_key(position: Position, to_move: Colour, *, cap_of_game: bool = False) -> SearchKey:
    """Return the key of a search for a side, with every reading of the specification.

    cap_of_game   the bot is known to count the moves of the game towards the cap
    """
    moves = position.moves
    # Two moves of one colour in a row: a bot may count the pass between them.
    implied = sum(one.colour == next_.colour for one, next_ in pairwise(moves))
    if moves and moves[-1].colour == to_move:
        implied += 1
    other: Colour = "w" if to_move == "b" else "b"
    ban_of_other = position.ko_ban(other)
    # If the ban is on the other side, a bot that applies it to both colours bans the point here, too.
    kos = (position.ko_ban(to_move),) if ban_of_other is None else (None, ban_of_other)
    made = {*range(len(moves), len(moves) + implied + 1), *(() if cap_of_game else (0,))}
    return SearchKey(position.size, position.fingerprint, to_move, kos, tuple(sorted(made)))


@lru_cache(CACHED)
def laws_at(key: SearchKey, komi: float | None) -> tuple[PlayoutLaw, ...] | None:
    """Return the different laws of all readings, without results if komi is None; None if not enumerated."""
    distributions = distributions_at(key)
    if distributions is None:
        return None
    return tuple(dict.fromkeys(_law(distribution, komi) for distribution in distributions))


def margins_at(key: SearchKey) -> tuple[int, ...]:
    """Return the final margins (Black's area less White's) that the first reading allows.

    An empty tuple if the position is not enumerated.
    """
    distributions = distributions_at(key)
    return tuple(distributions[0].margins) if distributions else ()


@lru_cache(CACHED)
def distributions_at(key: SearchKey) -> tuple[MarginDistribution, ...] | None:
    """Return the joint distribution of length and margin in each reading.

    None if there are too many states to enumerate, or seem to be (`_is_promising`).
    """
    if not _is_promising(key):
        return None
    try:
        return tuple(_readings(key))
    except StateLimitError:
        return None


def _readings(key: SearchKey) -> Iterator[MarginDistribution]:
    """Yield the distribution for each reading of the ko and, if a playout can reach the cap, of the cap.

    Raises StateLimitError.
    """
    most = MOST_ON_3X3 if key.size == 3 else MOST_STATES
    graph = PlayoutGraph(key.size, most, moves_memory(key.size))
    cap = 3 * key.size**2
    for ko in key.kos:
        root = _root(key, ko)
        for made in key.made:
            most_moves = max(1, cap - made)
            endings, _ = carry_forward(
                root, graph.following, most_moves, start_probability=1.0, tolerance=0.0
            )
            joint: defaultdict[tuple[int, int], float] = defaultdict(float)
            for ending in endings:
                joint[ending.length, graph.margin(ending.state.board)] += float(ending.probability)
            yield MarginDistribution(key.to_move, dict(sorted(joint.items())))
            longest = max(length for length, _ in joint)
            if made == key.made[0] and longest < cap - key.made[-1]:
                break  # with the most moves left, none reached even the earliest cap: all readings are alike


def _root(key: SearchKey, ko: Point | None) -> State:
    banned = NO_KO if ko is None else ko[0] * key.size + ko[1]
    return State(Board.of(key.board), BLACK if key.to_move == "b" else WHITE, banned, passed=False)


_remembered: dict[int, PlayoutRules] = {}


def moves_memory(size: int) -> PlayoutRules:
    """Return the cache of legal moves for a board size: explorations reach the same boards repeatedly."""
    known = _remembered.get(size)
    if known is None or known.boards * size * size > MOST_REMEMBERED:
        known = _remembered[size] = PlayoutRules(size)
    return known


def may_be_enumerable(size: int, board: bytes, left: int) -> bool:
    """Return True if an enumeration is worth a try: a small board, few open points, or few moves `left`.

    left   number of moves before the cap
    """
    if size < 3 or left <= FEW_MOVES:
        return True
    return moves_memory(size).open_points(Board.of(board)) <= MOST_OPEN_POINTS


def _is_promising(key: SearchKey) -> bool:
    """Return True if an enumeration is likely to succeed. Failed enumerations would take most of the time."""
    left = 3 * key.size**2 - key.made[0]
    if key.size < 3 or left <= FEW_MOVES:
        return True
    if not may_be_enumerable(key.size, key.board, left):
        return False
    dice = Dice("trial", key.size, key.board.hex(), key.to_move)
    graph = PlayoutGraph(key.size, MOST_STATES, moves_memory(key.size))
    root, ways = _root(key, key.kos[0]), 0
    for _ in range(TRIALS):
        length, choices = _trial(graph, root, min(left, TOO_LONG), dice)
        ways += choices
        if length >= TOO_LONG or ways > TRIALS * TOO_MANY_WAYS:
            return False
    return True


def _trial(graph: PlayoutGraph, root: State, most: int, dice: Dice) -> tuple[int, int]:
    """Play one random playout. Return its length, cut at `most`, and the product of its move counts."""
    state, length, choices = root, 0, 1
    while length < most and (following := graph.following(state)):
        state, length, choices = dice.pick(following), length + 1, choices * len(following)
    return length, choices


def _law(distribution: MarginDistribution, komi: float | None) -> PlayoutLaw:
    playouts = distribution.at_komi(0.0 if komi is None else komi)
    lengths = tuple((length, float(p)) for length, p in playouts.lengths.items())
    results = tuple((float(result), float(p)) for result, p in playouts.results.items())
    return PlayoutLaw(LengthLaw(lengths), None if komi is None else ResultLaw(results))
