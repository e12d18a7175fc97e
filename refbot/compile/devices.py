"""Which device plays: the CPU or a GPU, without loading either."""

from __future__ import annotations

from refbot.errors import RefbotError

DEVICES = ("cpu", "gpu", "auto")
LARGEST_ON_GPU = 19  # larger boards need more registers than a thread of a GPU has


class DeviceError(RefbotError, ValueError):
    """A device that does not exist, is missing here, or cannot play what is asked of it."""

    def __init__(self, device: str, why: str) -> None:
        self.device, self.why = device, why
        super().__init__(f"device {device!r}: {why}")


def on_gpu(device: str, size: int, features: int = 0, *, faulty: bool = False) -> bool:
    """Whether a GPU plays. `device` is one of DEVICES, `features` are those of `refbot.options`.

    "auto" is a GPU if there is one and it can play what is asked for. Raises DeviceError if a GPU is asked
    for and cannot play; the message says what is missing.
    """
    if device not in DEVICES:
        raise DeviceError(device, f"one of {', '.join(DEVICES)}")
    if device == "cpu":
        return False
    why = _unable(size, features, faulty=faulty)
    if why and device == "gpu":
        raise DeviceError(device, why)
    return why is None


def _unable(size: int, features: int, *, faulty: bool) -> str | None:
    if features or faulty:
        return "it plays uniform playouts only, without policies, faults and options that cut playouts short"
    if size > LARGEST_ON_GPU:
        return f"it plays on boards up to {LARGEST_ON_GPU}x{LARGEST_ON_GPU}, not {size}x{size}"
    from refbot.compile.gpu_support import missing

    return missing()
