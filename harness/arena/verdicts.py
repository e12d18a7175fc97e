"""The verdicts on a run, as plain data: standings, parity of each pair, playouts, suspected faults.

`harness.arena.judge` makes them. The `About` of a field is its description in the CSV files and the docs.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, NamedTuple

from harness.arena.config.judging import ParityQuestion, Question
from harness.arena.pairings import Pairing
from harness.gtp import Colour

if TYPE_CHECKING:
    from harness.stats import Ratings

EQUAL, DIFFERENT, UNDECIDED = "equal", "different", "undecided"
PASSED, FAILED, STRONGER, WEAKER = "passed", "failed", "stronger", "weaker"
"""Verdicts on a pair by the question of the config, besides UNDECIDED: EQUAL and DIFFERENT on parity, PASSED
and FAILED of an SPRT, STRONGER and WEAKER on which bot is better."""
AGAINST, IN_FAVOUR = frozenset({DIFFERENT, FAILED, WEAKER}), frozenset({EQUAL, PASSED, STRONGER})
"""Verdicts against the first bot of a pair, or against parity; and in favour."""


class About(NamedTuple):
    """The meaning of a field of a verdict, and its unit. The field is a column of a CSV file of the run."""

    meaning: str
    unit: str = ""


@dataclass(frozen=True)
class Standing:
    """A row of the standings. Void games are counted separately; points and Elo come from the other games.

    With `forfeits = "loss"`, a game in which a bot failed is not void here, but a loss of this bot.
    """

    rank: Annotated[int, About("place in the standings, from 1")]
    bot: Annotated[str, About("name of the bot")]
    games: Annotated[int, About("games of the bot, without void games")]
    points: Annotated[float, About("a win counts 1, a draw ½", "points")]
    score: Annotated[float | None, About("points per game; empty without games")]
    elo: Annotated[float, About("rating; the mean of all bots is 0", "Elo")]
    elo_low: Annotated[float, About("lower bound of the rating (95 %)", "Elo")]
    elo_high: Annotated[float, About("upper bound of the rating (95 %)", "Elo")]
    voids: Annotated[int, About("games of the bot in which either bot failed")]
    crashes: Annotated[int, About("games in which the bot crashed")]
    timeouts: Annotated[int, About("games in which the bot answered too late")]
    illegal: Annotated[int, About("games in which the bot made an illegal move")]
    time_losses: Annotated[int, About("games that the bot lost on the clock; they count")] = 0


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
    """Verdict on the strength of two bots: the answer to the question of the config."""

    bot_a: Annotated[str, About("name of the first bot of the pair")]
    bot_b: Annotated[str, About("name of the second bot")]
    games: Annotated[int, About("judged games; a void or repeated game is left out with its partner")]
    score_a: Annotated[float, About("points per game of the first bot")]
    low: Annotated[float, About("lower bound of `score_a`")]
    high: Annotated[float, About("upper bound of `score_a`")]
    margin: Annotated[float, About("scores within ½ ± this margin are equal")]
    proved_margin: Annotated[float, About("the smallest margin for which the games show equality")]
    verdict: Annotated[
        str, About("equal or different; passed or failed (SPRT); stronger or weaker; or undecided")
    ]
    games_needed: float  # estimated number of games until a verdict; 0 with a verdict; may be infinite
    wins: Annotated[int, About("judged games that the first bot won")] = 0
    draws: Annotated[int, About("judged games without a winner")] = 0
    losses: Annotated[int, About("judged games that the first bot lost")] = 0
    pair_counts: Annotated[
        str, About("pairs of games in which the first bot had 0, ½, 1, 1½ and 2 points")
    ] = "0 0 0 0 0"
    elo: Annotated[float, About("Elo difference of the first bot", "Elo")] = 0.0
    elo_error: Annotated[float, About("`elo` ± this has 95 %, at a single look", "Elo")] = math.inf
    elo_low: Annotated[float, About("`low` as an Elo difference: a bound at any time", "Elo")] = -math.inf
    elo_high: Annotated[float, About("`high` as an Elo difference", "Elo")] = math.inf
    los: Annotated[float, About("probability that the first bot is stronger, at a single look")] = 0.5
    llr: Annotated[float | None, About("log likelihood ratio of the SPRT; empty without an SPRT")] = None
    llr_low: Annotated[float | None, About("the SPRT failed when `llr` reached this bound")] = None
    llr_high: Annotated[float | None, About("the SPRT passed when `llr` reached this bound")] = None
    pair: Annotated[int, About("number of the pair, which begins the ids of its games")] = 0
    conditions: Annotated[str, About("conditions of its `[[pair]]` that differ from `[run]`")] = ""


EMPTY_BOARD = "empty board"
ALL_PHASES = "all"
PHASES = ("opening", "middle", "end")


@dataclass(frozen=True)
class PlayoutStatistics:
    """The playouts of a bot in one phase of the games, compared with the reference's in the same positions.

    The phase "empty board" is about the first moves of games without an opening; it needs no audit, and says
    nothing about scores and choices.
    """

    bot: Annotated[str, About("name of the bot")]
    searches: Annotated[int, About("searches with a reported number of nodes")]
    playouts: Annotated[int, About("playouts of these searches")]
    nodes_per_playout: Annotated[float, About("mean length of the bot's playouts", "moves")]
    reference: Annotated[float, About("mean length of the reference's playouts", "moves")]
    deviation: Annotated[float, About("`nodes_per_playout` minus `reference`", "moves")]
    low: Annotated[float, About("lower bound of `deviation`", "moves")]
    high: Annotated[float, About("upper bound of `deviation`", "moves")]
    verdict: Annotated[str, About("verdict on the lengths: equal, different or undecided")]
    phase: Annotated[str, About("empty board (first moves, no audit), all, opening, middle or end")] = (
        EMPTY_BOARD
    )
    margin: Annotated[float | None, About("a `deviation` up to this counts as equal", "moves")] = None
    spread: Annotated[
        float | None, About("standard deviation of the searches, as a multiple of the expected one")
    ] = None
    score_searches: Annotated[int, About("searches with a reported score")] = 0
    score: Annotated[float | None, About("mean score that the bot reported, 0 to 1")] = None
    score_reference: Annotated[float | None, About("mean score of the reference")] = None
    score_deviation: Annotated[float | None, About("`score` minus `score_reference`")] = None
    score_low: Annotated[float | None, About("lower bound of `score_deviation`")] = None
    score_high: Annotated[float | None, About("upper bound of `score_deviation`")] = None
    score_margin: Annotated[float | None, About("a `score_deviation` up to this counts as equal")] = None
    score_spread: Annotated[float | None, About("standard deviation of the scores, as `spread`")] = None
    score_verdict: Annotated[str, About("verdict on the scores: equal, different or undecided")] = ""
    choices: Annotated[int, About("moves that were compared with moves of the reference")] = 0
    choice_rank: Annotated[
        float | None, About("mean rank of the bot's moves among the reference's by rate, 0 to 1; ½ is right")
    ] = None
    choice_verdict: Annotated[str, About("verdict on the moves: different or undecided")] = ""

    @property
    def verdicts(self) -> dict[str, str]:
        """The verdict on each of "lengths", "scores" and "moves" that was judged."""
        named = {"lengths": self.verdict, "scores": self.score_verdict, "moves": self.choice_verdict}
        return {name: verdict for name, verdict in named.items() if verdict}

    @property
    def differs(self) -> bool:
        """True if lengths, scores or moves are different from the reference's."""
        return DIFFERENT in self.verdicts.values()


@dataclass(frozen=True)
class Deviation:
    """A search that deviates from the reference."""

    bot: Annotated[str, About("name of the bot")]
    phase: Annotated[str, About("opening, middle or end")]
    game_id: Annotated[str, About("id of the game")]
    move: Annotated[int, About("number of the move in its game, from 1")]
    color: Annotated[Colour, About("b or w")]
    vertex: Annotated[str, About("the move, as in GTP")]
    statistic: Annotated[str, About("length or score")]
    playouts: Annotated[int, About("playouts of the search")]
    expected: Annotated[float, About("the statistic per playout of the reference")]
    observed: Annotated[float, About("the statistic per playout that the bot reported")]
    standard_errors: Annotated[float, About("`observed` minus `expected`", "standard errors")]
    reference_playouts: Annotated[int, About("playouts of the reference")]


UNKNOWN_FAULT = "something else"
"""Stands for a fault that is not in the registry, in place of its name."""


class Suspect(NamedTuple):
    """A fault of the registry, or UNKNOWN_FAULT, that may explain why a bot differs, and its probability.

    The probabilities of a bot's suspects may add up to less than 1: improbable faults are left out.
    """

    bot: str
    fault: str
    probability: float


@dataclass(frozen=True)
class Meetings:
    """The games of a bot against one opponent that are in the standings."""

    points: float = 0.0
    games: int = 0
    seconds: float = 0.0  # both bots' time for their moves

    def __add__(self, other: Meetings) -> Meetings:
        return Meetings(self.points + other.points, self.games + other.games, self.seconds + other.seconds)

    @property
    def seconds_per_game(self) -> float:
        """Mean time of a game. Raises ZeroDivisionError if no game was played."""
        return self.seconds / self.games


class ScoreCounts(NamedTuple):
    """Numbers of games that two passes or the move cap ended, if an engine was asked for the score.

    Only `resigned` counts games that ended otherwise.
    """

    games: int = 0
    by_players: int = 0
    by_referee: int = 0
    answered: int = 0  # both players reported a result
    agreed: int = 0  # both reported the same result
    as_area: int = 0  # both reported the result of our own count
    winner_as_area: int = 0  # both reported the same result, with the winner of our own count
    resigned: int = 0  # games that ended by resignation

    def plus(self, more: ScoreCounts) -> ScoreCounts:
        """Return the sums of these counts and `more`."""
        return ScoreCounts(*map(int.__add__, self, more))

    @property
    def by_area(self) -> int:
        """The games of `games` that our own count decided."""
        return self.games - self.by_players - self.by_referee

    @property
    def against_players(self) -> int:
        """Games in which our own count decides for another winner than both players report.

        0 if players or the referee engine scored any game.
        """
        return 0 if self.by_players or self.by_referee else self.agreed - self.winner_as_area


NOT_ASKED = ScoreCounts()


@dataclass(frozen=True)
class MatchVerdicts:
    """All verdicts on a run."""

    pairs: tuple[Pairing, ...]
    standings: tuple[Standing, ...]
    parity: tuple[PairParity, ...]
    playouts: tuple[PlayoutStatistics, ...]
    deviations: tuple[Deviation, ...]  # the audited searches that deviate most, by bot
    suspects: tuple[Suspect, ...]  # of the bots that differ, by bot, the most probable first
    ratings: Ratings
    crosstable: Mapping[tuple[str, str], Meetings]  # (bot, opponent)
    duplicates: Mapping[str, str]  # game: the earlier game of the same bots, colours and moves
    failures: Mapping[str, Counter[str]]  # bot: the number of its failures by reason
    causes: tuple[FailureCause, ...]  # of the first failure of each bot for each reason
    apart: Mapping[str, int]  # bot: games of an earlier program of the bot, which do not count
    games: int  # stored
    black_points: float  # points of Black in `black_games`
    black_games: int  # stored games that are in the standings
    question: Question = field(default_factory=ParityQuestion)
    scores: ScoreCounts = NOT_ASKED
    question_changes: tuple[str, ...] = ()  # made when results were known, as "after 8 games: …"

    @property
    def sound(self) -> bool:
        """True if no bot failed, none differs from the reference, and no verdict on a pair is in AGAINST."""
        return not (self.any_failed or any(row.verdict in AGAINST for row in self.parity))

    @property
    def any_failed(self) -> bool:
        """True if a bot failed in a game, or differs from the reference."""
        return any(r.differs for r in self.playouts) or any(self.failures.values())

    @property
    def decided(self) -> bool:
        """True if every pair has a verdict; dropped pairs, which play no further games, need none."""
        rows = zip(self.pairs, self.parity, strict=True)
        return all(row.verdict != UNDECIDED or pair.dropped for pair, row in rows)


def games_still_needed(games: float) -> str:
    """Describe a number of games: "about 120 more games", or "no end in sight" if it is infinite."""
    if math.isinf(games):
        return "no end in sight"
    number = math.ceil(games)
    return f"about {number:,} more {'game' if number == 1 else 'games'}"
