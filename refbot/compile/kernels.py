"""The choice of the kernel that plays, lanes or scalar, without loading any.

The lane kernel (`refbot.playouts.lanes`) plays many games side by side; the scalar kernel plays one after
another. A seed must give the same games on every machine. So with a seed, the kernel of uniform playouts
follows from the board size and the number of playouts of a thread. Without a seed, many playouts are played
by the kernel that was faster on this machine when `refbot warm` measured both, or by a guess before that.
Only speed depends on these times. A file of times that is missing, damaged, or from another processor or
version counts as no measurement.
"""

from __future__ import annotations

import functools
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass

from refbot.compile.cache import processor_features, read_note, write_note
from refbot.deviations.options import CUTOFF
from refbot.errors import RefbotError

MEASURED = ("lanes", "scalar")  # the kernels themselves
FILE = "speeds.json"  # the note with the Times of each board size

Times = Mapping[str, float]  # nanoseconds per move, by kernel

KERNELS = ("auto", "fastest", "lanes", "scalar")
SIZES_IN_LANES = range(2, 26)
LARGEST_IN_NARROW_VECTORS = 16
"""The largest size on which lanes are taken to be faster in vectors of 16 bytes. On larger boards these hold
only two games or four."""
WIDE = {"avx2", "+avx2"}  # names of the processor feature that means wider vectors
FEWEST_FOR_LANES = 64  # playouts per thread; fewer leave lanes idle
SMALL_BOARDS = range(2, 9)
FEW_POINTS = 60_000
"""With "fastest", a thread with at most this number of playouts x points on a small board uses the scalar
kernel, until the size is measured.

The lane kernel is compiled for each size, which takes seconds. The scalar kernel, one for all sizes, plays
these few playouts in milliseconds. After `refbot warm --size N` the lane kernel of size N is compiled
already.
"""


class UnknownKernelError(RefbotError, ValueError):
    """A kernel that does not exist, or that does not support the playouts."""

    def __init__(self, kernel: str, why: str) -> None:
        self.kernel = kernel
        super().__init__(f"kernel {kernel!r}: {why}")


@dataclass(frozen=True)
class Choice:
    """The kernel that plays, and the reason."""

    kernel: str  # "lanes" or "scalar"
    why: str  # in words for a user


def default_kernel(seed: int | None) -> str:
    """Return "fastest", or with a seed "auto", which chooses the same kernel on every machine."""
    return "fastest" if seed is None else "auto"


def choose_kernel(
    kernel: str, size: int, playouts_a_thread: int, features: int = 0, *, faulty: bool = False
) -> Choice:
    """Return the kernel that plays, and why.

    kernel             one of KERNELS; "auto" and "fastest" choose the scalar kernel where few playouts leave
                       lanes idle (FEWEST_FOR_LANES)
    playouts_a_thread  number of playouts that each thread plays
    features           of `refbot.deviations.options.features_of`
    faulty             the playouts have a fault

    The lane kernel supports no faults, no option `cutoff`, and only SIZES_IN_LANES. Raises UnknownKernelError
    for "lanes" where it does not support the playouts, and for a name that is not in KERNELS.
    """
    if kernel not in KERNELS:
        raise UnknownKernelError(kernel, f"expected one of {', '.join(KERNELS)}")
    able = not (faulty or features & CUTOFF)
    if kernel == "lanes" and not able:
        raise UnknownKernelError(kernel, "it supports no faults and no --cutoff; choose scalar or auto")
    if kernel == "lanes" and size not in SIZES_IN_LANES:
        raise UnknownKernelError(kernel, f"it has no boards of size {size}; choose scalar or auto")
    if kernel in ("lanes", "scalar"):
        return Choice(kernel, "asked for")
    if not able:
        return Choice("scalar", "for faults and games that are cut off")
    if playouts_a_thread < FEWEST_FOR_LANES:
        return Choice("scalar", f"for fewer than {FEWEST_FOR_LANES} playouts a thread")
    if kernel == "auto":
        return _by_size(size, max(SIZES_IN_LANES), "on every machine")
    few = size in SMALL_BOARDS and playouts_a_thread * size * size <= FEW_POINTS
    if few and size not in load_speeds():
        return Choice(
            "scalar",
            f"for few playouts on a small board, until `refbot warm --size {size}` measures the size",
        )
    return choose_fastest(size)


def choose_fastest(size: int) -> Choice:
    """Return the faster kernel for many uniform playouts: as measured on the nearest size, else a guess."""
    if speeds := load_speeds():
        nearest = min(speeds, key=lambda measured: (abs(measured - size), measured))
        times = {
            name: time for name, time in speeds[nearest].items() if name != "lanes" or size in SIZES_IN_LANES
        }
        shown = ", ".join(f"{name} {time:.1f}" for name, time in times.items())
        why = f"measured on {nearest}x{nearest}, in nanoseconds per move: {shown}"
        return Choice(min(times, key=times.__getitem__), why)
    wide = not WIDE.isdisjoint(processor_features().replace(",", " ").split())
    largest = max(SIZES_IN_LANES) if wide else LARGEST_IN_NARROW_VECTORS
    return _by_size(
        size, largest, f"by the {'wide' if wide else 'narrow'} vectors, until `refbot warm` measures it"
    )


def _by_size(size: int, largest: int, why: str) -> Choice:
    return Choice("lanes" if min(SIZES_IN_LANES) <= size <= largest else "scalar", why)


@functools.cache
def load_speeds() -> Mapping[int, Times]:
    """Return the times by board size, of the sizes measured on this machine; empty without a usable file.

    The file is read once, and again after `store_times`.
    """
    try:
        kept = json.loads(read_note(FILE) or "{}")
        return {int(size): dict(times) for size, times in kept.items() if _is_sound(times)}
    except (ValueError, TypeError, AttributeError):
        return {}


def _is_sound(times: object) -> bool:
    return (
        isinstance(times, dict)
        and set(times) == set(MEASURED)
        and all(isinstance(value, float) and 0 < value < math.inf for value in times.values())
    )


def store_times(size: int, times: Times) -> None:
    """Add the times of a board size to the file. Read it again first, since other processes write it too."""
    load_speeds.cache_clear()
    write_note(FILE, json.dumps({**load_speeds(), size: times}, indent=1))
    load_speeds.cache_clear()
