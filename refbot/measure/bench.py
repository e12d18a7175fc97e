"""Speed and statistics of playouts: the numbers of `refbot bench` and `refbot playouts`."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from functools import partial

from refbot.compile.devices import choose_device
from refbot.compile.kernels import FEWEST_FOR_LANES, MEASURED, Times, choose_kernel, default_kernel
from refbot.deviations.options import NO_OPTIONS, features_of
from refbot.measure.cycles import calibrate
from refbot.playouts import PlayoutStats, playouts, rng, scalar
from refbot.playouts.tally import ACCEPTED, CONSIDERED, FOUND, ROWS, SELECT, TICKS, Kinds
from refbot.rules import Position

SECONDS_A_SIZE = 2.0  # duration of a benchmark for which no number of playouts is given; chosen
FIRST_TRY = 200  # playouts per thread that estimate the speed
FIRST_TRY_ON_GPU = 2_000_000  # enough for all its threads
NANOSECONDS = 1e9
ROUND_POINTS = 300_000  # playouts x board points of a kernel in a round of `times_of_kernels`: about 30 ms
ROUNDS = 5  # the fastest counts; chosen: 0.3 s per size in all
TIMED_POINTS = 100_000  # playouts x board points of a run with timed board functions; chosen
TIMED_RUNS = 7  # the fastest counts; chosen
DEFAULT_KOMI = 7.5  # chosen; it changes no length and no cost
BOARD_FUNCTIONS = ROWS[SELECT:]


@dataclass(frozen=True)
class Summary:
    """A batch of playouts as `refbot playouts --json` prints it."""

    size: int
    komi: float
    policy: str
    kernel: str
    threads: int  # as the caller chose; a GPU ignores the number
    playouts: int
    moves_per_playout: float
    sd: float  # of the moves of one playout
    longest: int  # in moves
    black_wins: float  # mean result, draws ½
    kinds: Kinds
    seconds: float


@dataclass(frozen=True)
class Speed:
    """One line of `refbot bench`."""

    size: int
    policy: str
    kernel: str
    threads: int  # 1 on a GPU
    playouts: int
    seconds: float
    kpps: float  # thousands of playouts per second
    ns_per_move: float
    cycles_per_move: float | None  # of one core; None on a GPU
    moves_per_playout: float
    sd: float  # of the moves of one playout
    black_wins: float  # mean result, draws ½


def summarise(stats: PlayoutStats, size: int, komi: float, threads: int, policy: str = "random") -> Summary:
    """Return the means of a batch of playouts, and its settings."""
    return Summary(
        size, komi, policy, stats.kernel, threads, stats.playouts, stats.mean_moves, stats.sd_moves,
        stats.longest, stats.black_rate, stats.kinds, stats.seconds,
    )  # fmt: skip


@dataclass(frozen=True)
class Cost:
    """Cost of one board function, or one kind of move, in the scalar kernel."""

    size: int
    policy: str
    function: str  # select, play or score; or a kind of move, whose cost is a part of that of select
    calls_per_playout: float
    found_pct: float  # percentage of the calls that found a candidate; 100 for a board function
    accepted_pct: float  # percentage of the calls whose candidate was played; 100 for a board function
    cycles_per_call: float  # without the cost of reading the tick counter; nan on a processor without one


def measure(
    size: int,
    count: int | None,
    threads: int,
    clock_hz: float,
    policy: str = "random",
    kernel: str = "auto",
    device: str = "cpu",
) -> Speed:
    """Plays `count` playouts from the empty board, or as many as take about SECONDS_A_SIZE, and times them.

    The kernel is loaded first. `count` and `threads` are at least 1; a GPU ignores `threads` and `kernel`.
    Raises DeviceError, UnknownPolicyError and UnknownKernelError.
    """
    play = partial(
        playouts, Position.empty(size), policy=policy, threads=threads, kernel=kernel, device=device
    )

    first_try, features = FIRST_TRY * threads, features_of(policy, NO_OPTIONS)
    on_gpu = choose_device(device, size, features) == "gpu"
    if on_gpu:
        threads, first_try = 1, FIRST_TRY_ON_GPU
    wanted = default_kernel(None) if kernel == "auto" else kernel  # `playouts` without a seed does the same

    def load(number: int) -> None:
        """Loads the kernel that plays `number` playouts, by a few of them."""
        chosen = kernel if on_gpu else choose_kernel(wanted, size, number // threads, features).kernel
        play(min(number, FEWEST_FOR_LANES * threads), kernel=chosen)

    if count is None:
        load(first_try)
        first = play(first_try)
        count = max(first_try, round(first.playouts * SECONDS_A_SIZE / first.seconds))
    load(count)  # on a small board, many playouts may have another kernel than the first ones
    stats = play(count)
    ns_per_move = stats.seconds * NANOSECONDS / stats.moves
    return Speed(
        size, policy, stats.kernel, threads, stats.playouts, stats.seconds,
        kpps=stats.playouts / stats.seconds / 1000,
        ns_per_move=ns_per_move,
        cycles_per_move=None if on_gpu else ns_per_move * clock_hz * threads / NANOSECONDS,
        moves_per_playout=stats.mean_moves,
        sd=stats.sd_moves,
        black_wins=stats.black_rate,
    )  # fmt: skip


def costs(size: int, policy: str, clock_hz: float, count: int | None = None) -> list[Cost]:
    """Return the cost of each board function, and of each kind of move that was tried.

    The costs are those of the fastest of TIMED_RUNS runs of `count` playouts; without `count`, the board size
    sets the number. `clock_hz` is the clock rate of the processor, in cycles per second. Raises
    UnknownPolicyError.
    """
    position = Position.empty(size)
    count = count or TIMED_POINTS // size**2
    scalar.run(position, 1, DEFAULT_KOMI, rng.stream(0, 0), policy=policy, timed=True)
    tallies = []
    for _ in range(TIMED_RUNS):
        stats = scalar.run(position, count, DEFAULT_KOMI, rng.stream(0, 1), policy=policy, timed=True)
        assert stats.tally is not None
        tallies.append(stats.tally)
    # The run with the fewest ticks was interrupted least.
    tally = min(tallies, key=lambda tally: int(tally[:, TICKS].sum()))
    cycles_a_tick, ticks_to_read = calibrate(clock_hz)
    found = []
    for name, row in zip(ROWS, tally, strict=True):
        if calls := int(row[CONSIDERED]):
            # A board function finds and accepts nothing; each of its calls counts as both.
            is_function = name in BOARD_FUNCTIONS
            found_pct, accepted_pct = (
                100.0 if is_function else 100 * int(row[column]) / calls for column in (FOUND, ACCEPTED)
            )
            cycles = (int(row[TICKS]) / calls - ticks_to_read) * cycles_a_tick
            found.append(Cost(size, policy, name, calls / count, found_pct, accepted_pct, cycles))
    return found


def times_of_kernels(size: int, points: int = ROUND_POINTS) -> Times:
    """Measures the loaded kernels, in nanoseconds per move, with all-moves-as-first records as in a search.

    `points` is the size of a round: playouts x board points. The fastest of a few rounds counts, because
    other programs can only slow a round down.
    """
    times = dict.fromkeys(MEASURED, math.inf)
    for _ in range(ROUNDS):
        for kernel in MEASURED:
            began = time.thread_time()
            stats = playouts(Position.empty(size), points // size**2, seed=1, kernel=kernel, amaf=True)
            times[kernel] = min(times[kernel], (time.thread_time() - began) * NANOSECONDS / stats.moves)
    return times
