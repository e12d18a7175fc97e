"""Is there a GPU that can play? If not: what is missing, in one line."""

from __future__ import annotations

import warnings

from refbot.errors import RefbotError


class GpuUnavailableError(RefbotError, RuntimeError):
    """Playouts on a GPU are not possible here; the message says what is missing."""

    def __init__(self, why: str) -> None:
        self.why = why
        super().__init__(f"device 'gpu': {why}")


def require_gpu() -> None:
    """Raises GpuUnavailableError, with what is missing, unless numba can run kernels on a GPU."""
    if why := _missing():
        raise GpuUnavailableError(why)


def has_gpu() -> bool:
    """Whether numba can run kernels on a GPU."""
    return _missing() is None


def _missing() -> str | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            from numba import config, cuda
    except Exception as error:  # noqa: BLE001 - numba-cuda fails in many ways beside a numpy that it does not know
        return f"numba.cuda cannot be imported ({error}); install conform[gpu]"
    if config.ENABLE_CUDASIM:
        return None
    try:
        import numba_cuda  # noqa: F401
    except ImportError:
        return "the package numba-cuda is missing; install conform[gpu]"
    return None if cuda.is_available() else "no GPU of NVIDIA with a driver for CUDA was found"
