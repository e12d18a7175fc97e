"""How fast the playouts are, and what they come to: the numbers of `refbot bench` and `refbot playouts`."""

from __future__ import annotations

from dataclasses import dataclass

from refbot.playouts import PlayoutStats, playouts
from refbot.rules import Position

SECONDS_A_SIZE = 2.0  # what a benchmark without a number of playouts aims at
FIRST_TRY = 200  # playouts; more than the slowest start takes to settle
NANOSECONDS = 1e9


@dataclass(frozen=True)
class Summary:
    """A batch of playouts as `refbot playouts --json` prints it."""

    size: int
    komi: float
    policy: str
    kernel: str
    threads: int
    playouts: int
    moves_per_playout: float
    sd: float
    longest: int
    black_wins: float  # mean result, draws ½
    kinds: dict[str, int]
    seconds: float


@dataclass(frozen=True)
class Speed:
    """One line of `refbot bench`."""

    size: int
    policy: str
    kernel: str
    threads: int
    playouts: int
    seconds: float
    kpps: float  # 1,000 whole playouts a second
    ns_per_move: float
    cycles_per_move: float  # of one core
    moves_per_playout: float
    sd: float
    black_wins: float


def summarised(stats: PlayoutStats, size: int, komi: float, threads: int, policy: str = "random") -> Summary:
    """The means of a batch."""
    return Summary(
        size=size,
        komi=komi,
        policy=policy,
        kernel=stats.kernel,
        threads=threads,
        playouts=stats.playouts,
        moves_per_playout=stats.mean_moves,
        sd=stats.sd_moves,
        longest=stats.longest,
        black_wins=stats.black_rate,
        kinds=stats.kinds,
        seconds=stats.seconds,
    )


def measure(size: int, count: int | None, threads: int, clock_hz: float, policy: str = "random") -> Speed:
    """Plays `count` playouts from the empty board, or as many as take about SECONDS_A_SIZE, and times them.

    The kernels must have been loaded before.
    """
    position = Position.empty(size)
    if count is None:
        first = playouts(position, FIRST_TRY * threads, policy=policy, threads=threads)
        count = max(FIRST_TRY, round(first.playouts * SECONDS_A_SIZE / first.seconds))
    stats = playouts(position, count, policy=policy, threads=threads)
    ns_per_move = stats.seconds * NANOSECONDS / stats.moves
    return Speed(
        size=size,
        policy=policy,
        kernel=stats.kernel,
        threads=threads,
        playouts=stats.playouts,
        seconds=stats.seconds,
        kpps=stats.playouts / stats.seconds / 1000,
        ns_per_move=ns_per_move,
        cycles_per_move=ns_per_move * clock_hz * threads / NANOSECONDS,
        moves_per_playout=stats.mean_moves,
        sd=stats.sd_moves,
        black_wins=stats.black_rate,
    )
