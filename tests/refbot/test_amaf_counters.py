"""The binary counters of the AMAF records, against plain sums."""

import numpy as np
import pytest

from refbot.compile.jit import kernel
from refbot.playouts.lanes.amaf import GAMES_UNTIL_FULL, add_amaf, amaf_planes, flush_amaf


@kernel
def add_all(rows, results, size, planes, visits, half_wins):  # type: ignore[no-untyped-def]
    """The AMAF counters of the lane kernel, for games that have ended."""
    games = 0
    for k in range(results.size):
        add_amaf(rows[k], size, results[k], planes, games)
        games += 1
        if games == GAMES_UNTIL_FULL:
            flush_amaf(size, planes, games, visits, half_wins)
            games = 0
    flush_amaf(size, planes, games, visits, half_wins)


@pytest.mark.parametrize(
    "games", [0, 1, 2, 7, 8, GAMES_UNTIL_FULL - 1, GAMES_UNTIL_FULL, 3 * GAMES_UNTIL_FULL + 5]
)
@pytest.mark.parametrize(("size", "share"), [(2, 0.5), (9, 0.5), (9, 1.0), (19, 0.3), (25, 0.9)])
def test_counters_are_sums_over_the_games(size: int, share: float, games: int) -> None:
    rng = np.random.default_rng([size, games])
    points = rng.random((games, size, size)) < share
    results = rng.integers(0, 3, games)
    rows = (points * (np.uint64(1) << np.arange(size, dtype=np.uint64))).sum(axis=2, dtype=np.uint64)
    visits, half_wins = np.zeros((2, size * size), np.int64)
    planes = amaf_planes(size)
    add_all(rows, results, size, planes, visits, half_wins)
    np.testing.assert_array_equal(visits.reshape(size, size), points.sum(axis=0))
    wanted = (points * results[:, np.newaxis, np.newaxis]).sum(axis=0)
    np.testing.assert_array_equal(half_wins.reshape(size, size), wanted)
    assert not planes.any()
