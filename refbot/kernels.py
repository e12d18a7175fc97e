"""Which kernel plays: the choice between lanes and scalar, without loading either."""

from __future__ import annotations

from refbot.errors import RefbotError

KERNELS = ("auto", "lanes", "scalar")
SIZES_IN_LANES = range(2, 26)
LARGEST_FOR_LANES = 19  # on larger boards one game after another is faster
FEWEST_FOR_LANES = 64  # playouts a thread; fewer leave lanes idle


class UnknownKernelError(RefbotError, ValueError):
    """A kernel that does not exist, or that cannot play what is asked of it."""

    def __init__(self, kernel: str, why: str) -> None:
        self.kernel = kernel
        super().__init__(f"kernel {kernel!r}: {why}")


def takes_lanes(kernel: str, size: int, playouts_a_thread: int, *, plain: bool) -> bool:
    """Whether the lane kernel plays. `plain` playouts are uniform, without faults, options and leads.

    `kernel` is "auto", "lanes" or "scalar". Raises UnknownKernelError.
    """
    if kernel not in KERNELS:
        raise UnknownKernelError(kernel, f"one of {', '.join(KERNELS)}")
    if kernel == "lanes" and not plain:
        raise UnknownKernelError(kernel, "it plays uniformly only, without faults and options")
    if kernel == "lanes" and size not in SIZES_IN_LANES:
        raise UnknownKernelError(kernel, f"it has no boards of size {size}")
    if kernel == "auto":
        return plain and 2 <= size <= LARGEST_FOR_LANES and playouts_a_thread >= FEWEST_FOR_LANES
    return kernel == "lanes"
