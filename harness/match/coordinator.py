"""What every way of playing a run shares: which game is next, what is stored, who is benched."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Protocol

from harness.match.config import PLAYOUTS_WORD, MatchConfig
from harness.match.dispenser import Dispenser
from harness.match.errors import PlayError
from harness.match.judge import decided_pairs
from harness.match.pairings import pairings
from harness.match.records import Game, GameRecord, Introduction, timestamp
from harness.match.store import Store
from harness.match.worker import Finished

TICK = 0.5  # seconds between two looks at the clock while nothing comes in
SHORT = 0.25  # seconds of a game that is short
LOST_AT_MOST = 3
"""So many workers lost over one game end the run."""


class Observer(Protocol):
    """Who wants to know how a run goes on."""

    def stored(self, record: GameRecord) -> None:
        """A game has been stored."""

    def tick(self, progress: Progress) -> None:
        """Called every now and then, at least twice a second."""

    def message(self, sentence: str) -> None:
        """Something that a user should know."""


@dataclass
class Progress:
    """How far a run is."""

    total: int
    done: int  # stored, those of earlier starts among them
    began: float = field(default_factory=time.monotonic)
    done_here: int = 0
    moves_here: int = 0
    benched: dict[str, str] = field(default_factory=dict)  # engine: why

    @property
    def seconds(self) -> float:
        """Since this start."""
        return time.monotonic() - self.began


class Stop:
    """What Ctrl-C sets: once, the games in flight are the last; twice, they are dropped."""

    def __init__(self) -> None:
        self.asked = 0

    def ask(self) -> None:
        """Stop, or stop at once."""
        self.asked += 1


class Coordinator:
    """The one who gives out games and stores what comes back, whoever plays them."""

    def __init__(self, config: MatchConfig, store: Store, observer: Observer, stop: Stop | None) -> None:
        self.config = config
        self.stop = stop or Stop()
        self.short = False  # whether games are, so that a player should be given the next one ahead
        self._store = store
        self._observer = observer
        pairs = pairings(store.engine_names(), config.run.format)
        played = store.played()
        self._dispenser = Dispenser(pairs, config.run.games, played)
        self.progress = Progress(total=len(pairs) * config.run.games, done=len(played))
        self._in_a_row: Counter[str] = Counter()
        self._doubted: set[str] = set()
        self._next_verdict = 0.0

    def begin(self) -> None:
        """A start of the run."""
        self.note("start", f"{self.left} games to play")
        self._close_decided()

    def end(self) -> bool:
        """The end of that start; whether everything is played that is to be played."""
        complete = not self.stop.asked
        self.note("complete" if complete and not self.progress.benched else "stop", "")
        return complete

    @property
    def left(self) -> int:
        """How many games are still to be given out."""
        return self._dispenser.left()

    def next(self) -> Game | None:
        """The next game to play; None if there is none, or we are to stop."""
        return None if self.stop.asked else self._dispenser.next()

    def next_pair(self) -> tuple[Game, ...]:
        """The next game and the one with colours exchanged, if that is to be played too; () as above."""
        return () if self.stop.asked else self._dispenser.next_pair()

    def give_back(self, game: Game) -> None:
        """A game that was given out has not been played after all."""
        self._dispenser.give_back(game)

    def take(self, finished: Finished) -> None:
        """Store a game, once, however often it comes, and judge its engines' conduct."""
        record = finished.record
        self.short = record.seconds("b") + record.seconds("w") < SHORT
        for introduction in finished.introductions:
            self._store.introduce(introduction)
            self._doubt_playouts(introduction)
        if not self._store.add(record):
            return
        self.progress.done += 1
        self.progress.done_here += 1
        self.progress.moves_here += len(record.searches)
        self._observer.stored(record)
        self._judge_conduct(record)

    def look(self) -> None:
        """What is to be done now and then: close pairs that are decided, show how far we are."""
        self._close_decided()
        self._observer.tick(self.progress)

    def lost(self, what: str, sentence: str) -> None:
        """A worker is lost: put it down, and tell the user."""
        self.note("lost", what)
        self._observer.message(sentence)

    def note(self, kind: str, text: str) -> None:
        """Put down an event of the run."""
        self._store.note(kind, text, timestamp())

    def _doubt_playouts(self, introduction: Introduction) -> None:
        """Tell, once, that nobody has told an engine how many playouts it is to make."""
        name, table = introduction.engine, self.config.engines[introduction.engine]
        reached = PLAYOUTS_WORD in table.command or "ref-playouts" in introduction.commands
        if table.playouts is not None and not reached and name not in self._doubted:
            self._doubted.add(name)
            self._observer.message(
                f"{name} is believed to make {table.playouts} playouts a search: its command has no "
                f"{PLAYOUTS_WORD}, and it knows no ref-playouts"
            )

    # --- engines that fail ---------------------------------------------------------------------------------

    def _judge_conduct(self, record: GameRecord) -> None:
        """Count failures in a row; bench who has failed too often, or may not be started again."""
        failure = record.failure
        for name in (record.game.black, record.game.white):
            if failure is None or failure.offender != name:
                self._in_a_row[name] = 0
        if failure is None or failure.offender in self.progress.benched:
            return
        name, run = failure.offender, self.config.run
        self._in_a_row[name] += 1
        if run.restart == "never":
            self._bench(name, f'failed ({record.ending.reason}), and restart is "never"')
        elif self._in_a_row[name] >= run.bench_after:
            self._bench(
                name, f"failed {self._in_a_row[name]} games in a row, the last by {record.ending.reason}"
            )

    def _bench(self, name: str, why: str) -> None:
        self.progress.benched[name] = why
        self._dispenser.bench(name)
        self.note("benched", f"{name} {why}")
        self._observer.message(f"{name} is benched until the next start: it {why}")

    # --- pairs that are decided ----------------------------------------------------------------------------

    def _close_decided(self) -> None:
        if self.config.run.stop != "decided" or time.monotonic() < self._next_verdict:
            return
        import harness.stats  # noqa: F401  # its import, a second or more, is no part of a look

        began = time.monotonic()
        for pair in decided_pairs(self._store, self.config):
            self._dispenser.close(pair)
        # The look costs more the more is stored: it gets a twentieth of the time at most.
        self._next_verdict = time.monotonic() + max(TICK, 20 * (time.monotonic() - began))


def too_many_lost(game: Game) -> PlayError:
    """What ends a run whose workers die over one game."""
    return PlayError(f"{LOST_AT_MOST} workers were killed over game {game.id}: out of memory?")
