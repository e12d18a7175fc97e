"""The part that all runners share: it gives out games, counts stored ones and benches failing engines."""

from __future__ import annotations

import math
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from harness.arena.config.tables import PLAYOUTS_WORD, MatchConfig
from harness.arena.errors import PlayError
from harness.arena.game.snapshot import Snapshot
from harness.arena.judge.failure_hint import hint_of
from harness.arena.judge.live import LiveJudge
from harness.arena.pairings import pairings
from harness.arena.records import Game, GameSummary, Introduction
from harness.arena.run.dispenser import Dispenser
from harness.arena.run.worker import KILL_SECONDS, FinishedGame
from harness.arena.store.store import Store
from harness.files import timestamp
from harness.gtp import kill_orphans
from harness.tasks import MAX_LOST_WORKERS, TICK


class Observer(Protocol):
    """Is informed about a run while it is played."""

    def on_game_stored(self, summary: GameSummary) -> None:
        """Called after a game was stored."""

    def tick(self, progress: Progress) -> None:
        """Called at least twice per second."""

    def message(self, sentence: str) -> None:
        """Called with a sentence that a user should read."""


@dataclass
class Progress:
    """The progress of a run."""

    total: int
    done: int  # stored, earlier starts included
    began: float = field(default_factory=time.monotonic)
    done_here: int = 0
    moves_here: int = 0
    benched: dict[str, str] = field(default_factory=dict)  # engine: reason
    boards: dict[int, Snapshot] = field(default_factory=dict)  # worker: the board that it sent last

    @property
    def seconds(self) -> float:
        """Time since this start."""
        return time.monotonic() - self.began

    @classmethod
    def load(cls, store: Store, config: MatchConfig) -> Progress:
        """The progress of a run that is about to start or to continue."""
        pairs = pairings(store.engine_names(), config.run.format)
        return cls(total=len(pairs) * config.run.games, done=len(store.played()))


class Stop:
    """A request to stop. Asked once, the games in flight are finished; asked twice, they are dropped."""

    def __init__(self) -> None:
        self.asked = 0

    def ask(self) -> None:
        """Request a stop; the second time, an immediate one."""
        self.asked += 1


class Coordinator:
    """Gives out the games of a run, and takes note of those that are stored."""

    def __init__(self, config: MatchConfig, store: Store, observer: Observer, stop: Stop | None) -> None:
        self.config = config
        self.stop = stop or Stop()
        self.game_seconds = math.inf  # of the shortest of the last games; infinite if the last was long
        self._store = store
        self._observer = observer
        pairs = pairings(store.engine_names(), config.run.format)
        played = store.played()
        self._dispenser = Dispenser(pairs, config.run.games, played)
        self.progress = Progress(total=len(pairs) * config.run.games, done=len(played))
        self._failures_in_a_row: Counter[str] = Counter()
        self._warned: set[str] = set()
        self._programs: defaultdict[str, set[str]] = defaultdict(set)  # by engine, of its stored games
        for _, black, of_black, white, of_white in store.programs():
            self._programs[black].update([of_black] if of_black else [])
            self._programs[white].update([of_white] if of_white else [])
        self._live_judge = LiveJudge(store, config)
        self._next_judging = 0.0

    def begin(self) -> None:
        """Record the start of the run."""
        self.note("start", f"{self.left} games to play")
        self._close_decided()

    def end(self) -> bool:
        """Record the end of this start. True unless it was stopped."""
        complete = not self.stop.asked
        self.note("complete" if complete and not self.progress.benched else "stop", "")
        return complete

    @property
    def left(self) -> int:
        """Number of games that are still to be given out."""
        return self._dispenser.left()

    @property
    def short(self) -> bool:
        """Games are short: give out some ahead, so that no worker waits for its next one."""
        return self.game_seconds < math.inf

    def next(self) -> Game | None:
        """The next game to play; None if no game is left or a stop was requested."""
        return None if self.stop.asked else self._dispenser.next()

    def next_pair(self) -> tuple[Game, ...]:
        """The next game and its partner with colours exchanged, if that is left too; () if no game is."""
        return () if self.stop.asked else self._dispenser.next_pair()

    def give_back(self, game: Game) -> None:
        """Take back a game that was given out and not played."""
        self._dispenser.give_back(game)

    def on_games_stored(self, games: Sequence[FinishedGame]) -> None:
        """Count games that have been stored, and bench an engine that fails too often."""
        if games:
            self.game_seconds = min(game.seconds for game in games) if games[-1].short else math.inf
        for game in games:
            for introduction in game.introductions:
                self._warn_about_playouts(introduction)
            summary = game.summary
            self.progress.done += 1
            self.progress.done_here += 1
            self.progress.moves_here += summary.searches
            self._notice_programs(summary)
            self._observer.on_game_stored(summary)
            self._judge_conduct(summary)

    def lost(self, game: Game) -> None:
        """Give a game of a lost worker out again, unless the worker has stored it before its end."""
        try:
            self._store.game(game.id)
        except KeyError:
            self.give_back(game)
        else:
            self.progress.done += 1
            self.progress.done_here += 1

    def update(self) -> None:
        """Close the pairs that are decided, keep the log of the store short, and inform the observer."""
        self._store.checkpoint()
        self._close_decided()
        self._observer.tick(self.progress)

    def worker_lost(self, what: str, sentence: str) -> None:
        """Record that a worker was lost, and inform the user. End what it has left on this machine."""
        kill_orphans(KILL_SECONDS)
        self.note("lost", what)
        self._observer.message(sentence)

    def worker_stopped(self, pid: int, seconds: float) -> None:
        """Report a worker that does not go on because of a signal."""
        self._observer.message(
            f"the worker with process id {pid} was stopped by a signal; continue it by kill -CONT {pid}, "
            f"otherwise it is replaced after {seconds:.0f} s"
        )

    def note(self, kind: str, text: str) -> None:
        """Store an event of the run."""
        self._store.note(kind, text, timestamp())

    def _notice_programs(self, summary: GameSummary) -> None:
        """Inform the user of a program of an engine that played none of its games before."""
        for name, program in zip((summary.game.black, summary.game.white), summary.programs, strict=True):
            known = self._programs[name]
            if program is not None and known and program not in known:
                sentence = f"the program of {name} has changed: its earlier games are kept apart"
                self.note("program", sentence)
                self._observer.message(sentence)
            known.update([program] if program is not None else [])

    def _warn_about_playouts(self, introduction: Introduction) -> None:
        """Warn once if an engine cannot know its configured number of playouts."""
        name, table = introduction.engine, self.config.engines[introduction.engine]
        informed = PLAYOUTS_WORD in table.command or "ref-playouts" in introduction.commands
        if table.playouts is not None and not informed and name not in self._warned:
            self._warned.add(name)
            self._observer.message(
                f"{name} may not make {table.playouts} playouts per search: its command has no "
                f"{PLAYOUTS_WORD}, and it has no ref-playouts; add one of them"
            )

    # --- engines that fail ---------------------------------------------------------------------------------

    def _judge_conduct(self, summary: GameSummary) -> None:
        """Count failures in a row; bench an engine that failed too often, or may not be started again."""
        failed, reason, run = summary.failed, summary.ending.reason, self.config.run
        for name in (summary.game.black, summary.game.white):
            if failed != name:
                self._failures_in_a_row[name] = 0
        if failed is None or failed in self.progress.benched:
            return
        self._failures_in_a_row[failed] += 1
        if run.restart == "never":
            self._bench(summary, failed, f'failed ({reason}), and restart is "never"')
        elif (count := self._failures_in_a_row[failed]) >= run.bench_after:
            games = "a game" if count == 1 else f"{count} games in a row, the last"
            self._bench(summary, failed, f"failed {games} by {reason}")

    def _bench(self, summary: GameSummary, name: str, reason: str) -> None:
        self.progress.benched[name] = reason
        self._dispenser.bench(name)
        self.note("benched", f"{name} {reason}")
        sentences = [f"{name} is benched until the next start: it {reason}: {summary.ending.detail}"]
        for failure in self._store.failures_of([summary.game.id]):
            if hint := hint_of(failure, self.config):
                sentences.append(f"Hint: {hint}")
        self._observer.message(". ".join(sentences))

    # --- pairs that are decided ----------------------------------------------------------------------------

    def _close_decided(self) -> None:
        if self.config.run.stop != "decided" or time.monotonic() < self._next_judging:
            return
        import harness.stats  # noqa: F401  # imported first, because the import is not part of judging

        began = time.monotonic()
        self._live_judge.look()
        for pair in self._live_judge.decided():
            self._dispenser.close(pair)
        # Judging gets at most a twentieth of the time.
        self._next_judging = time.monotonic() + max(TICK, 20 * (time.monotonic() - began))


def too_many_lost(game: Game) -> PlayError:
    """The error that ends a run whose workers die over one game."""
    return PlayError(
        f"{MAX_LOST_WORKERS} workers died over game {game.id}: check that the machine has enough memory, "
        "or use fewer workers"
    )
