"""Coordinates a run: gives out games, counts stored games, judges, and benches engines that keep failing.

Both runners (`Runner` on this machine, `ClusterRunner`) have a coordinator. They start the workers, take
games from `next_game`, hand everything that the workers report to the methods `on_…`, and yield its events:
those of `begin`, of `update` again and again, and of `end`.
"""

from __future__ import annotations

import math
import time
from collections import Counter, deque
from collections.abc import Generator, Iterator, Sequence
from typing import cast

from harness.arena.config.pairs import count_all_games, pairs_of
from harness.arena.config.tables import MatchConfig
from harness.arena.errors import PlayError
from harness.arena.game.snapshot import Snapshot
from harness.arena.judge.failure_hint import hint_of
from harness.arena.judge.live import LiveJudge
from harness.arena.records import Ending, Game, GameSummary, Reason
from harness.arena.run.dispenser import Dispenser
from harness.arena.run.engine_pool import FinishedGame
from harness.arena.run.events import (
    EngineFailed,
    Event,
    GameEnded,
    GameStarted,
    MatchJudged,
    NoticeGiven,
    NoticeKind,
    PairDecided,
    PhaseStarted,
    ProgressMade,
)
from harness.arena.run.notices import Notices
from harness.arena.run.stop import Stop
from harness.arena.run.worker import KILL_SECONDS
from harness.arena.store.rows import StoredGame
from harness.arena.store.store import Store
from harness.arena.verdicts import UNDECIDED, MatchVerdicts
from harness.files import timestamp
from harness.gtp import Colour, kill_orphans
from harness.tasks import MAX_LOST_WORKERS, TICK

FIRST_JUDGING = 1.0
"""Seconds from the start to the first judgement. Chosen: files of the run appear soon."""
JUDGING_PAUSE = 2.0
"""Least seconds between two judgements. Chosen: often enough for a person; each judgement writes files."""
SHARE = 20
"""Judging, handlers of the verdicts included, takes at most 1/SHARE of the time. Chosen: 5 %."""


class Coordinator:
    """The state of one start of a run, shared by its workers.

    game_seconds   time of the shortest of the last games; infinite before the first, and after a long one
    boards         by number of the worker, the last board that it sent
    benched        by engine that gets no more games, the reason
    """

    def __init__(self, config: MatchConfig, store: Store, stop: Stop | None) -> None:
        self.config = config
        self.stop = stop or Stop()
        self.game_seconds = math.inf
        self.boards: dict[int, Snapshot] = {}
        self.benched: dict[str, str] = {}
        self._store = store
        self._began = time.monotonic()
        pairs = pairs_of(config, store.engine_names())
        played = store.played()
        self._dispenser = Dispenser(pairs, played)
        for pair in pairs:
            if pair.dropped:
                self._dispenser.close(pair.number)
        self._total = count_all_games(config, store.engine_names(), played)
        self._stored_before = len(played)
        self._given = 0  # games of this start that were given out, and not given back
        self._done_here = 0  # games of this start that are stored
        self._moves_here = 0  # moves that were searched in them
        self._unjudged = 0  # games that were stored since the last judgement
        self._failures_in_a_row: Counter[str] = Counter()
        self._notices = Notices(config, store.programs())
        self._live_judge = LiveJudge(store, config)
        self._verdicts: dict[int, str] = {}  # by number of the decided pair
        self._next_judging = self._began + FIRST_JUDGING
        self._next_progress = 0.0
        self._events: deque[Event] = deque()

    # --- events --------------------------------------------------------------------------------------------

    def begin(self) -> Iterator[Event]:
        """Record the start of the run, and yield its first events. With `stop = "decided"`, judge first."""
        self._record("start", f"{self.left} games to play")
        yield PhaseStarted("games")
        yield self._progress()
        if self.config.stop == "decided":  # no game of a decided pair is given out
            self._unjudged += self._stored_before
            yield from self._judge()

    def update(self) -> Iterator[Event]:
        """Yield the waiting events; look after the store and the time limit of this start.

        From time to time, also judge and report the progress.
        """
        self._store.checkpoint()
        self.stop.ask_when_late()
        yield from self.take_events()
        if time.monotonic() >= self._next_judging:
            yield from self._judge()
        if time.monotonic() >= self._next_progress:
            self._next_progress = time.monotonic() + TICK
            yield self._progress()

    def take_events(self) -> Iterator[Event]:
        """Yield the waiting events, and empty the queue."""
        while self._events:
            yield self._events.popleft()

    def end(self) -> Generator[Event, None, bool]:
        """Record the end of this start, and yield its last events.

        The generator returns False if a stop was requested, or if the limit of games has left games to play.
        The games of benched engines do not count as left.
        """
        complete = not self.stop.asked and (not self.stop.limit or not self._dispenser.left())
        self._record("complete" if complete and not self.benched else "stop", "")
        yield from self.take_events()
        yield self._progress()
        return complete

    def report_decided_pairs(self, verdicts: MatchVerdicts) -> Iterator[PairDecided]:
        """Yield an event for each pair with a new verdict. With `stop = "decided"`, close these pairs."""
        for pair, row in zip(verdicts.pairs, verdicts.parity, strict=True):
            if row.verdict == UNDECIDED or self._verdicts.get(pair.number) == row.verdict:
                continue
            self._verdicts[pair.number] = row.verdict
            if self.config.stop == "decided":
                self._dispenser.close(pair.number)
            yield PairDecided(row)

    def _judge(self) -> Iterator[Event]:
        """Judge the games that were stored since the last time."""
        from harness import stats  # noqa: F401  # imported first, because the import is not part of judging

        began = time.monotonic()
        if self._unjudged:
            self._unjudged = 0
            new = self._live_judge.judge_new()
            verdicts = self._live_judge.verdicts()
            yield from self.report_decided_pairs(verdicts)
            yield MatchJudged(verdicts, new)
        took = time.monotonic() - began  # the handlers of these events included
        pause = TICK if self.config.stop == "decided" else JUDGING_PAUSE
        self._next_judging = time.monotonic() + max(pause, SHARE * took)

    def _progress(self) -> ProgressMade:
        return ProgressMade(
            total=self._total,
            done=self._stored_before + self._done_here,
            done_here=self._done_here,
            moves_here=self._moves_here,
            seconds=time.monotonic() - self._began,
            benched=dict(self.benched),
            boards=dict(self.boards),
        )

    def _notify(self, kind: NoticeKind, text: str, engine: str = "") -> None:
        """Queue a notice for the user."""
        self._events.append(NoticeGiven(kind, text, engine))

    # --- games ---------------------------------------------------------------------------------------------

    @property
    def left(self) -> int:
        """Number of games that can still be given out in this start."""
        return min(self._dispenser.left(), self.stop.room(self._given))

    @property
    def games_are_short(self) -> bool:
        """True if workers should get some games ahead, so that none of them waits for its next game."""
        return self.game_seconds < math.inf

    def next_game(self) -> Game | None:
        """Return the next game to play; None if no game is left or a stop was requested."""
        game = None if self._is_over() else self._dispenser.next_game()
        if game is not None:
            self._note_given([game])
        return game

    def next_pair(self) -> tuple[Game, ...]:
        """Return the next game and, if it may be given out too, its partner (colours exchanged).

        Empty where `next_game` returns None.
        """
        games = () if self._is_over() else self._dispenser.next_pair(self.stop.room(self._given))
        self._note_given(games)
        return games

    def _note_given(self, games: Sequence[Game]) -> None:
        """Count games that are given out, and queue their events."""
        self._given += len(games)
        self.stop.note_given(self._given)
        self._events.extend(map(GameStarted, games))

    def give_back(self, game: Game) -> None:
        """Take back a game that was given out and not played."""
        self._given -= 1
        self._dispenser.give_back(game)

    def _is_over(self) -> bool:
        """Return True if no more games are given out."""
        return bool(self.stop.asked) or not self.stop.room(self._given)

    def on_games_stored(self, games: Sequence[FinishedGame]) -> None:
        """Count games that have been stored, and bench an engine that fails too often."""
        if games:
            self.game_seconds = min(game.seconds for game in games) if games[-1].is_short else math.inf
        for game in games:
            for introduction in game.introductions:
                self._events.extend(self._notices.about_engine(introduction))
            self._count(game.summary)

    def on_game_lost(self, game: Game) -> None:
        """Count a game of a lost worker if the worker has stored it; otherwise give it out again."""
        try:
            stored = self._store.game(game.id)
        except KeyError:
            self.give_back(game)
        else:
            self._count(_summary(game, stored, len(self._store.searches_of_game(game.id))))

    def _count(self, summary: GameSummary) -> None:
        """Count a game that has been stored, and note what it shows about its engines."""
        self._done_here += 1
        self._moves_here += summary.searches
        self._unjudged += 1
        for notice in self._notices.about_game(summary):
            if notice.kind == "program":
                self._record("program", notice.text)
            self._events.append(notice)
        self._events.append(GameEnded(summary))
        self._count_failures(summary)

    # --- workers -------------------------------------------------------------------------------------------

    def on_worker_lost(self, what: str, sentence: str) -> None:
        """Record and report that a worker was lost. Kill the processes that it left on this machine."""
        kill_orphans(KILL_SECONDS)
        self._record("lost", what)
        self._notify("worker-lost", sentence)

    def on_worker_stopped(self, pid: int, seconds: float) -> None:
        """Report a worker that a signal has stopped (not ended)."""
        self._notify(
            "worker-stopped",
            f"the worker with process id {pid} was stopped by a signal; continue it by kill -CONT {pid}, "
            f"otherwise it is replaced after {seconds:.0f} s",
        )

    def _record(self, kind: str, text: str) -> None:
        """Record in the store what happened to the run, with the present time."""
        self._store.note(kind, text, timestamp())

    # --- engines that fail ---------------------------------------------------------------------------------

    def _count_failures(self, summary: GameSummary) -> None:
        """Count failures in a row. Bench an engine that failed too often, or that may not be restarted."""
        failed, reason, run = summary.failed, summary.ending.reason, self.config.run
        for name in (summary.game.black, summary.game.white):
            if failed != name:
                self._failures_in_a_row[name] = 0
        if failed is None:
            return
        self._failures_in_a_row[failed] += 1
        count = self._failures_in_a_row[failed]
        self._events.append(EngineFailed(failed, summary, count))
        if failed in self.benched:
            return
        if run.restart == "never":
            self._bench(summary, failed, f'failed ({reason}), and restart is "never"')
        elif count >= run.bench_after:
            games = "a game" if count == 1 else f"{count} games in a row, the last"
            self._bench(summary, failed, f"failed {games} by {reason}")

    def _bench(self, summary: GameSummary, name: str, reason: str) -> None:
        """Give an engine no more games in this start, and report why, with the advice about its failure."""
        self.benched[name] = reason
        self._dispenser.bench(name)
        self._record("benched", f"{name} {reason}")
        sentences = [f"{name} is benched until the next start: it {reason}: {summary.ending.detail}"]
        for failure in self._store.failures_of([summary.game.id]):
            if hint := hint_of(failure, self.config):
                sentences.append(f"Hint: {hint}")
        self._notify("benched", ". ".join(sentences), name)


def _summary(game: Game, stored: StoredGame, searches: int) -> GameSummary:
    """Return the summary of a game that a lost worker stored but did not report."""

    def colour_of(name: str | None) -> Colour | None:
        return None if name is None else "b" if name == game.black else "w"

    winner, offender = colour_of(stored.winner), colour_of(stored.offender)
    ending = Ending(cast("Reason", stored.reason), stored.result, winner, offender, stored.detail)
    return GameSummary(game, ending, stored.move_count, searches, stored.finished, (None, None))


def too_many_lost(game: Game) -> PlayError:
    """Return the error that ends a run whose workers die over one game."""
    return PlayError(
        f"{MAX_LOST_WORKERS} workers died over game {game.id}: check that the machine has enough memory, "
        "or use fewer workers; all finished games are stored; run the same command again to continue"
    )
