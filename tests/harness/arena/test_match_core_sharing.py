"""Which engines are pinned to the core of their worker, and which never are."""

import os
import shlex
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from harness.arena.config.tables import EngineTable, RunTable
from harness.arena.game.player import Player
from harness.arena.records import Ending, Game, GameRecord, Search
from harness.arena.run import core_sharing
from harness.arena.run.core_sharing import INSTANT, CoreSharing

EVERYWHERE = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else set()
pytestmark = pytest.mark.skipif(len(EVERYWHERE) < 2, reason="there is but one core")

ENGINE = """
import subprocess, sys, threading
for line in sys.stdin:
    if line.startswith("clear_board"):
        if sys.argv[1] == "thread":
            threading.Thread(target=threading.Event().wait, daemon=True).start()
        elif sys.argv[1] == "child":
            subprocess.Popen(["sleep", "1000"])
    print("=\\n", flush=True)
"""
"""Begins a thread or a process with the first game."""

Start = Callable[..., Player]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """`start("thread")`: an engine that runs and will begin a thread."""
    program = tmp_path / "engine.py"
    program.write_text(ENGINE)
    players: list[Player] = []

    def started(way: str = "alone") -> Player:
        command = shlex.join([sys.executable, "-S", "-E", str(program), way])
        players.append(Player(EngineTable(name=f"{way} {len(players)}", command=command), RunTable()))
        players[-1].start()
        return players[-1]

    yield started
    for player in players:
        player.stop(politely=False)


@pytest.fixture
def sharing(monkeypatch: pytest.MonkeyPatch) -> Iterator[CoreSharing]:
    """In this process, with all the time in the world. Its alarm is that of our tests' time limit."""
    monkeypatch.setattr(core_sharing, "CYCLE", 1e8)
    monkeypatch.setattr(core_sharing, "MAX_GAME", 1e6)
    usual = signal.getsignal(signal.SIGALRM)
    left = signal.setitimer(signal.ITIMER_REAL, 0)
    yield CoreSharing(sorted(EVERYWHERE))
    os.sched_setaffinity(0, EVERYWHERE)
    signal.signal(signal.SIGALRM, usual)
    signal.setitimer(signal.ITIMER_REAL, *left)


def record(black: float, white: float) -> GameRecord:
    """A game in which each move took so many seconds."""
    searches = [
        Search(move, "b" if move % 2 else "w", "pass", None, None, black if move % 2 else white)
        for move in range(1, 9)
    ]
    return GameRecord(
        Game("p001-g00001", 1, 1, "a", "b", 0), (5, 7.5), "none", 0, (), tuple(searches),
        Ending("score", "0", None), "", "",
    )  # fmt: skip


def cores_of(*players: Player) -> list[set[int]]:
    """Where we may run, and each thread and child of these engines."""
    found = [os.sched_getaffinity(0)]
    for player in players:
        engine = psutil.Process(player.pid)
        for process in [engine, *engine.children(recursive=True)]:
            found += [os.sched_getaffinity(thread.id) for thread in process.threads()]
    return found


def are_pinned(*players: Player) -> bool:
    cores = cores_of(*players)
    return len(cores[0]) == 1 and all(other == cores[0] for other in cores)


def are_free(*players: Player) -> bool:
    return all(cores == EVERYWHERE for cores in cores_of(*players))


def test_engines_that_answer_at_once_are_pinned_after_a_game_in_which_they_were_free(
    sharing: CoreSharing, start: Start
) -> None:
    black, white = start(), start()
    sharing.before_game(black, white)
    assert are_free(black, white)
    sharing.after_game(black, white, record(INSTANT / 2, INSTANT / 2))
    sharing.before_game(black, white)
    assert are_pinned(black, white)
    sharing.after_game(black, white, record(INSTANT / 4, INSTANT / 4))
    sharing.before_game(black, white)
    assert are_pinned(black, white)


def test_a_game_with_one_that_thinks_is_free_and_so_is_its_opponent(
    sharing: CoreSharing, start: Start
) -> None:
    fast, other, slow = start(), start(), start()
    sharing.after_game(fast, other, record(INSTANT / 2, INSTANT / 2))
    sharing.after_game(fast, slow, record(INSTANT / 2, INSTANT * 2))
    sharing.before_game(fast, other)
    assert are_pinned(fast, other)
    sharing.before_game(slow, fast)
    assert are_free(fast, other, slow)


@pytest.mark.parametrize("way", ["thread", "child", "own core"])
def test_whoever_has_a_thread_a_child_or_its_own_cores_is_never_held(
    sharing: CoreSharing, start: Start, way: str
) -> None:
    black, white = start(), start(way)
    white.ask("clear_board")
    if way == "own core":
        assert white.pid is not None
        os.sched_setaffinity(white.pid, {min(EVERYWHERE)})
    before = cores_of(black, white)
    sharing.after_game(black, white, record(INSTANT / 2, INSTANT / 2))
    sharing.before_game(black, white)
    assert cores_of(black, white) == before


def test_who_is_slower_when_held_is_set_free(sharing: CoreSharing, start: Start) -> None:
    black, white = start(), start()
    sharing.after_game(black, white, record(INSTANT / 2, INSTANT / 4))
    sharing.before_game(black, white)
    assert are_pinned(black, white)
    sharing.after_game(black, white, record(INSTANT / 2, INSTANT / 2))
    sharing.before_game(black, white)
    assert are_free(black, white)


@pytest.mark.parametrize("way", ["thread", "child"])
def test_a_game_that_takes_too_long_is_set_free_with_all_that_was_begun_in_it(
    sharing: CoreSharing, start: Start, way: str
) -> None:
    black, white = start(), start(way)
    sharing.after_game(black, white, record(INSTANT / 2, INSTANT / 2))
    sharing.before_game(black, white)
    white.ask("clear_board")
    assert are_pinned(black, white)
    assert len(cores_of(black, white)) == 4
    seconds, again = signal.getitimer(signal.ITIMER_REAL)
    assert 0 < seconds <= core_sharing.MAX_GAME
    assert again == 0
    signal.raise_signal(signal.SIGALRM)
    assert are_free(black, white)
    sharing.after_game(black, white, record(INSTANT / 2, INSTANT / 2))
    sharing.before_game(black, white)
    assert are_free(black, white)


def test_every_now_and_then_one_game_is_free(
    sharing: CoreSharing, start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    black, white = start(), start()
    sharing.after_game(black, white, record(INSTANT / 2, INSTANT / 2))
    sharing.before_game(black, white)
    monkeypatch.setattr(core_sharing, "monotonic", lambda: 1e9)  # the cycle ends in a pinned game
    sharing.after_game(black, white, record(INSTANT / 4, INSTANT / 4))
    sharing.before_game(black, white)
    assert are_free(black, white)
    sharing.after_game(black, white, record(INSTANT / 2, INSTANT / 2))
    sharing.before_game(black, white)
    assert are_pinned(black, white)


def test_a_new_process_is_free_at_first(sharing: CoreSharing, start: Start) -> None:
    black, white = start(), start()
    sharing.after_game(black, white, record(INSTANT / 2, INSTANT / 2))
    white.stop(politely=True)
    sharing.before_game(black, white)
    assert are_free(black)
    white.start()
    assert are_free(black, white)
    sharing.after_game(black, white, record(INSTANT / 2, INSTANT / 2))
    sharing.before_game(black, white)
    assert are_pinned(black, white)
