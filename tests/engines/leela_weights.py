"""Writes a tiny random weight file for Leela Zero: `leela_weights.py FILE [--seed N]`.

Format version 1: a number in the first line, then one line of floats for each tensor. The network is one
residual block of eight channels; it plays like nobody, but it speaks GTP like Leela Zero.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator
from pathlib import Path

CHANNELS = 8
PLANES = 18  # input planes: eight positions of either side, whose turn it is
POINTS = 19 * 19
HIDDEN = 256  # of the value head


def convolution(inputs: int, outputs: int, side: int) -> Iterator[tuple[int, float]]:
    """(length, mean) of the lines of one convolution: weights, biases, and the two of its normalisation."""
    yield inputs * outputs * side * side, 0.0
    yield outputs, 0.0
    yield outputs, 0.0
    yield outputs, 1.0  # variances are positive


def dense(inputs: int, outputs: int) -> Iterator[tuple[int, float]]:
    """(length, mean) of the lines of one dense layer."""
    yield inputs * outputs, 0.0
    yield outputs, 0.0


def layers() -> Iterator[tuple[int, float]]:
    """(length, mean) of every line."""
    yield from convolution(PLANES, CHANNELS, 3)
    yield from convolution(CHANNELS, CHANNELS, 3)
    yield from convolution(CHANNELS, CHANNELS, 3)
    yield from convolution(CHANNELS, 2, 1)
    yield from dense(2 * POINTS, POINTS + 1)
    yield from convolution(CHANNELS, 1, 1)
    yield from dense(POINTS, HIDDEN)
    yield from dense(HIDDEN, 1)


def write_weights(path: Path, seed: int = 1) -> None:
    """The file, the same for the same seed; about two megabytes."""
    numbers = random.Random(seed)
    with path.open("w", encoding="ascii") as file:
        file.write("1\n")
        for length, mean in layers():
            file.write(" ".join(f"{numbers.gauss(mean, 0.05):.3f}" for _ in range(length)) + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    write_weights(options.file, options.seed)


if __name__ == "__main__":
    main()
