"""Measures what a match costs per move: refereed and stored, with engines that answer at once.

One worker and two play in turns; the figures are medians. For comparison, a bare loop plays such games over
pipes, without a referee and a store. Run as a script.
"""

# ruff: noqa: T201  # what a script prints is its result

import argparse
import json
import os
import random
import shlex
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import NamedTuple

import psutil

from harness.arena.config.openings import play_out
from harness.arena.config.reader import parse_config
from harness.arena.config.tables import MatchConfig
from harness.arena.folder.folder import open_run
from harness.arena.run.events import Event, GameEnded, NoticeGiven
from harness.arena.run.runner import Runner
from harness.go import Position, all_points
from harness.gtp import format_vertex

TURNS = 5
PLAYER = Path(__file__).parents[1] / "engines" / "book_player.py"


def write_book(path: Path, size: int = 9) -> None:
    """A random legal game for each first move."""
    lines = []
    for number, point in enumerate(all_points(size)):
        position = Position(size)
        position.play("b", point)
        play_out(position, random.Random(number))
        lines.append(" ".join(format_vertex(move.point) for move in position.moves))
    path.write_text("\n".join(lines))


def command(book: Path, *options: object) -> list[str]:
    return [sys.executable, "-S", "-E", str(PLAYER), str(book), *map(str, options)]


def config(book: Path, games: int, workers: int) -> MatchConfig:
    engines = "".join(
        f"[[engine]]\nname = '{name}'\ncommand = {json.dumps(shlex.join(command(book, '--first', first)))}\n"
        for name, first in (("a", 0), ("b", 40))
    )
    return parse_config(f"[run]\ngames = {games}\nworkers = {workers}\n{engines}", "bench")


class Watch:
    """The memory of all processes, engines included, as the run goes on, and when its first game was over."""

    def __init__(self) -> None:
        self.rss: list[tuple[int, float]] = []
        self.began = 0.0
        self.moves = 0  # after the first game
        self._games = 0

    def handle(self, event: Event) -> None:
        if isinstance(event, NoticeGiven):
            print(event.text)
        if not isinstance(event, GameEnded):
            return
        self._games += 1
        if self._games == 1:
            self.began = time.perf_counter()
        else:
            self.moves += event.summary.move_count
        if self._games % 1000 == 0:
            family = [psutil.Process(), *psutil.Process().children(recursive=True)]
            self.rss.append((self._games, sum(p.memory_info().rss for p in family) / 1e6))


def processor_seconds() -> float:
    """Processor seconds of this process and of all that have ended below it."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


class Cost(NamedTuple):
    """The cost of a match in milliseconds per move; the processor time is that of the whole run."""

    wall: float  # after the first game
    processor: float


def match(book: Path, games: int, workers: int) -> tuple[Cost, Watch]:
    """The cost and the memory of a match."""
    with (
        tempfile.TemporaryDirectory() as folder,
        open_run(config(book, games, workers), Path(folder)) as store,
    ):
        watch = Watch()
        before = processor_seconds()
        for event in Runner(config(book, games, workers), store).play():
            watch.handle(event)
        seconds = time.perf_counter() - watch.began
        used = processor_seconds() - before
    return Cost(1e3 * seconds / watch.moves, 1e3 * used / watch.moves), watch


def bare(book: Path, games: int) -> tuple[int, float]:
    """Play the same games over the same pipes without referee and store."""
    with (
        subprocess.Popen(command(book), stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0) as a,
        subprocess.Popen(command(book), stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0) as b,
    ):
        pipes = []
        for process in (a, b):
            assert process.stdin
            assert process.stdout
            pipes.append((process.stdin.fileno(), process.stdout.fileno()))

        def ask(pipe: tuple[int, int], line: bytes) -> bytes:
            os.write(pipe[0], line)
            answer = os.read(pipe[1], 65536)
            while not answer.endswith(b"\n\n"):
                answer += os.read(pipe[1], 65536)
            return answer

        for pipe in pipes:
            ask(pipe, b"name\n")
        moves, began = 0, time.perf_counter()
        for _ in range(games):
            for pipe in pipes:
                ask(pipe, b"clear_board\n")
            side, passes = 0, 0
            while passes < 2:
                vertex = ask(pipes[side], b"genmove %c\n" % b"bw"[side])[2:-2]
                passes = passes + 1 if vertex == b"pass" else 0
                side = 1 - side
                if passes < 2:
                    ask(pipes[side], b"play %c %s\n" % (b"wb"[side], vertex))
                moves += 1
        seconds = time.perf_counter() - began
        for pipe in pipes:
            ask(pipe, b"quit\n")
    return moves, seconds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("-n", type=int, default=5_000, help="games of each match")
    games = parser.parse_args().n
    with tempfile.TemporaryDirectory() as folder:
        book = Path(folder) / "book.txt"
        write_book(book)
        moves, seconds = bare(book, games // 5)
        print(f"bare loop      {seconds / moves * 1e3:8.4f} ms a move, {moves:,} moves")
        os.sched_setaffinity(0, {min(everywhere := os.sched_getaffinity(0))})
        moves, seconds = bare(book, games // 5)
        os.sched_setaffinity(0, everywhere)
        print(f"  on one core  {seconds / moves * 1e3:8.4f} ms a move")
        costs: dict[int, list[Cost]] = {1: [], 2: []}
        memory: dict[int, Watch] = {}
        for turn in range(TURNS):
            for workers in (1, 2):
                cost, memory[workers] = match(book, games, workers)
                costs[workers].append(cost)
                print(f"  turn {turn + 1}: {workers} worker(s) {cost.wall:.4f} ms a move", flush=True)
        for workers, of_it in costs.items():
            wall, processor = (median(column) for column in zip(*of_it, strict=True))
            print(f"{workers} worker(s)    {wall:8.4f} ms a move (processor {processor:.4f}), {TURNS} turns")
            for count, megabytes in memory[workers].rss[:1] + memory[workers].rss[-1:]:
                print(f"  memory       {megabytes:8.0f} MB after {count:,} games")
        ratios = [one.wall / two.wall for one, two in zip(costs[1], costs[2], strict=True)]
        print(f"two workers    {median(ratios):8.2f} x one ({min(ratios):.2f} to {max(ratios):.2f})")


if __name__ == "__main__":
    main()
