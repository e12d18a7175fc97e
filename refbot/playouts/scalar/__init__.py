"""One playout after another: every board size, every policy and option, every fault."""

from refbot.playouts.scalar.batch import Trace, run, trace
