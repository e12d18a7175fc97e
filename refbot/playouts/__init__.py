"""Random games from a position to their end, and what they sum up to."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from refbot.faults import checked, mask
from refbot.playouts.stats import Amaf, PlayoutStats, merged
from refbot.rules.position import Position

__all__ = ["Amaf", "PlayoutStats", "Position", "UnknownKernelError", "UnknownPolicyError", "playouts", "warm"]

KERNELS = ("auto", "lanes", "scalar")
POLICIES = ("random",)
SEED_BITS = 64
LARGEST_FOR_LANES = 13  # beyond, one game after another is faster
FEWEST_FOR_LANES = 64  # playouts a thread; fewer leave lanes idle


class UnknownKernelError(ValueError):
    """A kernel that does not exist, or that cannot play what is asked of it."""

    def __init__(self, kernel: str, why: str) -> None:
        self.kernel = kernel
        super().__init__(f"kernel {kernel!r}: {why}")


class UnknownPolicyError(ValueError):
    """A policy that does not exist."""

    def __init__(self, policy: str) -> None:
        self.policy = policy
        super().__init__(f"unknown policy {policy!r}: one of {', '.join(POLICIES)}")


def playouts(
    position: Position,
    n: int,
    *,
    komi: float = 7.5,
    policy: str = "random",
    seed: int | None = None,
    threads: int = 1,
    amaf: bool = False,
    faults: Iterable[str] = frozenset(),
    kernel: str = "auto",
) -> PlayoutStats:
    """Plays `n` games from `position` to their end and sums them up.

    The games are the same whenever `seed`, `threads` and the kernel are; without a seed they are new
    ones. `faults` are names of `refbot.faults`; `kernel` is "scalar", "lanes" or "auto", the fastest
    that can do it. Raises ValueError for n or threads below 1, UnknownKernelError,
    UnknownPolicyError, and UnknownFaultError of `refbot.faults`.
    """
    if n < 1 or threads < 1:
        raise ValueError(f"playouts and threads must be at least 1, not {n} and {threads}")
    if policy not in POLICIES:
        raise UnknownPolicyError(policy)
    play = _runner(kernel, position.size, n // threads, komi, amaf, checked(faults))
    from refbot.playouts.rng import stream

    seed = secrets.randbits(SEED_BITS) if seed is None else seed
    threads = min(threads, n)
    shares = [n // threads + (thread < n % threads) for thread in range(threads)]
    began = time.perf_counter()
    if threads == 1:
        return play(position, n, stream(seed, 0))
    with ThreadPoolExecutor(threads) as pool:
        parts = list(
            pool.map(lambda thread: play(position, shares[thread], stream(seed, thread)), range(threads))
        )
    return merged(parts, time.perf_counter() - began)


def warm(sizes: Iterable[int] = (9, 13, 19)) -> None:
    """Compiles every kernel and keeps it on disk; the lane kernel depends on the size: those of `sizes`."""
    from refbot.rules import Game

    game = Game()
    game.play(game.to_move, int(game.candidates(game.to_move)[0]))
    game.area_score()
    for size in sizes:
        for amaf in (False, True):
            for kernel in ("auto", "scalar"):
                playouts(Position.empty(size), FEWEST_FOR_LANES, amaf=amaf, kernel=kernel)
    playouts(Position.empty(5), 1, faults=["komi-ignored"])


def _runner(
    kernel: str, size: int, n: int, komi: float, amaf: bool, faults: frozenset[str]
) -> Callable[[Position, int, np.uint64], PlayoutStats]:
    """The function that plays a share of the playouts from one random stream."""
    if kernel not in KERNELS:
        raise UnknownKernelError(kernel, f"one of {', '.join(KERNELS)}")
    if kernel == "lanes" and mask(faults):
        raise UnknownKernelError(kernel, "it plays without faults only")
    if kernel == "lanes" or (kernel == "auto" and size <= LARGEST_FOR_LANES and n >= FEWEST_FOR_LANES):
        from refbot.playouts.lanes import lane_playouts, lanes_fit

        if lanes_fit(size) and not mask(faults):
            return lambda position, n, stream: lane_playouts(
                position, n, komi=komi, seed=int(stream), amaf=amaf
            )
        if kernel == "lanes":
            raise UnknownKernelError(kernel, f"it has no boards of size {size}")
    from refbot.playouts import scalar

    return lambda position, n, stream: scalar.run(position, n, komi, stream, amaf=amaf, faults=faults)
