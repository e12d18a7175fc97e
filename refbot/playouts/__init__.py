"""Random games from a position to their end, and what they sum up to."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from refbot.faults import checked
from refbot.playouts.stats import Amaf, PlayoutStats, merged
from refbot.rules.position import Position

__all__ = ["Amaf", "PlayoutStats", "Position", "UnknownKernelError", "UnknownPolicyError", "playouts"]

KERNELS = ("auto", "lanes", "scalar")
POLICIES = ("random",)
SEED_BITS = 64


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
    play = _runner(kernel, komi, amaf, checked(faults))
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


def _runner(
    kernel: str, komi: float, amaf: bool, faults: frozenset[str]
) -> Callable[[Position, int, np.uint64], PlayoutStats]:
    """The function that plays a share of the playouts from one random stream."""
    if kernel not in KERNELS:
        raise UnknownKernelError(kernel, f"one of {', '.join(KERNELS)}")
    if kernel == "lanes":
        raise UnknownKernelError(kernel, "not built yet")
    from refbot.playouts import scalar

    return lambda position, n, stream: scalar.run(position, n, komi, stream, amaf=amaf, faults=faults)
