"""The verdicts on a run: standings, parity of each pair, playout lengths. Plain data, made by `judge`."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from harness.arena.pairings import Pairing
from harness.gtp import Colour

if TYPE_CHECKING:
    from harness.stats import Ratings

EQUAL, DIFFERENT, UNDECIDED = "equal", "different", "undecided"


@dataclass(frozen=True)
class Standing:
    """A row of the standings. Void games are counted separately; points and Elo come from the other games."""

    rank: int
    bot: str
    games: int
    points: float
    score: float | None
    elo: float
    elo_low: float
    elo_high: float
    voids: int
    crashes: int
    timeouts: int
    illegal: int


@dataclass(frozen=True)
class FailureCause:
    """The first failure of a bot for one reason: in which game, what happened, what to do."""

    bot: str
    reason: str
    game_id: str
    detail: str
    hint: str  # empty where nothing is known to help


@dataclass(frozen=True)
class PairParity:
    """Verdict on the equal strength of two bots. `games` counts the games that were judged."""

    bot_a: str
    bot_b: str
    games: int
    score_a: float
    low: float
    high: float
    margin: float
    proved_margin: float
    verdict: str
    games_needed: float  # estimated number of games until a verdict; 0 with a verdict


EMPTY_BOARD = "empty board"
ALL_PHASES = "all"
PHASES = ("opening", "middle", "end")


@dataclass(frozen=True)
class PlayoutStatistics:
    """The playouts of a bot in one phase of the games, compared with the reference's in the same positions.

    The phase "empty board" is about the first moves of games without an opening; it needs no audit, and says
    nothing about scores and choices. `deviation` is in moves per playout, `score_deviation` in points of
    `ref-score`; `low` and `high` bound them. `spread` is the standard deviation of the searches, as a
    multiple of the expected one. `choices` counts the moves that were compared with moves of the reference.
    """

    bot: str
    searches: int
    playouts: int
    nodes_per_playout: float
    reference: float
    deviation: float
    low: float
    high: float
    verdict: str
    phase: str = EMPTY_BOARD
    margin: float | None = None
    spread: float | None = None
    score_searches: int = 0
    score: float | None = None
    score_reference: float | None = None
    score_deviation: float | None = None
    score_low: float | None = None
    score_high: float | None = None
    score_margin: float | None = None
    score_spread: float | None = None
    score_verdict: str = ""
    choices: int = 0
    choice_rank: float | None = (
        None  # mean rank of the bot's moves among the reference's, by rate; ½ is right
    )
    choice_verdict: str = ""

    @property
    def verdicts(self) -> dict[str, str]:
        """The verdict on each statistic that was judged."""
        named = {"lengths": self.verdict, "scores": self.score_verdict, "moves": self.choice_verdict}
        return {name: verdict for name, verdict in named.items() if verdict}

    @property
    def differs(self) -> bool:
        """Lengths, scores or moves are different from the reference's."""
        return DIFFERENT in self.verdicts.values()


@dataclass(frozen=True)
class Deviation:
    """A search that deviates from the reference. `statistic` is length or score.

    `expected` and `observed` are per playout; `standard_errors` is their distance in standard errors.
    """

    bot: str
    phase: str
    game_id: str
    move: int
    color: Colour
    vertex: str
    statistic: str
    playouts: int
    expected: float
    observed: float
    standard_errors: float
    reference_playouts: int


UNKNOWN_FAULT = "something else"
"""In place of the name of a fault: none of the registry."""


class Suspect(NamedTuple):
    """A fault of the registry, or UNKNOWN_FAULT, that would explain in what a bot differs.

    The probabilities of a bot add up to 1 with those of the faults that are not named.
    """

    bot: str
    fault: str
    probability: float


@dataclass(frozen=True)
class Meetings:
    """The games of a bot against one opponent, without void games."""

    points: float = 0.0
    games: int = 0
    seconds: float = 0.0  # that both bots took for their moves

    def __add__(self, other: Meetings) -> Meetings:
        return Meetings(self.points + other.points, self.games + other.games, self.seconds + other.seconds)

    @property
    def seconds_per_game(self) -> float:
        """Mean time of a game. Raises ZeroDivisionError without games."""
        return self.seconds / self.games


@dataclass(frozen=True)
class MatchVerdicts:
    """Everything that is inferred from a run."""

    pairs: tuple[Pairing, ...]
    standings: tuple[Standing, ...]
    parity: tuple[PairParity, ...]
    playouts: tuple[PlayoutStatistics, ...]
    deviations: tuple[Deviation, ...]  # the audited searches that deviate most, by bot
    suspects: tuple[Suspect, ...]  # what bots that differ look like, by bot, the most probable first
    ratings: Ratings
    crosstable: Mapping[tuple[str, str], Meetings]  # (bot, opponent)
    duplicates: Mapping[str, str]  # game: the earlier game of the same bots, colours and moves
    failures: Mapping[str, Counter[str]]  # bot: the number of its failures by reason
    causes: tuple[FailureCause, ...]  # the first failure of each bot and reason
    apart: Mapping[str, int]  # bot: games of an earlier program of the bot, which do not count
    games: int  # stored
    black_points: float
    black_games: int

    @property
    def sound(self) -> bool:
        """No bot failed, no bot differs from the reference, and no pair is different."""
        different = any(row.verdict == DIFFERENT for row in self.parity)
        return not (different or any(r.differs for r in self.playouts) or any(self.failures.values()))

    @property
    def decided(self) -> bool:
        """Every pair is equal or different."""
        return all(row.verdict != UNDECIDED for row in self.parity)


def games_still_needed(games: float) -> str:
    """`games_needed` in words."""
    return "no end in sight" if math.isinf(games) else f"about {math.ceil(games):,} more games"
