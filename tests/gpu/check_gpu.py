# mypy: allow-untyped-calls
"""Checks the playouts of a GPU, then measures them: `make gpu`. Takes about four minutes; needs a GPU.

Small boards are held against the exact enumerator, large ones against the CPU kernels and against the tables
of the oracle: means within four standard errors. Each line is a check or a speed; the program ends with 1 if
a check has failed. Arguments: names of checks, to run only these.
"""

from __future__ import annotations

import math
import os
import random
import shutil
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import get_args

import numpy as np
from numba import cuda

from harness.go import Colour, random_game
from harness.go import Position as HarnessPosition
from harness.oracle import enumerate_amaf
from harness.oracle.expected import stored_moments
from harness.selftest.direct_search import COLOURS
from refbot.playouts import PlayoutStats, playouts, playouts_of_many
from refbot.rules import BLACK, WHITE, Game, Position
from tests.refbot.test_gpu import KO, KO_POINT
from tests.refbot.test_lanes import CAPTURE_RACE, assert_distribution, exact, limited, position_of

ERRORS = 4.0  # standard errors that two means may differ by
POINT_ERRORS = 5.5  # the same for 722 points at once
CPU_SECONDS = 6.0
SIZES = {9: 1_000_000_000, 13: 200_000_000, 19: 100_000_000}  # playouts on the GPU: 3 to 7 s on an H100
TIMED = {9: 400_000_000, 13: 100_000_000, 19: 24_000_000}  # the same for speeds
# The same for each table of the oracle.
TABLED = {3: 100_000_000, 9: 1_000_000_000, 13: 1_000_000_000, 19: 150_000_000}
SMALL = 4_000_000
GOALS = {9: 250.0, 13: 60.0, 19: 15.0}  # million playouts a second on one H100
SHARE = 0.8  # of the speed with AMAF; and of its moves a second with 1,000 positions
POSITIONS = 1_000
TOOLS = ("memcheck", "racecheck", "synccheck", "initcheck")  # of compute-sanitizer
PATIENCE = 40  # seconds for each


@dataclass
class Report:
    """The checks that have failed."""

    failed: list[str] = field(default_factory=list)

    def check(self, what: str, right: bool, detail: str = "") -> None:
        """Prints the outcome of a check."""
        print(f"{'ok  ' if right else 'FAIL'}  {what}  {detail}", flush=True)
        if not right:
            self.failed.append(what)


def check_distributions(report: Report) -> None:
    """Length and result together, against the enumerator."""
    starts: dict[str, tuple[Position, tuple[float, ...]]] = {
        f"{size}x{size}, {'Black' if to_move == BLACK else 'White'} to move": (
            Position(size, np.zeros(size * size, np.int8), to_move),
            (0.5, 1.0) if size == 2 else (0.5, 3.0),
        )
        for size in (2, 3)
        for to_move in (BLACK, WHITE)
    }
    race = limited(position_of(CAPTURE_RACE, to_move=WHITE), 7)
    ko = limited(position_of(KO, to_move=WHITE, ko=KO_POINT), 3)
    starts |= {"a ko in force": (ko, (0.5,)), "9x9 with seven moves left under the cap": (race, (0.5, 7.0))}
    for name, (position, komis) in starts.items():
        for komi in komis:
            records = playouts(position, SMALL, komi, seed=1, records=True, device="gpu").records
            assert records is not None
            seen = Counter(zip(records.lengths.tolist(), records.half_points.tolist(), strict=True))
            try:
                assert_distribution(seen, exact(position, komi))
                right = True
            except AssertionError:
                right = False
            report.check(f"{name}, komi {komi:g}: the whole distribution", right, f"{SMALL:,} playouts")


def check_records(report: Report) -> None:
    """AMAF visits and half-wins of each point on small boards, against the enumerator."""
    starts = [HarnessPosition(2), *(random_game(3, seed, moves) for seed, moves in ((3, 6), (1, 7), (1, 8)))]
    for start in starts:
        for colour in get_args(Colour):
            exact = enumerate_amaf(start, colour, ko=start.ko_ban(colour)).values(0.5)
            root = root_of(start, colour)
            amaf = playouts(root, SMALL, 0.5, seed=9, amaf=True, device="gpu").amaf
            assert amaf is not None
            points = [row * start.size + column for row, column in exact]
            apart = max(
                float(np.abs(seen[points] / SMALL - [float(value) for value in wanted]).max())
                for seen, wanted in (
                    (amaf.visits, [each.visits for each in exact.values()]),
                    (amaf.wins, [each.wins for each in exact.values()]),
                )
            ) / (0.5 / math.sqrt(SMALL))
            name = f"{start.size}x{start.size}, {len(start.moves)} moves, {colour}: AMAF of each point"
            report.check(name, apart < POINT_ERRORS, f"at most {apart:.1f} standard errors apart")


def check_tables(report: Report) -> None:
    """The stored moments of empty boards, against more playouts than they are made of."""
    for name, stored in stored_moments().items():
        size, komi = int(name.partition("x")[0]), float(name.rpartition(" ")[2])
        count = TABLED[size]
        seen = playouts(Position.empty(size), count, komi, seed=10, device="gpu")
        for what, mine, its, deviation, error in (
            ("moves", seen.mean_moves, stored.mean_length, stored.sd_length, stored.se_length),
            ("Black's rate", seen.black_rate, stored.mean_result, stored.sd_result, stored.se_result),
        ):
            both = math.hypot(error, deviation / math.sqrt(count))
            detail = f"{mine:.6f} ± {deviation / math.sqrt(count):.6f} against {its:.6f} ± {error:.6f}"
            report.check(f"table {name}, {count:,} playouts: {what}", abs(mine - its) < ERRORS * both, detail)


def check_means(report: Report) -> None:
    """Means, AMAF visits and half-wins of large boards, against the CPU kernels."""
    for size, count in SIZES.items():
        start = random_start(size, 20, seed=size)
        for name, position, komi in (("empty board", Position.empty(size), 7.5), ("20 moves", start, 7.0)):
            check_one(report, f"{size}x{size}, {name}, komi {komi:g}", position, komi, count)


def check_one(report: Report, name: str, position: Position, komi: float, count: int) -> None:
    """One position, played on both devices."""
    threads = os.cpu_count() or 1
    play_cpu: Callable[[int], PlayoutStats] = lambda n: playouts(  # noqa: E731
        position, n, komi, seed=2, threads=threads, amaf=True
    )
    play_cpu(100 * threads)
    first = play_cpu(20_000)
    cpu = play_cpu(max(20_000, round(20_000 * CPU_SECONDS / first.seconds)))
    gpu = playouts(position, count, komi, seed=3, amaf=True, device="gpu")
    for what, mine, its, deviation in (
        ("moves", gpu.mean_moves, cpu.mean_moves, cpu.sd_moves),
        ("sd of the moves", gpu.sd_moves, cpu.sd_moves, cpu.sd_moves),  # wide enough for any shape
        ("Black's rate", gpu.black_rate, cpu.black_rate, 0.5),
        ("draws", gpu.draws / gpu.playouts, cpu.draws / cpu.playouts, 0.5),
    ):
        error = deviation * math.sqrt(1 / gpu.playouts + 1 / cpu.playouts)
        detail = f"{mine:.5f} against {its:.5f} ± {error:.5f}"
        report.check(f"{name}: {what}", abs(mine - its) < ERRORS * error, detail)
    assert gpu.amaf is not None
    assert cpu.amaf is not None
    error = 0.5 * math.sqrt(1 / gpu.playouts + 1 / cpu.playouts)
    for what, counts, its_counts in (
        ("visits of each point", gpu.amaf.visits, cpu.amaf.visits),
        ("wins of each point", gpu.amaf.wins, cpu.amaf.wins),
    ):
        apart = float(np.abs(counts / gpu.playouts - its_counts / cpu.playouts).max() / error)
        report.check(f"{name}: {what}", apart < POINT_ERRORS, f"at most {apart:.1f} standard errors apart")


def check_seeds(report: Report) -> None:
    """The games of a seed do not depend on how many are played, or on the device."""
    few, many = (
        playouts(Position.empty(9), n, seed=4, records=True, device="gpu").records for n in (1_000, 300_000)
    )
    assert few is not None
    assert many is not None
    same = np.array_equal(few.lengths, many.lengths[:1_000])
    report.check("a game depends on the seed and its number alone", same)


def check_memory(report: Report) -> None:
    """The kernels under the tools of compute-sanitizer, if it is installed."""
    sanitizer = shutil.which("compute-sanitizer") or "/usr/local/cuda/bin/compute-sanitizer"
    if not os.path.exists(sanitizer):
        print("      compute-sanitizer is not installed: memory is not checked")
        return
    for size in TIMED:
        program = (
            "from refbot.playouts import playouts, Position\n"
            f"playouts(Position.empty({size}), 5000, seed=5, amaf=True, records=True, device='gpu')\n"
        )
        for tool in TOOLS if size == min(TIMED) else TOOLS[:2]:
            command = [sanitizer, "--tool", tool, "--error-exitcode", "9"]
            command += [sys.executable, "-W", "ignore", "-c", program]
            try:
                run = subprocess.run(command, capture_output=True, text=True, check=False, timeout=PATIENCE)
            except subprocess.TimeoutExpired:
                report.check(
                    f"{size}x{size}: {tool} of compute-sanitizer", False, f"no end after {PATIENCE} s"
                )
                continue
            last = (run.stdout + run.stderr).strip().rpartition("\n")[2]
            report.check(f"{size}x{size}: {tool} of compute-sanitizer", run.returncode == 0, last)


def root_of(start: HarnessPosition, colour: Colour) -> Position:
    """The position as refbot has it."""
    game = Game(start.size)
    for move in start.moves:
        point = None if move.point is None else move.point[0] * start.size + move.point[1]
        game.play(COLOURS[move.colour], point)
    return game.position(COLOURS[colour])


def random_start(size: int, moves: int, seed: int) -> Position:
    """A position after some random moves; White is to move after an odd number of them."""
    chance, game = random.Random(seed), Game(size)
    for _ in range(moves):
        game.play(game.to_move, int(chance.choice(list(game.candidates(game.to_move)))))
    return game.position()


def speeds(report: Report) -> None:
    """Million playouts a second from the empty board; moves a second from many positions."""
    for size, count in TIMED.items():
        plain, _ = speed([Position.empty(size)], count, amaf=False)
        amaf, amaf_moves = speed([Position.empty(size)], count, amaf=True)
        report.check(f"{size}x{size}: speed", plain >= GOALS[size], f"{plain:.1f} million playouts/s")
        report.check(f"{size}x{size}: speed with AMAF", amaf >= SHARE * plain, f"{amaf:.1f} million/s")
        starts = [random_start(size, number % 40, seed=number) for number in range(POSITIONS)]
        many, many_moves = speed(starts, count // POSITIONS, amaf=True)
        report.check(
            f"{size}x{size}: {POSITIONS} positions, {count // POSITIONS:,} playouts each, with AMAF",
            many_moves >= SHARE * amaf_moves,
            f"{many:.1f} million playouts/s; moves a second {many_moves / amaf_moves:.2f} of one position",
        )


def speed(starts: list[Position], count: int, *, amaf: bool) -> tuple[float, float]:
    """(Million playouts, million moves) a second: the better one of two runs."""
    playouts_of_many(starts, 100, seed=6, amaf=amaf, device="gpu")
    best = 0.0, 0.0
    for seed in (7, 8):
        began = time.perf_counter()
        stats = playouts_of_many(starts, count, seed=seed, amaf=amaf, device="gpu")
        seconds = time.perf_counter() - began
        moves = sum(each.moves for each in stats)
        best = max(best, (len(starts) * count / seconds / 1e6, moves / seconds / 1e6))
    return best


def main() -> int:
    """Checks everything; returns the exit code."""
    import numba

    device = cuda.get_current_device()
    name = device.name if isinstance(device.name, str) else device.name.decode()
    print(f"{name}, compute capability {tuple(device.compute_capability)}, numba {numba.__version__}")
    report, began = Report(), time.perf_counter()
    parts = (check_distributions, check_records, check_seeds, check_means, speeds, check_memory, check_tables)
    for part in parts:
        if len(sys.argv) > 1 and part.__name__ not in sys.argv[1:]:
            continue
        part(report)
        print(f"      {part.__name__}: {time.perf_counter() - began:.0f} s since the start", flush=True)
    print(f"{len(report.failed)} checks failed" if report.failed else "all checks passed")
    return bool(report.failed)


if __name__ == "__main__":
    sys.exit(main())
