import multiprocessing
import os
import random
import shlex
import signal
import subprocess
import sys
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path

import pandas as pd
import psutil
import pytest

from harness.arena.config.playable import check_playable
from harness.arena.config.reader import check_config
from harness.arena.config.tables import MatchConfig
from harness.arena.errors import PlayError
from harness.arena.folder.folder import open_run
from harness.arena.game.snapshot import Snapshot
from harness.arena.judge.verification import verify_games
from harness.arena.pairings import pairings
from harness.arena.run import runner
from harness.arena.run.events import Event, ProgressMade
from harness.arena.run.runner import Runner
from harness.arena.run.stop import Stop
from harness.arena.run.worker import FinishedOrder, work
from harness.arena.store.store import Store
from tests.harness.arena.match_helpers import (
    ENGINES,
    PATIENCE,
    PROGRAM,
    SIZE,
    Command,
    MakeConfig,
    Quiet,
    all_games,
    count,
    engine_command,
    engines_of,
    every_id,
    followed,
    interrupt_in_play,
    play_here,
    query,
    stored,
    wait_for_engines,
    wait_for_games,
    wait_for_no_engines,
)
from tests.parameters import slow_but


def play(config, folder: Path, quiet: Quiet, stop: Stop | None = None) -> bool:
    with open_run(config, folder) as store:
        return followed(Runner(config, store, stop), quiet)


def test_every_game_of_the_schedule_is_played_once(
    make_config: MakeConfig, player: Command, tmp_path: Path, quiet: Quiet
) -> None:
    engines = {name: player(first=7 * number) for number, name in enumerate("abc")}
    assert play(make_config(engines, games=6, workers=2), tmp_path, quiet)
    assert [row[0] for row in stored(tmp_path)] == every_id(list("abc"), 6)
    assert sorted(quiet.played) == sorted(every_id(list("abc"), 6))


def test_one_engine_of_each_way_of_failing_changes_nothing_for_the_others(
    make_config: MakeConfig, player: Command, tmp_path: Path, quiet: Quiet
) -> None:
    ways = {"occupied": "illegal", "garbage": "protocol", "exit": "crash", "kill": "crash"}
    good = {"good": player(), "fine": player()}
    bad = {way: player(fail=way, move=3) for way in ways}
    for number, vertex in enumerate(("aa", "bb", "cc")):  # the book has one game for each first move
        (tmp_path / f"{number}.sgf").write_text(f"(;GM[1]FF[4]SZ[{SIZE}];B[{vertex}])")
    openings = {"kind": "sgf", "files": [str(tmp_path)]}
    run = {"games": 6, "bench_after": 1, "openings": openings}
    assert play_here(make_config({**good, **bad}, **run), tmp_path / "all", quiet)
    assert {sentence.split()[0] for sentence in quiet.sentences} == set(ways)  # the bad, and only they
    rows = stored(tmp_path / "all")
    with Store.open(tmp_path / "all", read_only=True) as store:
        games = list(store.games())
    for game in games:
        if {game.black, game.white} == set(good):
            assert (game.reason, game.offender) == ("score", None)
            continue
        # Move 3 is Black's, so that Black fails first if both do.
        name = game.black if game.black in ways else game.white
        assert (game.reason, game.offender) == (ways[name], name)
    assert play_here(make_config(good, **run), tmp_path / "good", Quiet())
    others = [row for row in rows if row[0].startswith("p001")]
    assert len(others) == 6
    assert others == stored(tmp_path / "good")


WAYS = {
    # As docs/operations.md has it. The command at which they strike is the first after the opening.
    "timeout": ["silent", "hang", "half", "slow", "buffered", "spin", "endless-stderr", "deaf", "no-sign"],
    "crash": ["die", "last-words", "die-at-start", "close-stdout"],
    "protocol": ["endless-answer", "one-newline", "control"],
}
AFTER_OPENING = 8  # name, version, list_commands, boardsize, clear_board, komi, play


@pytest.mark.slow  # a minute, most of it waiting for engines that are silent
def test_every_hostile_engine_is_blamed_and_the_others_play_as_if_it_were_not_there(
    player: Command, hostile: Command, tmp_path: Path, quiet: Quiet
) -> None:
    ways = {mode: reason for reason, modes in WAYS.items() for mode in modes}
    good = {"good": player(), "fine": player()}
    bad = {mode: hostile(mode, at=AFTER_OPENING, tag=tmp_path) for mode in ways}
    (tmp_path / "opening.sgf").write_text(f"(;GM[1]FF[4]SZ[{SIZE}];B[aa])")  # of which the book knows a game
    openings = {"kind": "sgf", "files": [str(tmp_path / "opening.sgf")]}

    def config(engines: dict[str, str]) -> MatchConfig:
        run = {"size": SIZE, "games": 4, "workers": 1, "timeout": 2.0, "bench_after": 1, "openings": openings}
        tables = [{"name": name, "command": command, "startup": 5.0} for name, command in engines.items()]
        return check_config({"run": run, "engine": tables}, "test")

    assert play(config({**good, **bad}), tmp_path / "all", quiet)
    assert {sentence.split()[0] for sentence in quiet.sentences} == set(bad)
    blamed = Counter[str]()
    for summary in quiet.summaries:
        if {summary.game.black, summary.game.white} == set(good):
            assert (summary.ending.reason, summary.failed) == ("score", None)
            continue
        assert summary.failed is not None
        blamed[summary.failed] += 1
        assert summary.ending.reason == ways[summary.failed], summary.ending
    assert set(blamed) == set(bad)
    assert play(config(good), tmp_path / "good", Quiet())
    others = [row for row in stored(tmp_path / "all") if row[0].startswith("p001")]
    assert len(others) == 4
    assert others == stored(tmp_path / "good")
    wait_for_no_engines(tmp_path)


def test_games_that_fail_before_their_opening_is_on_the_board_are_read_again(
    player: Command, hostile: Command, tmp_path: Path, quiet: Quiet
) -> None:
    """An engine that dies at the start, or at a command until the last move of the opening."""
    commands = (5, AFTER_OPENING, AFTER_OPENING + 3)  # the opening has four moves
    bad = {"start": hostile("die-at-start")} | {f"at-{at}": hostile("die", at=at) for at in commands}
    run = {"size": SIZE, "games": 2, "workers": 2, "openings": {"kind": "random", "moves": 4}}
    tables = [{"name": name, "command": command} for name, command in {"good": player(), **bad}.items()]
    config = check_config({"run": run | {"bench_after": 100}, "engine": tables}, "test")
    assert play_here(config, tmp_path, quiet)
    assert len(stored(tmp_path)) == len(quiet.summaries) > 2 * len(bad)
    with Store.open(tmp_path, read_only=True) as store:
        before = [game for game in store.games() if not game.move_count]
        assert before
        assert {game.opening_moves for game in before} == {0}
        assert not [game for game in verify_games(store, config) if game.contradictions]


def test_an_engine_that_fails_again_and_again_is_benched_until_the_next_start(
    make_config: MakeConfig, player: Command, tmp_path: Path, quiet: Quiet
) -> None:
    engines = {"a": player(), "b": player(first=7), "bad": player(fail="exit", move=2)}
    config = make_config(engines, games=20, bench_after=3)
    assert play_here(config, tmp_path, quiet)
    (sentence,) = quiet.sentences
    assert sentence.startswith(
        "bad is benched until the next start: it failed 3 games in a row, the last by crash"
    )
    assert "out of ideas" in sentence  # what the engine wrote
    counts = Counter(row[2] for row in stored(tmp_path))
    assert counts[None] == 20  # a and b have played on
    assert counts["bad"] == 3
    assert play_here(config, tmp_path, Quiet())
    assert Counter(row[2] for row in stored(tmp_path))["bad"] == 6


def test_a_worker_without_a_game_shows_no_board(make_config: MakeConfig, tmp_path: Path) -> None:
    """The board that it sent last is of a game that has ended."""
    config = make_config()
    game, other = all_games(pairings(["a", "b"], "round-robin"), 2)
    board = Snapshot(game.id, "a", "b", SIZE, 1, "bA1", "." * SIZE**2, "2026-02-14T02:00:00.000+00:00")
    with open_run(config, tmp_path) as store:
        run = Runner(config, store)
        boards = run.coordinator.boards
        here, _there = multiprocessing.Pipe()
        worker = runner._Worker(0, multiprocessing.Process(), here, [game, other])
        boards[0] = board
        run._settle(worker, FinishedOrder([], [game]))
        assert boards == {0: board}  # it plays on, and sends the next one soon
        run._settle(worker, FinishedOrder([], [other]))
        assert boards == {}


def test_restart_never_benches_at_the_first_failure(
    make_config: MakeConfig, player: Command, tmp_path: Path, quiet: Quiet
) -> None:
    engines = {"a": player(), "bad": player(fail="exit", move=2)}
    assert play_here(make_config(engines, games=20, restart="never"), tmp_path, quiet)
    assert len(quiet.sentences) == 1
    assert len(stored(tmp_path)) == 1


def test_restart_game_starts_the_engines_for_each_game(
    make_config: MakeConfig, player: Command, tmp_path: Path, quiet: Quiet
) -> None:
    # A new process begins its book anew: with it, every game of a colour is the same.
    assert play_here(make_config(games=4, restart="game"), tmp_path / "anew", quiet)
    assert len({row[3] for row in stored(tmp_path / "anew")}) == 2
    assert play_here(make_config(games=4), tmp_path / "kept", quiet)
    assert len({row[3] for row in stored(tmp_path / "kept")}) == 4


def test_playouts_that_an_engine_cannot_know_are_doubted_once(
    player: Command, tmp_path: Path, quiet: Quiet
) -> None:
    commands = {"a": player(), "b": player(first="{playouts}")}
    tables = [{"name": name, "command": command, "playouts": 7} for name, command in commands.items()]
    config = check_config({"run": {"size": SIZE, "games": 4, "workers": 2}, "engine": tables}, "test")
    assert play_here(config, tmp_path, quiet)
    assert quiet.sentences == [
        "a may not make 7 playouts per search: "
        "its command has no {playouts}, and it has no ref-playouts; add one of them"
    ]


def is_worker(process: psutil.Process) -> bool:
    try:
        return "spawn_main" in " ".join(process.cmdline())
    except psutil.Error:  # a zombie has no command line
        return False


def test_a_killed_worker_costs_nothing(
    make_config: MakeConfig, player: Command, tmp_path: Path, quiet: Quiet
) -> None:
    class Killer(Quiet):
        killed = 0

        def on_game(self, summary) -> None:
            if self.killed == len(self.sentences) < 2:  # the one killed before was noticed
                self.killed += 1
                next(filter(is_worker, psutil.Process().children())).kill()

    killer = Killer()
    assert play(make_config(games=80), tmp_path, killer)
    assert [row[0] for row in stored(tmp_path)] == every_id(["a", "b"], 80)
    assert sorted(killer.played) == every_id(["a", "b"], 80)
    assert len(killer.sentences) == 2
    wait_for_no_engines(tmp_path)


def test_a_stopped_worker_is_reported_and_replaced(
    make_config: MakeConfig, player: Command, tmp_path: Path
) -> None:
    class Stopper(Quiet):
        def on_game(self, summary) -> None:
            if len(self.summaries) == 3:
                next(filter(is_worker, psutil.Process().children())).suspend()

    stopper = Stopper()
    with open_run(config := make_config(games=20), tmp_path) as store:
        assert followed(Runner(config, store, stopped_seconds=0.0), stopper)
    assert [row[0] for row in stored(tmp_path)] == every_id(["a", "b"], 20)
    assert "was stopped by a signal; continue it by kill -CONT" in stopper.sentences[0]
    assert "a worker was lost" in stopper.sentences[1]
    wait_for_no_engines(tmp_path)


@pytest.mark.parametrize("attempt", slow_but((0,), range(3)))
def test_a_game_that_ends_because_the_coordinator_is_gone_is_not_stored(
    make_config: MakeConfig, hostile: Command, tmp_path: Path, attempt: int
) -> None:
    """The worker kills the engines in the middle of the game. That is no failure of theirs."""
    config = make_config(dict.fromkeys("ab", hostile("hang", at=8, tag=tmp_path)))
    spawning = multiprocessing.get_context("spawn")
    own_end, worker_end = spawning.Pipe()
    with open_run(config, tmp_path / "run") as store:
        worker = spawning.Process(target=work, args=(worker_end, config, [], tmp_path / "run"))
        worker.start()
        worker_end.close()
        (pair,) = pairings(store.engine_names(), "round-robin")
        own_end.send((pair.game(1), pair.game(2)))
        wait_for_engines(tmp_path, 2)
        time.sleep(0.3)  # not needed; with it, most attempts come after the set-up
        own_end.close()
        worker.join(PATIENCE)
        assert worker.exitcode == 1
        assert store.played() == []
    wait_for_no_engines(tmp_path)


def test_the_first_stop_ends_the_games_in_flight_the_second_drops_them(
    make_config: MakeConfig, player: Command, tmp_path: Path
) -> None:
    stop = Stop()

    class Stopper(Quiet):
        def on_game(self, summary) -> None:
            if len(self.summaries) == 2:
                stop.ask()

    stopper = Stopper()
    assert not play(make_config(games=500), tmp_path, stopper, stop)
    assert 2 <= len(stored(tmp_path)) <= 4 * runner.MOST_ORDERED < 500
    slow = {"a": player(), "b": player(fail="hang", move=2)}
    at_once = Stop()
    at_once.ask()
    at_once.ask()
    assert not play(make_config(slow, games=50), tmp_path / "slow", Quiet(), at_once)


def test_games_that_a_worker_stores_after_an_immediate_stop_are_reported(
    make_config: MakeConfig, tmp_path: Path
) -> None:
    """A worker that is stopped stores the games of its order that it has played."""
    stop = Stop()

    class Stopper(Quiet):
        def on_game(self, summary) -> None:
            if len(self.summaries) == 50:
                give_up = time.monotonic() + 1.0  # then the worker has stored games that nobody has read
                while count(tmp_path) <= 50 + runner.MOST_ORDERED and time.monotonic() < give_up:
                    time.sleep(0.01)
                stop.asked = 2

    stopper = Stopper()
    instant = dict.fromkeys("ab", engine_command("instant.py"))
    assert not play(make_config(instant, games=20_000), tmp_path, stopper, stop)
    assert sorted(stopper.played) == [row[0] for row in stored(tmp_path)]


def test_a_stop_gives_games_back_in_which_nobody_has_moved(
    make_config: MakeConfig, player: Command, hostile: Command, tmp_path: Path
) -> None:
    """An engine may take a minute to start, and each order may have many games."""
    stop, marker = Stop(), ENGINES / "hostile.py"

    class StopsAtStart(Quiet):
        def handle(self, event: Event) -> None:
            if isinstance(event, ProgressMade) and engines_of(marker):
                stop.asked = 1

    config = make_config({"a": player(), "b": hostile("silent")}, games=8, workers=2)
    tables = tuple(table.model_copy(update={"startup": 60.0}) for table in config.engine)
    assert not play(config.model_copy(update={"engine": tables}), tmp_path, StopsAtStart(), stop)
    assert stored(tmp_path) == []


def test_a_program_that_is_not_there_is_a_mistake_and_not_a_failure(
    make_config: MakeConfig, player: Command
) -> None:
    with pytest.raises(PlayError, match=r"engine 'b': cannot start '\./nothing': no such program"):
        check_playable(make_config({"a": player(), "b": "./nothing"}))


# --- from outside -------------------------------------------------------------------------------------------


@pytest.fixture
def command_line(player: Command, book: Path, tmp_path: Path):
    """A match on the command line; its engines carry the name of this test's folder."""
    own_book = tmp_path / "book.txt"
    own_book.write_text(book.read_text())

    def words(*options: str, games: int = 200) -> list[str]:
        engine = player().replace(str(book), str(own_book))
        return [
            *PROGRAM, "match", "--engine", f"a={engine}", "--engine", f"b={engine} --first 7",
            "--engine", f"c={engine} --first 14", "--games", str(games), "--size", str(SIZE),
            "--out", str(tmp_path / "run"), *options,
        ]  # fmt: skip

    return words


@pytest.mark.parametrize(("kills", "games"), [(1, 150), pytest.param(20, 4000, marks=pytest.mark.slow)])
def test_killed_at_random_moments_every_game_is_stored_once(tmp_path: Path, kills: int, games: int) -> None:
    """SIGKILL at any moment of a start: while it begins, or a random time after its first game."""
    rng = random.Random(kills)
    words = [sys.executable, "-S", "-E", str(ENGINES / "instant.py"), str(tmp_path)]  # it ignores the folder
    engine = shlex.join(words)
    run, names = tmp_path / "run", "abc"
    command = [*PROGRAM, "match", "--games", str(games), "--size", str(SIZE), "--out", str(run)]
    command += [word for name in names for word in ("--engine", f"{name}={engine}")] + [
        "--workers",
        "2",
        "-q",
    ]
    in_play = 0
    for attempt in range(kills):
        before = count(run)
        process = subprocess.Popen(command, start_new_session=True, stdout=subprocess.DEVNULL)
        begins = attempt % 4 == 3  # every fourth time while it begins
        if not begins:
            while count(run) == before:
                assert process.poll() is None
                wait(process, 0.005)
        wait(process, rng.uniform(0.0, 1.0 if begins else 0.2))
        process.kill()
        assert process.wait() == -signal.SIGKILL  # it had not come to its end
        in_play += count(run) > before
        wait_for_nobody_in(process.pid)
    assert in_play >= (kills + 1) // 2
    end = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    assert end.returncode in (0, 1, 3), end.stdout
    assert [row[0] for row in stored(run)] == every_id(list(names), games)
    assert query(run, "PRAGMA integrity_check") == [("ok",)]
    assert query(run, "SELECT count(*), sum(move_count) FROM game") == [(3 * games, 6 * games)]
    assert query(run, "SELECT count(*) FROM search") == [(6 * games,)]
    assert len((run / "games.csv").read_text().splitlines()) == 3 * games + 1
    table = pd.read_csv(run / "standings.csv").set_index("bot")
    assert dict(table["games"]) == dict.fromkeys(names, 2 * games)
    assert dict(table["points"]) == dict.fromkeys(names, games)  # White wins; half of the games as White
    wait_for_no_engines(tmp_path)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux can continue an orphan that was stopped")
def test_a_stopped_worker_ends_with_a_killed_match(command_line, tmp_path: Path) -> None:
    run = tmp_path / "run"
    process = subprocess.Popen(
        command_line("--out", str(run), games=100_000), start_new_session=True, stdout=subprocess.DEVNULL
    )
    while not (playing := workers_that_play(process.pid)):
        assert process.poll() is None
        wait(process, 0.005)
    worker = playing[0]
    worker.suspend()
    while worker.status() != psutil.STATUS_STOPPED:
        wait(process, 0.005)
    process.kill()
    process.wait()
    wait_for_nobody_in(process.pid)
    wait_for_no_engines(tmp_path)


def workers_that_play(coordinator: int) -> list[psutil.Process]:
    """The workers that have started engines. Before, a worker cannot yet ask to be continued."""
    children = psutil.Process(coordinator).children()
    return [child for child in children if is_worker(child) and child.children()]


def wait(process: subprocess.Popen[bytes], seconds: float) -> None:
    """So long, or until it ends."""
    with suppress(subprocess.TimeoutExpired):
        process.wait(seconds)


def wait_for_nobody_in(session: int) -> None:
    """The workers of a killed run end when it is gone."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        left = []
        for process in psutil.process_iter():
            with suppress(OSError, psutil.Error):
                if os.getsid(process.pid) == session and process.status() != psutil.STATUS_ZOMBIE:
                    left.append(process)
        if not left:
            return
        psutil.wait_procs(left, timeout=0.2)
    raise AssertionError(f"still running: {left}")


def test_ctrl_c_keeps_everything_and_ends_with_130(command_line, tmp_path: Path) -> None:
    interrupt_in_play(command_line(games=20_000), tmp_path / "run")
    wait_for_no_engines(tmp_path / "book.txt")


@pytest.mark.slow
def test_where_ctrl_c_is_ignored_from_the_start_it_stays_so(command_line, tmp_path: Path) -> None:
    command = shlex.join(command_line("-q", games=50))
    words = ["sh", "-c", f"trap '' INT; exec {command}"]  # as nohup and the background of a script have it
    process = subprocess.Popen(words, start_new_session=True, stdout=subprocess.PIPE, text=True)
    wait_for_games(process, tmp_path / "run")
    os.killpg(process.pid, signal.SIGINT)
    text, _ = process.communicate()
    assert process.returncode in (0, 1, 3), text
    assert count(tmp_path / "run") == 3 * 50


@pytest.mark.slow  # a minute, most of it waiting for an engine that hangs
def test_sigterm_drops_a_game_that_would_take_long(tmp_path: Path, hostile: Command) -> None:
    # It hangs while the first game is set up: no game can have ended before the signal comes.
    engines = ["--engine", f"a={hostile('hang', at=5)}", "--engine", f"b={hostile()}"]
    command = [
        *PROGRAM,
        "match",
        *engines,
        "--size",
        str(SIZE),
        "--games",
        "2",
        "--out",
        str(tmp_path / "run"),
    ]
    process = subprocess.Popen(command, start_new_session=True, stdout=subprocess.PIPE, text=True)
    while not any(is_worker(child) and child.children() for child in psutil.Process(process.pid).children()):
        assert process.poll() is None
        time.sleep(0.01)
    process.send_signal(signal.SIGTERM)
    text, _ = process.communicate()
    assert process.returncode == 130, text
    assert count(tmp_path / "run") == 0
    wait_for_no_engines(tmp_path / "run")
