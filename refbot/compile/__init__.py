"""Compiled kernels: how numba compiles them, keeps them on disk, and which one plays."""
