"""Uniform playouts on a GPU: a game a thread. See `batch` for what it plays, `device` for what it needs."""

from refbot.playouts.gpu.batch import run, run_many
from refbot.playouts.gpu.device import GpuUnavailableError, require_gpu

__all__ = ["GpuUnavailableError", "require_gpu", "run", "run_many"]
