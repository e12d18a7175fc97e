"""Which kernel plays: the choice between lanes, interleaved and scalar, without loading any.

A seed gives the same games on every machine. So where there is one, the kernel of uniform playouts follows
from the size of the board. Where there is none, it is the one that was the fastest on this machine when
`refbot warm` measured them.
"""

from __future__ import annotations

from dataclasses import dataclass

from refbot.cache import processor_features
from refbot.errors import RefbotError
from refbot.options import CHECK_EARLY_SCORE, CUTOFF, EARLY_SCORE, MERCY
from refbot.speeds import stored

KERNELS = ("auto", "fastest", "lanes", "interleaved", "scalar")
SIZES_IN_LANES = range(2, 26)
LARGEST_FOR_LANES = 19  # on larger boards one game after another is faster
LARGEST_IN_NARROW_VECTORS = 16  # the same in vectors of 16 bytes, which hold two lanes of larger boards
WIDE = {"avx2", "+avx2"}  # the names of what a processor with wider vectors can do
FEWEST_FOR_LANES = 64  # playouts a thread; fewer leave lanes idle
SHORT_CUTS = MERCY | EARLY_SCORE | CHECK_EARLY_SCORE
"""The options that the lane kernel has, as bits of `refbot.options`."""


class UnknownKernelError(RefbotError, ValueError):
    """A kernel that does not exist, or that cannot play what is asked of it."""

    def __init__(self, kernel: str, why: str) -> None:
        self.kernel = kernel
        super().__init__(f"kernel {kernel!r}: {why}")


@dataclass(frozen=True)
class Choice:
    """A kernel: "lanes", "interleaved" or "scalar". And why it was chosen, in words for a user."""

    kernel: str
    why: str


def asked(seed: int | None) -> str:
    """What "auto" means: the fastest kernel, or with a seed the one that does not depend on the machine."""
    return "fastest" if seed is None else "auto"


def chosen(
    kernel: str,
    size: int,
    playouts_a_thread: int,
    features: int = 0,
    *,
    faulty: bool = False,
    leads: bool = False,
) -> Choice:
    """The kernel that plays. `kernel` is one of KERNELS, `features` are those of `refbot.options`.

    The lane kernel plays without policies, faults and leads, and of the options it has SHORT_CUTS. The
    interleaved one plays without faults and without games that are cut off, three times as fast as the scalar
    one if there are features. Raises UnknownKernelError.
    """
    if kernel not in KERNELS:
        raise UnknownKernelError(kernel, f"one of {', '.join(KERNELS)}")
    plain = not (features & ~SHORT_CUTS or faulty or leads)
    interleaves = not (faulty or features & CUTOFF)
    if kernel == "lanes" and not plain:
        raise UnknownKernelError(kernel, "it plays without policies, faults and --cutoff only")
    if kernel == "lanes" and size not in SIZES_IN_LANES:
        raise UnknownKernelError(kernel, f"it has no boards of size {size}")
    if kernel == "interleaved" and not interleaves:
        raise UnknownKernelError(kernel, "it plays without faults and without --cutoff only")
    if kernel in ("lanes", "interleaved", "scalar"):
        return Choice(kernel, "asked for")
    if plain and playouts_a_thread >= FEWEST_FOR_LANES:
        choice = (
            fastest(size) if kernel == "fastest" else _by_size(size, LARGEST_FOR_LANES, "on every machine")
        )
    else:
        few = f"for less than {FEWEST_FOR_LANES} playouts a thread"
        choice = Choice("scalar", few if plain else "for what is played")
    if choice.kernel == "scalar" and interleaves and features:
        return Choice("interleaved", choice.why)
    return choice


def fastest(size: int) -> Choice:
    """The fastest kernel of uniform playouts on this machine: measured on the nearest size, if at all."""
    if speeds := stored():
        nearest = min(speeds, key=lambda measured: (abs(measured - size), measured))
        times = {name: time for name, time in speeds[nearest].items() if _may_play(name, size)}
        shown = ", ".join(f"{name} {time:.1f}" for name, time in times.items())
        why = f"measured on {nearest}x{nearest}, in nanoseconds per move: {shown}"
        return Choice(min(times, key=times.__getitem__), why)
    wide = not WIDE.isdisjoint(processor_features().replace(",", " ").split())
    largest = LARGEST_FOR_LANES if wide else LARGEST_IN_NARROW_VECTORS
    return _by_size(size, largest, f"by the {'wide' if wide else 'narrow'} vectors; `refbot warm` measures")


def _may_play(kernel: str, size: int) -> bool:
    return kernel != "lanes" or 2 <= size <= LARGEST_FOR_LANES


def _by_size(size: int, largest: int, why: str) -> Choice:
    return Choice("lanes" if 2 <= size <= largest else "scalar", why)
