"""The part of `numba.cuda` that the kernels of the GPU use, for a CPU."""

from tests.refbot import registers as local

__all__ = ["local"]
