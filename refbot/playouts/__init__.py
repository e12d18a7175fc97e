"""Playouts: random games from a position to their end, and the sums over them.

`playouts` chooses a kernel (`lanes`, `scalar`, `gpu`), which plays the games.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from refbot.compile.devices import DeviceError, choose_device
from refbot.compile.kernels import UnknownKernelError, choose_kernel, default_kernel
from refbot.deviations.fault import Fault
from refbot.deviations.faults import checked, mask
from refbot.deviations.options import (
    NO_OPTIONS,
    POLICIES,
    Options,
    UnacceptableOptionError,
    UnknownPolicyError,
    features_of,
)
from refbot.playouts.stats import Amaf, PlayoutStats, merged
from refbot.rules.position import Position

if TYPE_CHECKING:
    import numpy as np

__all__ = [
    "NO_OPTIONS",
    "POLICIES",
    "Amaf",
    "DeviceError",
    "Options",
    "PlayoutStats",
    "Position",
    "UnacceptableOptionError",
    "UnknownKernelError",
    "UnknownPolicyError",
    "playouts",
    "playouts_of_many",
]

SEED_BITS = 64  # of a seed drawn at random, if the caller gives none


def playouts_of_many(
    positions: Sequence[Position],
    n: int,
    komi: float = 7.5,
    *,
    seed: int | None = None,
    amaf: bool = False,
    device: str = "cpu",
) -> list[PlayoutStats]:
    """Plays `n` uniform games from each position, all of one size; see `playouts`.

    A GPU plays all of them at once. The games of a position also depend on its index in `positions`. Without
    positions the list is empty. Raises DeviceError, and ValueError for n below 1 or too large for a GPU (see
    `gpu.batch.run_many`).
    """
    if n < 1:
        raise ValueError(f"playouts must be at least 1, not {n}")
    if not positions:
        return []
    seed = secrets.randbits(SEED_BITS) if seed is None else seed
    if choose_device(device, positions[0].size) == "gpu":
        from refbot.playouts.gpu.batch import run_many

        return run_many(positions, n, komi, seed, amaf=amaf)
    from refbot.playouts.rng import stream

    return [
        playouts(position, n, komi, seed=int(stream(seed, number)), amaf=amaf)
        for number, position in enumerate(positions)
    ]


def playouts(
    position: Position,
    n: int,
    komi: float = 7.5,
    *,
    policy: str = "random",
    options: Options = NO_OPTIONS,
    seed: int | None = None,
    threads: int = 1,
    amaf: bool = False,
    faults: Iterable[str | Fault] = frozenset(),
    kernel: str = "auto",
    records: bool = False,
    device: str = "cpu",
) -> PlayoutStats:
    """Plays `n` games from `position` to their end and sums them up.

    With a seed, equal arguments and the same kernel give equal games. Without a seed the games are new.
    `policy` and `options` are those of `refbot.deviations.options`. `faults` are faults or their names.
    `amaf` adds the all-moves-as-first records, `records` the length and the result of each playout.

    `kernel` is "scalar", "lanes", "fastest" (on this machine, see `choose_kernel`), or "auto": with a seed,
    the one that is the same on every machine, else "fastest". `device` is "cpu", "gpu", or "auto": a GPU if
    there is one that supports the arguments. A GPU ignores `threads` and `kernel`; a seed gives the same
    games on every GPU.

    Raises ValueError for n or threads below 1 and for n too large for a GPU; DeviceError, UnknownKernelError,
    UnknownPolicyError and UnknownFaultError.
    """
    if n < 1 or threads < 1:
        raise ValueError(f"playouts and threads must be at least 1, not {n} and {threads}")
    features = features_of(policy, options)
    if options.cap_from_root:
        position = replace(position, moves_made=0)
    fault_set = checked(faults)
    faulty = bool(mask(fault_set))
    if choose_device(device, position.size, features, faulty=faulty) == "gpu":
        from refbot.playouts.gpu.batch import run_many

        seed = secrets.randbits(SEED_BITS) if seed is None else seed
        return run_many([position], n, komi, seed, amaf=amaf, records=records)[0]
    choice = choose_kernel(
        default_kernel(seed) if kernel == "auto" else kernel,
        position.size,
        n // threads,
        features,
        faulty=faulty,
    )
    run: Callable[..., PlayoutStats]
    if choice.kernel == "lanes":
        from refbot.playouts.lanes import run
    else:
        from refbot.playouts.scalar import run as run_scalar

        run = partial(run_scalar, faults=fault_set)
    seed = secrets.randbits(SEED_BITS) if seed is None else seed

    def play(count: int, stream: np.uint64) -> PlayoutStats:
        return run(position, count, komi, stream, amaf=amaf, policy=policy, options=options, records=records)

    return _in_threads(play, n, seed, min(threads, n))


def _in_threads(
    play: Callable[[int, np.uint64], PlayoutStats], n: int, seed: int, threads: int
) -> PlayoutStats:
    """Plays `n` games in shares: each thread calls `play` with its number of games and its random stream."""
    from refbot.playouts.rng import stream

    if threads == 1:
        return play(n, stream(seed, 0))
    shares = [n // threads + (thread < n % threads) for thread in range(threads)]
    streams = [stream(seed, thread) for thread in range(threads)]
    began = time.perf_counter()
    with ThreadPoolExecutor(threads) as pool:
        return merged(list(pool.map(play, shares, streams)), time.perf_counter() - began)
