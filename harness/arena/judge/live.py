"""Judges a run while it is played.

Each call of `judge_new` reads the games that were stored since the call before, and judges each pair of bots
up to its first missing game. If the program of a bot has changed, the call judges all games anew.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

from harness.arena.config.tables import MatchConfig
from harness.arena.judge.empty_board import add_first_searches, judge_empty_board
from harness.arena.judge.judge import Tally
from harness.arena.judge.playouts import judge_playouts
from harness.arena.judge.programs import Programs
from harness.arena.store.rows import GameResult
from harness.arena.store.store import Store
from harness.arena.verdicts import EMPTY_BOARD, NOT_ASKED, Deviation, MatchVerdicts, PlayoutStatistics


@dataclass(frozen=True)
class NewGames:
    """The games that one call of `judge_new` has judged, in this order.

    `complete`: these are all games judged so far: no earlier call read a game, or the call judged all anew.
    """

    ids: tuple[str, ...]
    failed: tuple[str, ...]  # the void games among them
    complete: bool


class LiveJudge:
    """Judges the games of each pair in their order, up to the first one that is not stored yet.

    Once all games are stored, the verdicts are those of `judge`. The findings of an audit are read only once.
    """

    def __init__(self, store: Store, config: MatchConfig) -> None:
        self._store = store
        self._config = config
        self._restart()

    def _restart(self) -> None:
        """Forget all games: the next `judge_new` judges all of them again."""
        self._tally = Tally(self._store.engine_names(), self._config)
        self._read = 0  # the key of the last game in the store that was read
        self._programs = Programs()
        self._totals: defaultdict[str, list[int]] = defaultdict(list)  # as in `judge_empty_board`
        self._scores = NOT_ASKED
        # By pair, then by number: games that wait because an earlier game of the pair is missing.
        self._waiting: defaultdict[int, dict[int, GameResult]] = defaultdict(dict)
        self._next: defaultdict[int, int] = defaultdict(lambda: 1)  # by pair, number of its next game
        self._complete = True  # `NewGames.complete` of the next call

    def judge_new(self) -> NewGames:
        """Read the games that were stored since the last call, and return those that could be judged.

        A game is judged once all earlier games of its pair are stored.
        """
        results = self._read_new()
        if not results:
            return NewGames((), (), self._complete)
        apart = set(chain(*self._programs.apart.values()))  # games of an earlier program of a bot
        judged: list[GameResult] = []
        for result in results:
            waiting = self._waiting[result.pair]
            waiting[result.number] = result
            while (ready := waiting.pop(self._next[result.pair], None)) is not None:
                self._next[result.pair] += 1
                self._tally.add(ready, apart=ready.game_id in apart)
                judged.append(ready)
        complete, self._complete = self._complete, False
        return NewGames(
            tuple(result.game_id for result in judged),
            tuple(result.game_id for result in judged if result.void),
            complete,
        )

    def _read_new(self) -> list[GameResult]:
        """Read the games that were stored since the last call; all games if the program of a bot changed."""
        rows = self._store.results_after(self._read)
        if not rows:
            return []
        program_changed = self._programs.add(self._store.programs(self._read, rows[-1][0]))
        if program_changed:
            self._restart()  # games of the earlier program no longer count: all are read again
            rows = self._store.results_after(0)
            self._programs.add(self._store.programs(last=rows[-1][0]))
        last = rows[-1][0]
        searches = self._store.first_searches(empty_board=True, after=self._read, last=last)
        add_first_searches(searches, self._totals, self._config)
        self._scores = self._scores.plus(self._store.score_counts(self._read, last))
        self._read = last
        return [result for _, result in rows]

    def verdicts(self) -> MatchVerdicts:
        """The verdicts on the games judged so far; those on playouts and scores, on all games read."""
        rows, deviations = self._audit
        counts = {e.name: e.playouts for e in self._store.engines() if e.playouts is not None}
        # Searches of empty boards and the audit share alpha, as in `judge_playouts`. The former are judged
        # here with the new games, so the rows of the audit about them are replaced.
        alpha = self._config.run.alpha / (2.0 if rows else 1.0)
        audited = tuple(row for row in rows if row.phase != EMPTY_BOARD)
        playouts = judge_empty_board(self._totals, self._config, counts, alpha) + audited
        return self._tally.verdicts(playouts, deviations, self._store, self._programs.apart, self._scores)

    @cached_property
    def _audit(self) -> tuple[tuple[PlayoutStatistics, ...], tuple[Deviation, ...]]:
        """The judgement of an earlier audit; empty without one. No audit runs while games are played."""
        return judge_playouts(self._store, self._config) if self._store.audit.count() else ((), ())
