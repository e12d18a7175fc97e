"""What a run says about its bots. Pure reading: the store in, tables out; a stored run can be judged again.

Results are read in the order of the schedule, and of each pair only up to the first game that is missing:
which games finish first says something about their results.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from harness.match.config import MatchConfig
from harness.match.records import FAILURES
from harness.match.schedule import Pairing, pairings
from harness.match.store import Store
from harness.oracle.expected import Expected, tables

if TYPE_CHECKING:
    from harness.stats import MeanEvidence, ParityEvidence, Ratings

# harness.stats is imported where it is needed: it brings scipy, which takes half a second and 70 MB, and
# every worker of a match imports this package.

EQUAL, DIFFERENT, UNDECIDED = "equal", "different", "undecided"
PLAYOUT_MARGIN = 0.0025
"""A mean playout length within ± this share of the reference's is equal to it."""


@dataclass(frozen=True)
class Standing:
    """A row of the table. Void games are counted apart; points and Elo come from the others."""

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

    @property
    def failures(self) -> int:
        """Void games that this bot is to blame for, those by a broken protocol left out."""
        return self.crashes + self.timeouts + self.illegal


@dataclass(frozen=True)
class Parity:
    """Whether two bots score alike; `games` are those that were judged."""

    bot_a: str
    bot_b: str
    games: int
    score_a: float
    low: float
    high: float
    margin: float
    proved_margin: float
    verdict: str
    games_needed: float  # about, until a verdict; 0 with one


@dataclass(frozen=True)
class PlayoutStatistics:
    """Playout lengths that a bot told about the empty board, against the reference."""

    bot: str
    searches: int
    playouts: int
    nodes_per_playout: float
    reference: float
    deviation: float
    low: float
    high: float
    verdict: str


@dataclass(frozen=True)
class Judgement:
    """Everything that is inferred from a run."""

    pairs: tuple[Pairing, ...]
    standings: tuple[Standing, ...]
    parity: tuple[Parity, ...]
    playouts: tuple[PlayoutStatistics, ...]
    ratings: Ratings
    crosstable: Mapping[tuple[str, str], tuple[float, int]]  # (bot, opponent): points, games
    duplicates: Mapping[str, str]  # game: the earlier one of the same bots, colours and moves
    failures: Mapping[str, Counter[str]]  # bot: how often it failed in which way
    games: int  # stored
    black_points: float
    black_games: int

    @property
    def sound(self) -> bool:
        """No bot failed, none deviates, and no pair is different."""
        verdicts = [row.verdict for row in self.parity] + [row.verdict for row in self.playouts]
        return DIFFERENT not in verdicts and not any(self.failures.values())

    @property
    def decided(self) -> bool:
        """Every pair is equal or different."""
        return all(row.verdict != UNDECIDED for row in self.parity)


@dataclass(frozen=True)
class _Row:
    game_id: str
    pair: int
    number: int
    black: str
    white: str
    black_points: float
    offender: str | None
    reason: str
    repeated: bool

    @property
    def counts(self) -> bool:
        return self.reason not in FAILURES


def judge(store: Store, config: MatchConfig) -> Judgement:
    """Judge all that is stored."""
    from harness.stats import Meeting, rate

    engines = store.engines()
    pairs = pairings(engines, config.run.format)
    duplicates: dict[str, str] = {}
    scores = _PairScores(pairs)
    meetings: Counter[tuple[str, str]] = Counter()
    points: defaultdict[tuple[str, str], float] = defaultdict(float)
    voids: Counter[str] = Counter()
    failures: dict[str, Counter[str]] = {name: Counter() for name in engines}
    games = 0
    for row in _rows(store, duplicates):
        games += 1
        scores.add(row)
        if row.counts:
            meetings[row.black, row.white] += 1
            points[row.black, row.white] += row.black_points
            continue
        voids.update((row.black, row.white))
        if row.offender is not None:
            failures[row.offender][row.reason] += 1
    ratings = rate([Meeting(b, w, count, points[b, w]) for (b, w), count in meetings.items()], names=engines)
    crosstable = _crosstable(meetings, points)
    return Judgement(
        pairs=tuple(pairs),
        standings=_standings(ratings, voids, failures),
        parity=_parity(pairs, scores, config),
        playouts=_playouts(store, config, engines),
        ratings=ratings,
        crosstable=crosstable,
        duplicates=duplicates,
        failures=failures,
        games=games,
        black_points=sum(points.values()),
        black_games=sum(meetings.values()),
    )


def decided_pairs(store: Store, config: MatchConfig) -> list[int]:
    """The numbers of the pairs whose verdict stands."""
    pairs = pairings(store.engines(), config.run.format)
    scores = _PairScores(pairs)
    for row in _rows(store, {}):
        scores.add(row)
    verdicts = _parity(pairs, scores, config)
    return [pair.number for pair, row in zip(pairs, verdicts, strict=True) if row.verdict != UNDECIDED]


def _rows(store: Store, duplicates: dict[str, str]) -> Iterator[_Row]:
    """All games in schedule order; those that repeat an earlier one are put down in `duplicates`.

    To repeat a game is to play the same moves with the same colours. Two bots that play one opening alike
    with colours exchanged have shown something; the third such game shows nothing more.
    """
    first_with: dict[tuple[str, str, bytes], str] = {}
    query = (
        "SELECT game_id, pair, number, black, white, winner, offender, reason, line FROM game "
        "ORDER BY number, pair"
    )
    for game_id, pair, number, black, white, winner, offender, reason, line in store.each(query):
        if reason not in FAILURES:
            earlier = first_with.setdefault((black, white, line), game_id)
            if earlier != game_id:
                duplicates[game_id] = earlier
        black_points = 0.5 if winner is None else float(winner == "b")
        culprit = None if offender is None else black if offender == "b" else white
        repeated = game_id in duplicates
        yield _Row(game_id, pair, number, black, white, black_points, culprit, reason, repeated)


class _PairScores:
    """Scores of the first engine of each pair over two games with colours exchanged, 0 to 2, in order."""

    def __init__(self, pairs: list[Pairing]) -> None:
        self._pairs = {pair.number: pair for pair in pairs}
        self._expected: Counter[int] = Counter()
        self._odd: dict[int, float | None] = {}
        self.scores: defaultdict[int, list[float]] = defaultdict(list)

    def add(self, row: _Row) -> None:
        """The next game of the schedule."""
        pair = row.pair
        if pair not in self._pairs or row.number != self._expected[pair] + 1:
            return  # a game before this one is missing: this one has to wait for it
        self._expected[pair] = row.number
        score: float | None = None
        if row.counts and not row.repeated:
            score = row.black_points if row.black == self._pairs[pair].first else 1.0 - row.black_points
        if row.number % 2:
            self._odd[pair] = score
            return
        before = self._odd[pair]
        if before is not None and score is not None:
            self.scores[pair].append(before + score)


def _parity(pairs: list[Pairing], scores: _PairScores, config: MatchConfig) -> tuple[Parity, ...]:
    from harness.stats import holm, judge_parity

    run = config.run
    share = run.alpha / max(1, len(pairs))
    evidence = {
        pair.number: judge_parity(scores.scores[pair.number], margin=run.margin, alpha=share, beta=run.beta)
        for pair in pairs
    }
    # Holm refuses whatever Bonferroni's equal shares refuse, and sometimes more.
    refused = {
        s.name
        for s in holm({str(k): e.different_p for k, e in evidence.items()}, run.alpha).shares
        if s.refused
    }
    return tuple(_parity_row(pair, evidence[pair.number], str(pair.number) in refused) for pair in pairs)


def _parity_row(pair: Pairing, evidence: ParityEvidence, refused: bool) -> Parity:
    verdict = DIFFERENT if refused else evidence.verdict
    return Parity(
        bot_a=pair.first,
        bot_b=pair.second,
        games=evidence.games,
        score_a=evidence.score,
        low=evidence.low,
        high=evidence.high,
        margin=evidence.margin,
        proved_margin=evidence.proved_margin,
        verdict=verdict,
        games_needed=0.0 if verdict != UNDECIDED else evidence.games_needed,
    )


def _standings(
    ratings: Ratings, voids: Mapping[str, int], failures: Mapping[str, Counter[str]]
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
        )
        for rank, bot in enumerate(ratings.bots, 1)
    )


def _crosstable(
    games: Mapping[tuple[str, str], int], points: Mapping[tuple[str, str], float]
) -> dict[tuple[str, str], tuple[float, int]]:
    table: dict[tuple[str, str], tuple[float, int]] = {}
    for (black, white), count in games.items():
        won = points[black, white]
        for key, own in (((black, white), won), ((white, black), count - won)):
            before = table.get(key, (0.0, 0))
            table[key] = before[0] + own, before[1] + count
    return table


# --- playouts -----------------------------------------------------------------------------------------------


def _playouts(store: Store, config: MatchConfig, engines: list[str]) -> tuple[PlayoutStatistics, ...]:
    """A row for each bot that told its nodes on the empty board, where the oracle knows what is right."""
    from harness.stats import holm

    moments = empty_board(config.run.size, config.run.komi)
    if moments is None:
        return ()
    counts = dict(store.rows("SELECT name, playouts FROM engine WHERE playouts IS NOT NULL"))
    totals: dict[str, list[int]] = {name: [] for name in engines if name in counts}
    query = (
        "SELECT game.black, search.nodes FROM game JOIN search ON search.game = game.id AND search.move = 1 "
        "WHERE game.opening_moves = 0 AND search.nodes IS NOT NULL ORDER BY game.number, game.pair"
    )
    for bot, nodes in store.each(query):
        if bot in totals:
            totals[bot].append(nodes)
    judged = {bot: _judge_nodes(nodes, counts[bot], moments) for bot, nodes in totals.items() if nodes}
    refused = {
        s.name
        for s in holm({bot: e.p_value for bot, e in judged.items()}, config.run.alpha).shares
        if s.refused
    }
    return tuple(
        PlayoutStatistics(
            bot=bot,
            searches=e.searches,
            playouts=e.playouts,
            nodes_per_playout=e.mean,
            reference=moments.mean_length,
            deviation=e.deviation,
            low=e.low,
            high=e.high,
            verdict=DIFFERENT
            if bot in refused
            else EQUAL
            if e.equivalence_p <= config.run.beta
            else UNDECIDED,
        )
        for bot, e in judged.items()
    )


def _judge_nodes(totals: list[int], playouts: int, moments: Expected) -> MeanEvidence:
    from harness.stats import Reference, judge_mean

    reference = Reference(
        moments.mean_length,
        moments.sd_length,
        moments.se_length,
        moments.skew_length,
        moments.kurtosis_length,
    )
    return judge_mean(totals, playouts, reference, margin=PLAYOUT_MARGIN * moments.mean_length)


def empty_board(size: int, komi: float) -> Expected | None:
    """The moments of a playout from the empty board, None where they are not tabulated.

    The length does not depend on the komi.
    """
    known = tables()
    exact = known.get(f"{size}x{size} empty, komi {komi:g}")
    if exact is not None:
        return exact
    return next((e for name, e in known.items() if name.startswith(f"{size}x{size} empty,")), None)


def games_still_needed(games: float) -> str:
    """`games_needed` in words."""
    return "no end in sight" if math.isinf(games) else f"about {math.ceil(games):,} more games"
