"""A game record has millions of moves, of which a few are asked for, or a comment of backslashes.

Before an earlier version: reading took more than a gigabyte. Now: a few kilobytes beside the file itself.
"""

import tracemalloc

import pytest

from harness.go.sgf import SgfGame, read_sgf_games

MOST_BYTES = 1_000_000
"""Memory beside the file: less than one byte for each byte of the file."""


@pytest.mark.parametrize(
    "data",
    [
        b"(;SZ[9]" + b";B[aa];W[bb]" * 300_000 + b")",
        b"(;SZ[9]C[" + b"\\" * 2_000_000 + b"];B[aa];W[bb];B[cc];W[dd])",
        b"(;SZ[9];B[aa];W[bb];B[cc];W[dd]" + b"(;B[ee]" * 300_000,
    ],
    ids=["moves", "backslashes", "variations"],
)
def test_a_long_record_takes_little_memory(data: bytes) -> None:
    tracemalloc.start()
    try:
        (game,) = read_sgf_games(data, 4)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert isinstance(game, SgfGame)
    assert len(game.moves) == 4
    assert peak < MOST_BYTES
