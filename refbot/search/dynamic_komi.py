"""Dynamic komi: the komi of a search follows the margin of earlier playouts.

Source: Hiroshi Yamashita (program Aya), computer-go list, April 2010. He also describes the variant for
handicap games, from the program Many Faces.
"""

from __future__ import annotations

import math
import sys
from collections import deque
from dataclasses import dataclass
from typing import Literal

from refbot.errors import RefbotError
from refbot.rules import BLACK, EMPTY, Game, Move

LARGEST_SHARE = 0.95  # of the way to the margin; this and the next three are Yamashita's
HALF_POINT = 0.5  # added to a mean margin
POINTS_A_STONE = 7  # komi for each handicap stone
HANDICAP_FADES_BY = 90  # moves until the komi for handicap stones is 0
LARGEST_EXPONENT = 700.0  # exp overflows from 710 on
MODES = "handicap, searches[:N][,slope=S][,offset=O] or playouts[:N][,slope=S][,offset=O], with N from 1 on"


class UnknownModeError(RefbotError, ValueError):
    """A mode of dynamic komi that does not exist, or whose settings are not acceptable."""

    def __init__(self, mode: str) -> None:
        self.mode = mode
        super().__init__(f"unknown dynamic komi {mode!r}: expected {MODES}")


@dataclass(frozen=True)
class DynamicKomi:
    """The source of the komi, and how far the komi may follow it. A margin is Black's lead, without komi.

    source   "searches": the mean margin of the bot's last `count` searches. "playouts": the mean margin of
             the first `count` playouts of this search. "handicap": 7 points for each handicap stone, fewer as
             the game goes on; this ignores the other fields
    slope    how fast the komi stops following the margin as the board fills
    offset   fraction of the board by which this comes later than half full
    """

    source: Literal["searches", "playouts", "handicap"] = "searches"
    count: int = 1
    slope: float = 20.0
    offset: float = 0.05

    def share(self, occupied: float) -> float:
        """Return the fraction of the way from the real komi to the margin, a logistic curve.

        `occupied` is the fraction of points with stones. With the default slope and offset, the share is 0.95
        on an empty board, 0.73 at one half and 0.02 at three quarters.
        """
        t = (1.0 - occupied) - 0.5 + self.offset
        exponent = min(LARGEST_EXPONENT, -self.slope * t)
        return min(LARGEST_SHARE, 1.0 / (1.0 + math.exp(exponent)))

    def pulled_back(self, real: float, latest: float, occupied: float) -> float:
        """Return the komi to play with: whole points from `real` towards the `latest` mean margin."""
        return real + int(self.share(occupied) * int(latest - real))


DEFAULT_COUNTS = {"searches": 1, "playouts": 100, "handicap": 1}


def parse_mode(mode: str) -> DynamicKomi:
    """Return the dynamic komi that a text like "searches:4,slope=10" names. Raises UnknownModeError."""
    head, *settings = mode.split(",")
    source, _, count = head.partition(":")
    if source not in DEFAULT_COUNTS:
        raise UnknownModeError(mode)
    try:
        given = {name: float(value) for name, value in (setting.split("=") for setting in settings)}
        number = int(count) if count else DEFAULT_COUNTS[source]
    except ValueError:
        raise UnknownModeError(mode) from None
    known = set(given) <= {"slope", "offset"} and all(map(math.isfinite, given.values()))
    if number < 1 or not known or (source == "handicap" and (given or count)):
        raise UnknownModeError(mode)
    return DynamicKomi(source, number, **given)  # type: ignore[arg-type]  # one of the three


class Komi:
    """The komi of one search after another; without a `rule`, that of the game.

    The margins are forgotten when another game begins, or the game has fewer moves than at the last search.
    """

    def __init__(self, rule: DynamicKomi | None) -> None:
        self.rule = rule
        self._margins: deque[float] = deque(maxlen=min(rule.count, sys.maxsize) if rule else 1)
        self._game_moves: list[Move] = []  # of the game of the last search; a new game has a new list
        self._moves = 0  # their number at that search

    @property
    def first_playouts(self) -> int:
        """The number of playouts at the real komi that a search needs before its komi is known."""
        return self.rule.count if self.rule is not None and self.rule.source == "playouts" else 0

    def for_search(self, game: Game, first_lead: float | None = None) -> float:
        """Return the komi of the next search.

        `first_lead` is the mean margin of its first playouts, None if it has none. The real komi holds until
        a margin is known.
        """
        rule = self.rule
        if rule is None:
            return game.komi
        if game.moves is not self._game_moves or len(game.moves) < self._moves:
            self._margins.clear()
        self._game_moves, self._moves = game.moves, len(game.moves)
        if rule.source == "handicap":
            return game.komi + handicap_komi(game)
        latest = first_lead if rule.source == "playouts" else self._mean()
        if latest is None:
            return game.komi
        occupied = sum(stone != EMPTY for stone in game.stones) / game.size**2
        return rule.pulled_back(game.komi, latest + HALF_POINT, occupied)

    def learn(self, mean_lead: float) -> None:
        """Keep the mean margin of a search that has ended."""
        self._margins.append(mean_lead)

    def _mean(self) -> float | None:
        return sum(self._margins) / len(self._margins) if self._margins else None


def handicap_komi(game: Game) -> float:
    """Return the points that Black gives for its handicap stones: 7 each, none 90 moves later.

    Handicap stones are Black's moves before White's first, passes included, if there are two or more.
    """
    stones = next((k for k, move in enumerate(game.moves) if move.colour != BLACK), len(game.moves))
    played = len(game.moves) - stones
    if stones < 2 or played >= HANDICAP_FADES_BY:
        return 0.0
    return float(round(POINTS_A_STONE * stones * (1 - played / HANDICAP_FADES_BY)))
