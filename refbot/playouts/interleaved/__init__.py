"""Several playouts at once, a step of each after the other: every size, every policy, no faults."""

from refbot.playouts.interleaved.batch import run, trace

__all__ = ["run", "trace"]
