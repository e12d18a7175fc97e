# mypy: allow-untyped-calls
"""The choice of the device that plays, CPU or GPU, and the reason why a GPU cannot be used here."""

from __future__ import annotations

import warnings
from functools import cache
from importlib.util import find_spec

from refbot.errors import RefbotError

DEVICES = ("cpu", "gpu", "auto")
LARGEST_ON_GPU = 19  # board size; larger boards need more registers than a thread of a GPU has
EXTRA = "install gtp-conform[gpu]"
OLDEST_COMPUTE_CAPABILITY = (7, 5)  # what CUDA 13 compiles for


class DeviceError(RefbotError, ValueError):
    """A device that does not exist, is missing, does not support the playouts, or fails during them."""

    def __init__(self, device: str, why: str) -> None:
        self.device, self.why = device, why
        super().__init__(f"device {device!r}: {why}")


def choose_device(device: str, size: int, features: int = 0, *, faulty: bool = False) -> str:
    """Return the device that plays: "cpu" or "gpu".

    `device` is one of DEVICES, `features` come from `features_of`, and `faulty` playouts have a fault. "auto"
    chooses a GPU if there is one and it supports these playouts. Raises DeviceError for another device, and
    for "gpu" if there is no GPU or it does not support them.
    """
    if device not in DEVICES:
        raise DeviceError(device, f"expected one of {', '.join(DEVICES)}")
    if device == "cpu":
        return "cpu"
    if features or faulty:
        why = "it plays uniform playouts only, without policies, faults and options that cut playouts short"
    elif size > LARGEST_ON_GPU:
        why = f"it plays on boards up to {LARGEST_ON_GPU}x{LARGEST_ON_GPU}, not {size}x{size}"
    else:
        why = why_no_gpu()
    if why and device == "gpu":
        raise DeviceError(device, why)
    return "cpu" if why else "gpu"


def check_device(device: str, size: int, features: int = 0, *, faulty: bool = False) -> None:
    """Raise DeviceError if `choose_device` does."""
    choose_device(device, size, features, faulty=faulty)


def is_simulated() -> bool:
    """Return whether numba simulates a GPU in Python (NUMBA_ENABLE_CUDASIM=1)."""
    from numba import config

    return bool(getattr(config, "ENABLE_CUDASIM"))  # noqa: B009  # numba makes its settings at run time


@cache
def why_no_gpu() -> str:
    """Return why numba cannot run kernels on a GPU here, for a user; "" if it can or simulates one."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            from numba import cuda
    except Exception as error:  # any error of a numba-cuda beside a numpy that it does not know
        return f"numba-cuda cannot be imported ({error}): {EXTRA}"
    if is_simulated():
        return ""
    if find_spec("numba_cuda") is None:
        return f"the package numba-cuda is missing: {EXTRA}"
    try:
        if not cuda.is_available():
            return "no NVIDIA GPU was found, or its driver is missing or too old for this numba-cuda"
        capability = cuda.get_current_device().compute_capability
    except Exception as error:  # any error of a driver that is broken or too old
        return f"the driver of the GPU does not work ({' '.join(str(error).split())})"
    if tuple(capability) < OLDEST_COMPUTE_CAPABILITY:
        has, needed = (".".join(map(str, version)) for version in (capability, OLDEST_COMPUTE_CAPABILITY))
        return f"the GPU has compute capability {has}, and {needed} is needed"
    return ""
