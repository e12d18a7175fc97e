"""How often a bot chooses each move in a position: a right bot, and bots with a wrong rule of choice.

The AMAF records (visits and wins of each candidate) of one playout are enumerated. Searches are then
simulated by drawing records, and the chosen moves counted.

An exploration bets that the bot chooses by one of these wrong rules (`harness.explore.evidence`): a bet grows
with each move that a bot by its rule chooses more often than a right bot.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from harness.explore.evidence import (
    AGAIN,
    ANY,
    FIRST,
    LAST,
    LOWEST,
    MOST_VISITS,
    MOST_WINS,
    OWN_FIRST,
    SMOOTHED,
    TAKEN_ANEW,
    TIMID,
    UNSEEN_EVEN,
    UNSEEN_WON,
)
from harness.explore.laws import moves_memory
from harness.go import Colour, Point, Position, all_points
from harness.oracle import (
    AmafDistribution,
    AmafRecords,
    CreditRule,
    Play,
    StateLimitError,
    choice_shares,
    enumerate_amaf,
    first_of_either,
    rates,
)

MOST_STATES = 1_500
"""Most states of an AMAF enumeration (with who has played where). Chosen: some hundredths of a second."""

MOST_SMALL_STATES = 6_000
"""Most such states on small boards. Chosen: the moves on these boards are cached, so a state costs less."""

SMALL = 3
"""Largest size of a small board. Only there wrong AMAF records are enumerated too. Chosen: 3x3 has few
positions."""

SIGMAS = 4.0
"""Standard errors between a counted share and its upper bound. Chosen: the true share is above the bound for
one move in 30,000."""

NEARLY_ALWAYS = 0.98
"""From this share of one move on, more searches are not worth their time. Chosen: nearly all choose it."""

DRAWN, FEWEST_DRAWN = 3_000, 500
"""Usual and smallest number of simulated searches. Chosen: a share has an error below 0.01, or 0.025."""

MOST_RECORDS = 100_000
"""Most simulated searches times candidates, and times distinct outcomes of a playout. With more candidates or
outcomes, fewer searches are simulated. Chosen: some hundredths of a second."""

GROUPING_SHARE = 0.3
"""Extra simulated searches that find the rare candidates, as a fraction of the others. Chosen: of DRAWN
searches, they find a candidate that is chosen in 1 %."""

SEED = 2008
"""Seed of the simulated searches."""

CACHED = 512
"""Number of cached laws (see ChoiceLaw). Chosen: a reduction returns to a few positions."""

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class ChoiceLaw:
    """The distribution of the chosen move, for a right bot and for bots with a wrong rule of choice.

    candidates   in the order of the board
    shares       probability that a right bot chooses each candidate, counted in simulated searches
    groups       group number of each candidate. All rarely chosen candidates form one group, because the
                 simulation is too small to estimate each of them
    bounds       upper bound of the true share of each group. Bets use these bounds, so that errors of the
                 simulation favour the bot
    rules        shares of the groups, by the name of each wrong rule
    """

    candidates: tuple[Point, ...]
    shares: tuple[float, ...]
    groups: tuple[int, ...]
    bounds: tuple[float, ...]
    rules: Mapping[str, tuple[float, ...]]

    @property
    def has_alternatives(self) -> bool:
        """True if a right bot chooses more than one move often enough to learn from further searches."""
        return max(self.shares) < NEARLY_ALWAYS

    def ratios(self, chosen: Point, before: Point | None) -> dict[str, float]:
        """Return the log of the factor by which each bet on a wrong rule grows: it stakes half its capital.

        An example: a right bot chooses E5 in at most 10 % of the searches, and a bot by the rule "most
        visits" in 40 %. If E5 is chosen, the ratio of this rule is log(0.5 + 0.5 * 0.4 / 0.1) = 0.92.

        chosen   one of the candidates
        before   the choice of the search before; None without one, or if it was a pass
        """
        group = self._group(chosen)
        right = self.bounds[group]
        likely = {name: shares[group] for name, shares in self.rules.items()}
        if before is not None:
            likely[AGAIN] = float(group == self._group(before))
        return {name: math.log(TIMID + (1.0 - TIMID) * share / right) for name, share in likely.items()}

    def _group(self, point: Point) -> int:
        return self.groups[self.candidates.index(point)]


@dataclass(frozen=True)
class ChoiceKey:
    """Everything that the AMAF records of a search depend on, without komi.

    board   a byte for each point: 0 empty, 1 black, 2 white
    ko      the point where the simple ko forbids a move; None if there is none
    left    number of moves before the cap, at least 1
    """

    size: int
    board: bytes
    to_move: Colour
    ko: Point | None
    left: int
    candidates: tuple[Point, ...]


def choice_key(position: Position, to_move: Colour) -> ChoiceKey:
    """Return the key of a search, for a bot that counts all moves of the game towards the cap."""
    size, ko = position.size, position.ko_ban(to_move)
    left = max(1, 3 * size**2 - len(position.moves))
    candidates = tuple(position.candidates(to_move))
    return ChoiceKey(size, position.fingerprint, to_move, ko, left, candidates)


def amaf_at(key: ChoiceKey, rule: CreditRule = first_of_either) -> AmafDistribution:
    """Return the distribution of one playout's AMAF records. Raises StateLimitError for too many states."""
    size = key.size
    position = Position(size)
    points = list(zip(all_points(size), key.board, strict=True))
    position.set_up([p for p, stone in points if stone == 1], [p for p, stone in points if stone == 2])
    cap = 3 * size**2
    return enumerate_amaf(
        position,
        key.to_move,
        ko=key.ko,
        moves_made=cap - key.left,
        cap=cap,
        max_states=MOST_SMALL_STATES if size <= SMALL else MOST_STATES,
        rule=rule,
        moves=moves_memory(size),
    )


# Wrong credit rules: functions of the points played on (touched) and credited so far, as bits, and of a play.


def own_first(touched: int, credited: int, play: Play) -> tuple[int, int]:
    """Credit the first play of the side to move at a point, also after a play of the other side."""
    return touched, credited | (play.point if play.mine else 0)


def taken_anew(touched: int, credited: int, play: Play) -> tuple[int, int]:
    """Credit points as the right rule does, but forget a play on a point when its stone is captured."""
    touched, credited = first_of_either(touched, credited, play)
    return touched & ~play.captured, credited


WRONG_CREDITS: Mapping[str, CreditRule] = {OWN_FIRST: own_first, TAKEN_ANEW: taken_anew}
"""By the name of the rule in `evidence`."""


@lru_cache(CACHED)
def choice_law(key: ChoiceKey, komi: float, playouts: int) -> ChoiceLaw | None:
    """Return the law of the choice; None if there are too many states. The key has a candidate."""

    def records(rule: CreditRule) -> AmafRecords:
        return amaf_at(key, rule).records(komi, key.candidates)

    try:
        right = records(first_of_either)
    except StateLimitError:
        return None
    wrong: dict[str, AmafRecords] = {}
    if key.size <= SMALL:
        with suppress(StateLimitError):  # too many states: no bets on wrong records
            wrong = {name: records(rule) for name, rule in WRONG_CREDITS.items()}
    return _simulate_law(key.candidates, playouts, right, wrong)


def _simulate_law(
    candidates: tuple[Point, ...],
    playouts: int,
    records: AmafRecords,
    wrong: Mapping[str, AmafRecords],
) -> ChoiceLaw:
    """Return the law of the choice, counted in simulated searches.

    records   the AMAF records of a right bot
    wrong     those of bots with wrong records, by the name of the rule
    """
    width = max(len(candidates), len(records.probabilities))
    searches = max(FEWEST_DRAWN, min(DRAWN, MOST_RECORDS // width))
    extra = int(GROUPING_SHARE * searches)
    visits, wins = records.draw(playouts, extra + searches, SEED)
    # The groups come from searches of their own: shares of the same searches would be biased by the grouping.
    groups = _groups(choice_shares(rates(visits[:extra], wins[:extra])))
    visits, wins = visits[extra:], wins[extra:]
    right = choice_shares(rates(visits, wins))
    rules = _wrong_choices(visits, wins)
    for name, kept in wrong.items():
        rules[name] = choice_shares(rates(*kept.draw(playouts, searches, SEED)))
    return ChoiceLaw(
        candidates,
        tuple(right.tolist()),
        tuple(groups.tolist()),
        tuple(_bounds(_by_group(groups, right), searches).tolist()),
        {name: tuple(_by_group(groups, shares).tolist()) for name, shares in rules.items()},
    )


def _wrong_choices(visits: Floats, wins: Floats) -> dict[str, Floats]:
    """Return the shares of the candidates for each rule of `evidence.RATES` and ORDERS, from right records.

    visits, wins   a row for each simulated search, a column for each candidate
    """
    count = visits.shape[1]
    rate, seen = rates(visits, wins), visits > 0.0
    # A bot that takes the first point of the board takes the first one that its playouts ever played.
    ever = np.flatnonzero(seen.any(axis=0))
    first, last = (ever[0], ever[-1]) if ever.size else (0, count - 1)
    return {
        MOST_VISITS: choice_shares(visits),
        MOST_WINS: choice_shares(wins),
        SMOOTHED: choice_shares((wins + 1.0) / (visits + 2.0)),
        LOWEST: choice_shares(np.where(seen, -rate, -2.0)),  # below every -rate
        UNSEEN_WON: choice_shares(np.where(seen, rate, 1.0)),
        UNSEEN_EVEN: choice_shares(np.where(seen, rate, 0.5)),
        ANY: np.full(count, 1.0 / count),
        FIRST: np.eye(count)[first],
        LAST: np.eye(count)[last],
    }


def _groups(shares: Floats) -> npt.NDArray[np.int64]:
    """Return the group of each candidate: a group for each one that was chosen, the last for all others."""
    chosen = shares > 0.0
    return np.where(chosen, np.cumsum(chosen) - 1, chosen.sum())


def _by_group(groups: npt.NDArray[np.int64], shares: Floats) -> Floats:
    """Return the share of each group: the sum of the shares of its candidates."""
    return np.bincount(groups, shares).astype(np.float64)


def _bounds(shares: Floats, searches: int) -> Floats:
    """Return upper bounds of the true shares, from shares counted in simulated searches."""
    drawn = shares * searches
    # Bounds of a Poisson mean: the larger true mean has the larger standard error.
    return np.minimum(1.0, (drawn + SIGMAS * np.sqrt(drawn + 1.0) + SIGMAS**2 / 2.0) / searches)
