# mypy: allow-untyped-calls
"""What a GPU needs here, and what is missing of it."""

from __future__ import annotations

import warnings
from functools import cache
from importlib.util import find_spec

EXTRA = "install conform[gpu]"
_SIMULATOR = "ENABLE_CUDASIM"  # numba makes its settings at run time: they are named by text
OLDEST_COMPUTE_CAPABILITY = (7, 5)  # what CUDA 13 compiles for


def is_simulated() -> bool:
    """Whether numba runs kernels in Python (NUMBA_ENABLE_CUDASIM=1)."""
    from numba import config

    return bool(getattr(config, _SIMULATOR))


@cache
def missing() -> str | None:
    """What keeps numba from running kernels on a GPU here, in words for a user; None if nothing does."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            from numba import cuda
    except Exception as error:  # whatever a numba-cuda raises beside a numpy that it does not know
        return f"numba-cuda cannot be imported ({error}): {EXTRA}"
    if is_simulated():
        return None
    if find_spec("numba_cuda") is None:
        return f"the package numba-cuda is missing: {EXTRA}"
    try:
        if not cuda.is_available():
            return "no NVIDIA GPU was found, or its driver is missing or too old for this numba-cuda"
        capability = cuda.get_current_device().compute_capability
    except Exception as error:  # whatever a driver raises that is broken, or too old
        return f"the driver of the GPU does not work ({' '.join(str(error).split())})"
    if tuple(capability) < OLDEST_COMPUTE_CAPABILITY:
        return f"the GPU has compute capability {capability[0]}.{capability[1]}, and 7.5 is needed"
    return None
