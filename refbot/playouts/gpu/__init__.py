"""Uniform playouts on a GPU of NVIDIA: a game a thread, many positions in one launch."""

from refbot.playouts.gpu.batch import run, run_many

__all__ = ["run", "run_many"]
