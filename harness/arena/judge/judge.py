"""Judges the bots of a stored run: standings, parity of each pair, playouts. Changes nothing in the store.

Parity is equal strength. It is judged on results in schedule order, for each pair of bots up to its first
missing game. The order of completion would be biased, because short games finish first.

Three kinds of games count less: void games, in which a bot failed (with `forfeits = "loss"` they count);
duplicates (`duplicates`), which repeat an earlier game; and games apart (`programs`), which an earlier
program of a bot played.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING

from harness.arena.config.pairs import pairs_of
from harness.arena.config.tables import MatchConfig
from harness.arena.judge.duplicates import Duplicates
from harness.arena.judge.failure_hint import cause_of
from harness.arena.judge.pairs import PairResults, judge_pairs
from harness.arena.judge.playouts import differing_statistics, judge_playouts
from harness.arena.judge.programs import games_apart
from harness.arena.pairings import Pairing
from harness.arena.store.rows import GameResult, question_changes
from harness.arena.store.store import Store
from harness.arena.verdicts import (
    Deviation,
    MatchVerdicts,
    Meetings,
    PlayoutStatistics,
    ScoreCounts,
    Standing,
)

if TYPE_CHECKING:
    from harness.stats import Ratings

# harness.stats imports scipy (half a second, 70 MB). Every worker of a match imports this package, so the
# functions below import harness.stats only when they are called.


def judge(store: Store, config: MatchConfig) -> MatchVerdicts:
    """Judge all stored games."""
    apart = games_apart(store)
    left_out = set(chain(*apart.values()))
    tally = Tally(store.engine_names(), config)
    for result in store.results():
        tally.add(result, apart=result.game_id in left_out)
    playouts, deviations = judge_playouts(store, config)
    return tally.verdicts(playouts, deviations, store, apart, store.score_counts())


class Tally:
    """Sums up the results of a run. The games of a pair must be added in the order of their numbers."""

    def __init__(self, engines: Sequence[str], config: MatchConfig) -> None:
        self.pairs = pairs_of(config, engines)
        self._engines = engines
        self._config = config
        self._duplicates = Duplicates()
        self._forfeits_count = config.run.forfeits == "loss"
        self._scores = _PairScores(self.pairs, forfeits_count=self._forfeits_count)
        # By (bot with Black, bot with White): games, points of Black, and time for the moves.
        self._meetings: Counter[tuple[str, str]] = Counter()
        self._points: defaultdict[tuple[str, str], float] = defaultdict(float)
        self._seconds: defaultdict[tuple[str, str], float] = defaultdict(float)
        self._voids: Counter[str] = Counter()
        self._failures: dict[str, Counter[str]] = {name: Counter() for name in engines}
        self._time_losses: Counter[str] = Counter()
        self._games = 0
        # By (bot, reason of its failure), the first game: (number, pair, id).
        self._first_failed: dict[tuple[str, str], tuple[int, int, str]] = {}

    def add(self, result: GameResult, *, apart: bool) -> None:
        """Add a game.

        apart   an earlier program of a bot played it: it has no points and no share in a verdict. If it is
                void, it is counted among the void games and the failures all the same
        """
        self._games += 1
        counts = not apart and not self._duplicates.add(result)
        self._scores.add(result, counts=counts)  # in any case: later games of the pair wait for it
        if apart and not result.void:
            return
        if not result.void or (self._forfeits_count and not apart):
            self._add_points(result)
        else:
            self._voids.update((result.black, result.white))
        if result.void:
            self._add_failure(result)

    def _add_points(self, result: GameResult) -> None:
        """Add a game to the crosstable and the standings."""
        self._meetings[result.black, result.white] += 1
        self._points[result.black, result.white] += _black_points(result)
        self._seconds[result.black, result.white] += result.seconds
        if result.reason == "time":
            self._time_losses[result.white if result.winner == "b" else result.black] += 1

    def _add_failure(self, result: GameResult) -> None:
        """Count the failure of the offender, and note the first game in which it failed for this reason."""
        if result.offender is None:
            return
        offender = result.black if result.offender == "b" else result.white
        self._failures[offender][result.reason] += 1
        kind, game = (offender, result.reason), (result.number, result.pair, result.game_id)
        self._first_failed[kind] = min(game, self._first_failed.get(kind, game))

    def verdicts(
        self,
        playouts: tuple[PlayoutStatistics, ...],
        deviations: tuple[Deviation, ...],
        store: Store,
        apart: Mapping[str, Sequence[str]],
        scores: ScoreCounts,
    ) -> MatchVerdicts:
        """The verdicts on the games that were added, together with those on the playouts.

        store   for the failures, the suspects and the events
        apart   the games of earlier programs, by bot
        """
        from harness.stats import Meeting, rate

        points = self._points
        ratings = rate(
            [Meeting(b, w, count, points[b, w]) for (b, w), count in self._meetings.items()],
            names=self._engines,
        )
        differing = differing_statistics(playouts)
        failed = store.failures_of(game_id for _, _, game_id in sorted(self._first_failed.values()))
        return MatchVerdicts(
            pairs=tuple(self.pairs),
            standings=_standings(ratings, self._voids, self._failures, self._time_losses),
            parity=judge_pairs(self.pairs, self._scores.results, self._config),
            playouts=playouts,
            deviations=deviations,
            suspects=tuple(suspect for suspect in store.diagnoses.suspects() if suspect.bot in differing),
            ratings=ratings,
            crosstable=_crosstable(self._meetings, points, self._seconds),
            duplicates=self._duplicates.found,
            failures=self._failures,
            causes=tuple(cause_of(failure, self._config) for failure in failed),
            apart={bot: len(games) for bot, games in apart.items()},
            games=self._games,
            black_points=sum(points.values()),
            black_games=sum(self._meetings.values()),
            question=self._config.judge,
            scores=scores,
            question_changes=question_changes(store.events()),
        )


def pair_scores(store: Store, config: MatchConfig) -> dict[int, list[float]]:
    """Return the scores of each pair by its number: the points of its first engine in two games, 0 to 2.

    A pair without a score may be missing.
    """
    pairs = pairs_of(config, store.engine_names())
    scores = _PairScores(pairs, forfeits_count=config.run.forfeits == "loss")
    duplicates = Duplicates()
    apart = set(chain(*games_apart(store).values()))
    for result in store.results():
        scores.add(result, counts=result.game_id not in apart and not duplicates.add(result))
    return {number: pair.scores for number, pair in scores.results.items()}


def _black_points(result: GameResult) -> float:
    """The points of Black: 1 for a win, ½ for a draw."""
    return 0.5 if result.winner is None else float(result.winner == "b")


class _PairScores:
    """Collects scores of the first engine of each pair: 0 to 2 points for two partners.

    Games 2k - 1 and 2k of a pair are partners: unless colours are fixed, the same opening with both colours.
    """

    def __init__(self, pairs: list[Pairing], *, forfeits_count: bool) -> None:
        """`forfeits_count`: a game in which an engine failed is a loss of this engine, and not void."""
        self._forfeits_count = forfeits_count
        self._pairs = {pair.number: pair for pair in pairs}
        self._added: Counter[int] = Counter()  # by pair, number of the last game that was added
        self._odd: dict[int, float | None] = {}  # by pair, score of its last game with an odd number
        self.results: defaultdict[int, PairResults] = defaultdict(PairResults)

    def add(self, result: GameResult, *, counts: bool) -> None:
        """Add the next game of the schedule. If it does not count, its partner does not count either.

        A game after a missing one of its pair is ignored.
        """
        pair = result.pair
        if pair not in self._pairs or result.number != self._added[pair] + 1:
            return
        self._added[pair] = result.number
        score: float | None = None
        if counts and (self._forfeits_count or not result.void):
            points = _black_points(result)
            score = points if result.black == self._pairs[pair].first else 1.0 - points
        if result.number % 2:
            self._odd[pair] = score
            return
        before = self._odd[pair]
        if before is not None and score is not None:
            self.results[pair].add(before, score)


def _standings(
    ratings: Ratings,
    voids: Mapping[str, int],
    failures: Mapping[str, Counter[str]],
    time_losses: Mapping[str, int],
) -> tuple[Standing, ...]:
    return tuple(
        Standing(
            rank=rank,
            bot=bot.name,
            games=bot.games,
            points=bot.points,
            score=bot.points / bot.games if bot.games else None,
            elo=bot.elo,
            elo_low=bot.low,
            elo_high=bot.high,
            voids=voids[bot.name],
            crashes=failures[bot.name]["crash"],
            timeouts=failures[bot.name]["timeout"],
            illegal=failures[bot.name]["illegal"] + failures[bot.name]["superko"],
            time_losses=time_losses[bot.name],
        )
        for rank, bot in enumerate(ratings.bots, 1)
    )


def _crosstable(
    games: Mapping[tuple[str, str], int],
    points: Mapping[tuple[str, str], float],
    seconds: Mapping[tuple[str, str], float],
) -> dict[tuple[str, str], Meetings]:
    """By (bot, opponent), the games of the bot with either colour. The arguments are by (Black, White)."""
    table: dict[tuple[str, str], Meetings] = {}
    for (black, white), count in games.items():
        won = points[black, white]
        for key, own in (((black, white), won), ((white, black), count - won)):
            table[key] = table.get(key, Meetings()) + Meetings(own, count, seconds[black, white])
    return table
