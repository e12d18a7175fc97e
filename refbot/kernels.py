"""Which kernel plays: the choice between lanes, interleaved and scalar, without loading any."""

from __future__ import annotations

from refbot.errors import RefbotError
from refbot.options import ANY_POLICY, CUTOFF

KERNELS = ("auto", "lanes", "interleaved", "scalar")
SIZES_IN_LANES = range(2, 26)
LARGEST_FOR_LANES = 19  # on larger boards one game after another is faster
FEWEST_FOR_LANES = 64  # playouts a thread; fewer leave lanes idle


class UnknownKernelError(RefbotError, ValueError):
    """A kernel that does not exist, or that cannot play what is asked of it."""

    def __init__(self, kernel: str, why: str) -> None:
        self.kernel = kernel
        super().__init__(f"kernel {kernel!r}: {why}")


def is_plain(features: int, *, faulty: bool, leads: bool = False) -> bool:
    """Whether playouts are uniform or have a policy, and nothing else. `features`: see `refbot.options`."""
    return not (features & ~ANY_POLICY or faulty or leads)


def takes_lanes(kernel: str, size: int, playouts_a_thread: int, *, plain: bool) -> bool:
    """Whether the lane kernel plays. `plain` playouts have no faults, options and leads; see `is_plain`.

    `kernel` is one of KERNELS. Raises UnknownKernelError.
    """
    if kernel not in KERNELS:
        raise UnknownKernelError(kernel, f"one of {', '.join(KERNELS)}")
    if kernel == "lanes" and not plain:
        raise UnknownKernelError(kernel, "it plays without faults, options and leads only")
    if kernel == "lanes" and size not in SIZES_IN_LANES:
        raise UnknownKernelError(kernel, f"it has no boards of size {size}")
    if kernel == "auto":
        return plain and 2 <= size <= LARGEST_FOR_LANES and playouts_a_thread >= FEWEST_FOR_LANES
    return kernel == "lanes"


def takes_interleaved(kernel: str, features: int, *, faulty: bool) -> bool:
    """Whether the interleaved kernel plays what the lane kernel does not play.

    `features` are those of `refbot.options`. The kernel plays all policies and options, but no faults and no
    games that are cut off. Raises UnknownKernelError.
    """
    able = not faulty and not features & CUTOFF
    if kernel == "interleaved" and not able:
        raise UnknownKernelError(kernel, "it plays without faults and without --cutoff only")
    return able and (kernel == "interleaved" or (kernel == "auto" and features != 0))
