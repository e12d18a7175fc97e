"""Uniform playouts, many games side by side: a game a lane of the vector registers."""

from refbot.playouts.lanes.batch import fits, run

__all__ = ["fits", "run"]
