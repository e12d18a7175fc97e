"""What several tests of matches need by name."""

from __future__ import annotations

import os
import shlex
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing, contextmanager, nullcontext
from pathlib import Path
from unittest.mock import patch

import psutil

from harness.arena.config.openings import OpeningBooks
from harness.arena.config.tables import MatchConfig
from harness.arena.folder.folder import open_run
from harness.arena.folder.play import MatchSettings, follow, run_match
from harness.arena.pairings import Pairing, pairings
from harness.arena.records import Game, GameSummary
from harness.arena.run.cluster import ClusterRunner
from harness.arena.run.coordinator import Coordinator
from harness.arena.run.engine_pool import EnginePool, play_in_pool
from harness.arena.run.events import Event, GameEnded, GameStarted, MatchEnded, NoticeGiven
from harness.arena.run.runner import Runner
from harness.arena.run.stop import Stop
from harness.arena.run.worker import store_games
from harness.arena.store.store import Store
from harness.report.files.run_folder import RunFolder

ENGINES = Path(__file__).parents[2] / "engines"
PROGRAM = [sys.executable, "-c", "from harness.cli import main; main()"]
SIZE = 5  # the smallest board: short games
PATIENCE = 600.0
"""Seconds to wait for processes to end. Only a process that never ends takes as long, on any machine."""

Command = Callable[..., str]
MakeConfig = Callable[..., MatchConfig]


def engine_command(program: str, *arguments: object, **options: object) -> str:
    """The command line of one of the tests' engines."""
    words = [sys.executable, "-S", "-E", str(ENGINES / program), *map(str, arguments)]
    for name, value in options.items():
        words += [f"--{name}", str(value)]
    return shlex.join(words)


class Quiet:
    """A handler of events that keeps all events, the summaries of games, and the sentences for a user."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.summaries: list[GameSummary] = []
        self.sentences: list[str] = []

    def handle(self, event: Event) -> None:
        self.events.append(event)
        match event:
            case GameEnded(summary=summary):
                self.summaries.append(summary)
                self.on_game(summary)
            case NoticeGiven(text=text):
                self.sentences.append(text)

    def on_game(self, summary: GameSummary) -> None:
        """Called after each game."""

    @property
    def played(self) -> list[str]:
        """The ids of the games that ended, each after its start, in their order."""
        started: set[str] = set()
        ended: list[str] = []
        for event in self.events:
            match event:
                case GameStarted(game=game):
                    started.add(game.id)
                case GameEnded(summary=summary):
                    assert summary.game.id in started
                    ended.append(summary.game.id)
        return ended


def followed(runner: Runner | ClusterRunner | InThisProcess, quiet: Quiet) -> bool:
    """Play the games; False if the match was stopped."""
    with closing(runner.play()) as events:
        while True:
            try:
                quiet.handle(next(events))
            except StopIteration as end:
                return bool(end.value)


def play_here(config: MatchConfig, folder: Path, quiet: Quiet) -> bool:
    """Play the games one after another with engines of this process; False if the match was stopped."""
    with open_run(config, folder) as store:
        return followed(InThisProcess(config, store), quiet)


class InThisProcess:
    """A runner without workers: it shows what the coordinator does, in a fraction of the time."""

    def __init__(self, config: MatchConfig, store: Store, stop: Stop | None = None) -> None:
        self.coordinator = Coordinator(config, store, stop)
        self._config, self._store = config, store
        self._books = OpeningBooks(config)

    def play(self) -> Generator[Event, None, bool]:
        pool = EnginePool(self._config, folder=self._store.path.parent)
        yield from self.coordinator.begin()
        try:
            while (game := self.coordinator.next_game()) is not None:
                finished = play_in_pool(game, pool, self._books, self._config)
                self.coordinator.on_games_stored(store_games(self._store, [finished]).games)
                yield from self.coordinator.update()
        finally:
            pool.close(politely=False)
        return (yield from self.coordinator.end())


def play_run(
    config: MatchConfig, folder: Path, stop: Stop | None = None, *, workers: bool = False
) -> MatchEnded:
    """Play a match to its end with engines of this process, or of workers; write the files of its folder."""
    settings = MatchSettings(config, folder, stop or Stop())
    with nullcontext() if workers else without_workers():
        return follow(run_match(settings), RunFolder().handle)


@contextmanager
def without_workers() -> Iterator[None]:
    """Let matches of this process play their games here: a worker imports for a third of a second."""
    with (
        patch("harness.arena.folder.play.Runner", InThisProcess),
        patch("harness.arena.run.head_to_head.Runner", InThisProcess),
    ):
        yield


# --- what a run has left behind -----------------------------------------------------------------------------


def stored(folder: Path) -> list[tuple[str, str, str | None, str]]:
    """(id, reason, name of the offender, moves) of every game, in schedule order."""
    with Store.open(folder, read_only=True) as store:
        return [(game.game_id, game.reason, game.offender, game.moves) for game in store.games()]


def query(folder: Path, sql: str) -> list[tuple[object, ...]]:
    """The rows of a query to the database in `folder`, without the store's own code."""
    with closing(sqlite3.connect(f"file:{folder}/run.db?mode=ro", uri=True)) as db:
        return db.execute(sql).fetchall()


def all_games(pairs: Sequence[Pairing], games: int) -> list[Game]:
    """Every game of a match in schedule order: the slow twin of the dispenser."""
    return [pair.game(number) for number in range(1, games + 1) for pair in pairs]


def every_id(engines: list[str], games: int) -> list[str]:
    return [game.id for game in all_games(pairings(engines, "round-robin"), games)]


def count(run: Path) -> int:
    """Games stored, 0 before there is a store."""
    try:
        with sqlite3.connect(f"file:{run}/run.db?mode=ro", uri=True) as db:
            (number,) = db.execute("SELECT count(*) FROM game").fetchone()
        db.close()
        return int(number)
    except sqlite3.Error:
        return 0


# --- a run in a process of its own --------------------------------------------------------------------------


def wait_for_games(process: subprocess.Popen[str], run: Path, games: int = 5) -> None:
    """Until so many games are stored."""
    while count(run) < games:
        assert process.poll() is None
        time.sleep(0.01)


def interrupt_in_play(command: list[str], run: Path) -> None:
    """Start a match, give it a Ctrl-C after a few games; it must say so, and keep every game in its files."""
    process = subprocess.Popen(command, start_new_session=True, stdout=subprocess.PIPE, text=True)
    wait_for_games(process, run)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does it: to all processes of the group
    text, _ = process.communicate()
    assert process.returncode == 130, text
    assert "stopped; to continue, run the same command" in text
    assert len((run / "games.csv").read_text().splitlines()) == count(run) + 1


def engines_of(marker: Path) -> list[psutil.Process]:
    """The processes with `marker` in their command lines."""
    return [p for p in psutil.process_iter(["cmdline"]) if str(marker) in " ".join(p.info["cmdline"] or [])]


def wait_for_engines(marker: Path, count: int) -> None:
    """Wait until at least `count` processes have `marker` in their command lines."""
    deadline = time.monotonic() + PATIENCE
    while len(engines_of(marker)) < count:
        assert time.monotonic() < deadline
        time.sleep(0.02)


def wait_for_no_engines(marker: Path) -> None:
    """Engines of a killed run end by their guards, within seconds; `marker` is in their command lines."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        left = engines_of(marker)
        if not left:
            return
        psutil.wait_procs(left, timeout=0.2)
    raise AssertionError(f"still running: {left}")
