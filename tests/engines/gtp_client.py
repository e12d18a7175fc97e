"""Plays a whole game through the client of PyPI's `gtp`, which starts a program called gnugo from the PATH.

The package was written for Python 2, where a pipe takes text: Popen is told to do so here, and nothing else.
"""

from __future__ import annotations

import functools
import sys

import gtp  # type: ignore[import-not-found]  # only where it has been installed

SIZE = 9
MOST_MOVES = 3 * SIZE * SIZE

gtp.subprocess.Popen = functools.partial(gtp.subprocess.Popen, text=True, bufsize=1)
client = gtp.GoTextPipe(SIZE)
print("boardsize", SIZE, "|", client.boardsize(SIZE))
print("clear_board |", client.clear_board())
print("play B C3 |", client.play("B", "C3"))
passes = 0
for move in range(MOST_MOVES):
    colour = "WB"[move % 2]
    answer = client.genmove(colour)
    print("genmove", colour, "|", answer)
    passes = passes + 1 if answer.lower() == "pass" else 0
    if passes == 2:
        break
try:
    client.estimate_score()
except gtp.FailedCommand as failure:
    print("estimate_score |", str(failure).strip())
print("showboard |", len(client.showboard().splitlines()))
client.close()
sys.stdout.flush()
