"""Judges the playouts of the bots of a run: on the empty board, and against the references of an audit.

`harness.arena.audit` has computed the references: refbot's playouts and moves in the positions of the games.
A search of a bot is compared with the reference in its position by three statistics: the length of a
playout (the nodes that the bot reported, per playout), the score that it reported, and the move that it
chose. Changes nothing in the store.
"""

from __future__ import annotations

import functools
import heapq
import math
import operator
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from harness.arena.config.tables import MatchConfig
from harness.arena.judge.empty_board import PLAYOUT_MARGIN, judge_stored_empty_board, verdict_of
from harness.arena.store.audit import AuditedChoice, AuditedSearch, ReferenceSums
from harness.arena.store.store import Store
from harness.arena.verdicts import (
    ALL_PHASES,
    DIFFERENT,
    PHASES,
    Deviation,
    PlayoutStatistics,
)
from harness.gtp import parse_vertex

if TYPE_CHECKING:
    from harness.stats import Estimate, PooledEvidence, Rank, RankEvidence

# harness.stats imports scipy, so functions import it when they are called (see `judge`).

SCORE_MARGIN = 0.005
"""Two mean scores (0 to 1) are equal if they differ by at most this. Chosen."""
SCORE_TOLERANCE = 0.0005
"""Largest rounding error of a reported score: bots print at least three decimals."""
LENGTH_FLOOR, SCORE_FLOOR = 1.0, 0.1
"""Lower bounds on the standard deviations of a playout's length (moves) and result.

Chosen: without them, a reference whose few playouts are all alike would call a right bot different.
"""
PHASE_ENDS = (0.25, 0.625)
"""The opening and the middle phase end after this many moves per point of the board. Chosen."""
LEANING = "leaning"
"""Name of the evidence that a bot chooses by a faulty rule (`harness.arena.audit.leanings`)."""
MOST_DEVIATIONS = 10
"""Largest deviations that are listed for each bot; a search may have two, in length and in score. Chosen."""


def phase_of(move: int, size: int) -> str:
    """The phase of a game (one of PHASES) to which move number `move`, from 1, belongs."""
    share = (move - 1) / size**2
    return PHASES[sum(share >= end for end in PHASE_ENDS)]


def judge_playouts(
    store: Store, config: MatchConfig
) -> tuple[tuple[PlayoutStatistics, ...], tuple[Deviation, ...]]:
    """Return (a row for each bot and phase that can be judged, the largest deviations of searches).

    Without an audit, there are rows for the empty board alone, and no deviations.

    With an audit, the empty board and the audit each get half of the run's alpha (chance of a false alarm).
    """
    counts = {engine.name: engine.playouts for engine in store.engines() if engine.playouts is not None}
    if not store.audit.count():
        return judge_stored_empty_board(store, config, counts, config.run.alpha), ()
    share = config.run.alpha / 2.0
    audited, worst = _AuditJudge(counts, config, share).judge(store)
    return judge_stored_empty_board(store, config, counts, share) + audited, worst


def differing_statistics(rows: Iterable[PlayoutStatistics]) -> dict[str, tuple[str, ...]]:
    """By bot that differs from the reference, which of "lengths", "scores" and "moves" differ."""
    found: dict[str, dict[str, None]] = {}
    for row in rows:
        for statistic, verdict in row.verdicts.items():
            if verdict == DIFFERENT:
                found.setdefault(row.bot, {})[statistic] = None
    return {bot: tuple(statistics) for bot, statistics in found.items()}


def estimates(sums: ReferenceSums) -> tuple[Estimate, Estimate]:
    """Return estimates of (length of a playout of the reference, its result for the side to move)."""
    from harness.stats import Estimate

    return (
        Estimate(sums.length, sums.length_sd, sums.playouts),
        Estimate(sums.score, sums.score_sd, sums.playouts),
    )


class _Pool:
    """The audited searches of one bot in one phase, and the evidence from them.

    lengths    the lengths that the bot reported, compared with the reference's
    scores     the scores that the bot reported, compared with the reference's
    ranks      ranks of the bot's moves among the reference's, by the name of a merit (`_ranks`)
    leanings   the same, by the name of a faulty rule of choice (`harness.arena.audit.leanings`)
    """

    def __init__(self) -> None:
        from harness.stats import PooledMean

        self.lengths = PooledMean(floor=LENGTH_FLOOR)
        self.scores = PooledMean(floor=SCORE_FLOOR, tolerance=SCORE_TOLERANCE, reach=1.0)  # scores: 0 to 1
        self.ranks: dict[str, RankEvidence] = {}
        self.leanings: dict[str, RankEvidence] = {}

    @cached_property
    def length_evidence(self) -> PooledEvidence | None:
        """The evidence about the lengths; None, and the pool is not judged, if no length was reported."""
        return self.lengths.evidence(margin_share=PLAYOUT_MARGIN)

    @cached_property
    def score_evidence(self) -> PooledEvidence | None:
        """The evidence about the reported scores; None if no score was reported."""
        return self.scores.evidence(margin=SCORE_MARGIN)

    def p_values(self) -> Iterator[tuple[str, float]]:
        """Yield (name of a test, its p-value), such as "length", "length spread", "choice rate".

        A test of a spread finds searches that vary less or more than the reference's playouts predict.
        """
        from harness.stats import p_of_any

        for name, evidence in (("length", self.length_evidence), ("score", self.score_evidence)):
            if evidence is not None:
                yield name, evidence.p_value
                yield f"{name} spread", min(1.0, 2.0 * min(evidence.narrow_p, evidence.wide_p))
        for name, ranks in self.ranks.items():
            yield f"choice {name}", ranks.p_value
        if self.leanings:
            yield f"choice {LEANING}", p_of_any(self.leanings.values())


class _AuditJudge:
    """Compares the audited searches with their references, in one pass over the store and constant memory."""

    def __init__(self, counts: Mapping[str, int], config: MatchConfig, alpha: float) -> None:
        """`counts`: by bot, its playouts per search. A bot that is not in `counts` is not judged."""
        self._counts = counts
        self._alpha = alpha
        self._config = config
        # By (bot, phase). Each search is in two pools: that of a phase, and that of all phases.
        self._pools: defaultdict[tuple[str, str], _Pool] = defaultdict(_Pool)
        # By bot, a heap of (size of the deviation, minus the number of the entry, deviation).
        self._worst: defaultdict[str, list[tuple[float, int, Deviation]]] = defaultdict(list)
        self._order = 0  # number of the entries so far: of equal deviations, the earlier one is kept

    def judge(self, store: Store) -> tuple[tuple[PlayoutStatistics, ...], tuple[Deviation, ...]]:
        """Judge all audited searches. Return (a row for each bot and phase, the largest deviations).

        The deviations are in the order of the bots, and for each bot the largest comes first. The chance of
        any false alarm is at most alpha.
        """
        from harness.stats import holm

        for _, group in groupby(store.audit.searches(), attrgetter("key")):
            self._add_position(list(group))
        for choice in store.audit.choices():
            self._add_choice(choice)
        judged = {key: pool for key, pool in self._pools.items() if pool.length_evidence is not None}
        tests = {_test_name(*key, name): p for key, pool in judged.items() for name, p in pool.p_values()}
        rejected = set(holm(tests, self._alpha).refused)
        order = [ALL_PHASES, *PHASES]
        rows = tuple(
            self._row(bot, phase, judged[bot, phase], rejected)
            for bot in self._counts
            for phase in order
            if (bot, phase) in judged
        )
        worst = [
            deviation
            for bot in self._counts
            for _, _, deviation in sorted(self._worst[bot], key=lambda entry: -entry[0])
        ]
        return rows, tuple(worst)

    def _add_position(self, searches: list[AuditedSearch]) -> None:
        """Add the searches of equivalent positions. The reference is the sum over all their playouts.

        All searches of a bot among them count in the phase of its first one.
        """
        length, result = estimates(functools.reduce(operator.add, (search.sums for search in searches)))
        by_bot: defaultdict[str, list[AuditedSearch]] = defaultdict(list)
        for search in searches:
            if search.bot in self._counts:
                by_bot[search.bot].append(search)
        for bot, own in by_bot.items():
            playouts = self._counts[bot]
            lengths = [(s.nodes / playouts, playouts) for s in own if s.nodes is not None]
            scores = [(s.score, playouts) for s in own if s.score is not None]
            for phase in (ALL_PHASES, phase_of(own[0].move, self._config.size_of(own[0].game_id))):
                pool = self._pools[bot, phase]
                if lengths:
                    pool.lengths.add(lengths, length)
                if scores:
                    pool.scores.add(scores, result)
            for search in own:
                self._note_deviations(search, playouts, length, result)

    def _note_deviations(
        self, search: AuditedSearch, playouts: int, length: Estimate, result: Estimate
    ) -> None:
        """Keep the deviations of a search that are among the MOST_DEVIATIONS largest of its bot."""
        from harness.stats import standard_errors

        observed = (
            ("length", None if search.nodes is None else search.nodes / playouts, length, LENGTH_FLOOR),
            ("score", search.score, result, SCORE_FLOOR),
        )
        for statistic, value, reference, floor in observed:
            if value is None:
                continue
            errors = standard_errors(value, playouts, reference, floor)
            deviation = Deviation(
                bot=search.bot,
                phase=phase_of(search.move, self._config.size_of(search.game_id)),
                game_id=search.game_id,
                move=search.move,
                color=search.colour,
                vertex=search.vertex,
                statistic=statistic,
                playouts=playouts,
                expected=reference.mean,
                observed=value,
                standard_errors=errors,
                reference_playouts=reference.playouts,
            )
            worst = self._worst[search.bot]
            self._order += 1
            keep = heapq.heappush if len(worst) < MOST_DEVIATIONS else heapq.heappushpop
            keep(worst, (abs(errors), -self._order, deviation))

    def _add_choice(self, choice: AuditedChoice) -> None:
        """Add the ranks of a bot's move among the reference's moves, and its leanings."""
        from harness.stats import HIGH, Rank, RankEvidence

        if choice.bot not in self._counts:
            return
        size = self._config.size_of(choice.game_id)
        ranks = dict(_ranks(choice, size))
        for phase in (ALL_PHASES, phase_of(choice.move, size)):
            pool = self._pools[choice.bot, phase]
            for name, rank in ranks.items():
                pool.ranks.setdefault(name, RankEvidence()).add(rank)
            for rule, (below, equal) in choice.leanings.items():
                rank = Rank(below, equal, len(choice.reference))
                pool.leanings.setdefault(rule, RankEvidence(HIGH)).add(rank)

    def _row(self, bot: str, phase: str, pool: _Pool, rejected: set[str]) -> PlayoutStatistics:
        """Return the row of a bot in a phase. `rejected`: names of the tests that found a difference."""

        def verdict(equivalence_p: float, *names: str) -> str:
            differs = any(_test_name(bot, phase, name) in rejected for name in names)
            return verdict_of(equivalence_p, self._config.run.beta, differs=differs)

        length, score = pool.length_evidence, pool.score_evidence
        assert length is not None, "pools without lengths are not judged"
        values = {**_figures(length, ""), "playouts": length.playouts}
        values["nodes_per_playout"] = length.reference + length.deviation
        values["verdict"] = verdict(length.equivalence_p, "length", "length spread")
        if score is not None:
            values |= {"score": score.reference + score.deviation, **_figures(score, "score_")}
            values["score_verdict"] = verdict(score.equivalence_p, "score", "score spread")
        if pool.ranks:
            values |= {"choices": pool.ranks["rate"].count, "choice_rank": pool.ranks["rate"].mean}
            names = (f"choice {name}" for name in (*pool.ranks, LEANING))
            values["choice_verdict"] = verdict(math.inf, *names)  # moves are never judged equal
        return PlayoutStatistics(bot=bot, phase=phase, **values)


def _test_name(bot: str, phase: str, name: str) -> str:
    return "/".join((bot, phase, name))


def _figures(evidence: PooledEvidence, prefix: str) -> dict[str, Any]:
    """The figures of the evidence, named as fields of PlayoutStatistics with this prefix."""
    names = ("searches", "reference", "deviation", "low", "high", "margin", "spread")
    return {prefix + name: getattr(evidence, name) for name in names}


def _ranks(choice: AuditedChoice, size: int) -> Iterator[tuple[str, Rank]]:
    """Yield (name of a merit of a move, rank of the bot's move by it among the reference's moves).

    rate        all-moves-as-first win rate of the move
    frequency   number of these moves that are the same
    place       number of the point, row by row: shows a bot that breaks ties by the order of the points
    """
    from harness.stats import rank_of

    bag = [*choice.reference, choice.vertex]
    merits = {
        "rate": [*choice.rates, choice.rate],
        "frequency": [float(bag.count(vertex)) for vertex in bag],
        "place": [_point_number(vertex, size) for vertex in bag],
    }
    for name, (*others, own) in merits.items():
        yield name, rank_of(own, others)


def _point_number(vertex: str, size: int) -> float:
    point = parse_vertex(vertex, size)
    return -1.0 if point is None else float(point[0] * size + point[1])
