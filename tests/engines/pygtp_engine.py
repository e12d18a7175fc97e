"""The engine of PyPI's `pygtp` (its module is called gtp) on standard input and output: its example game."""

import sys

import gtp  # type: ignore[import-not-found]  # only where it has been installed

engine = gtp.Engine(gtp.MinimalGame(), name="pygtp", version="0.4")
for line in sys.stdin:
    sys.stdout.write(engine.send(line))
    sys.stdout.flush()
    if engine.disconnect:
        break
