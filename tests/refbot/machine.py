"""What the kernels of the GPU use of `numba.cuda`, for a CPU."""

from tests.refbot import registers as local

__all__ = ["local"]
