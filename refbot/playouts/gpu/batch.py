# mypy: allow-untyped-calls
"""A batch of uniform playouts on a GPU, from one position or from many in one launch.

The rules are those of the CPU kernels: uniform moves, the move cap, a ko in force at the root. Policies,
faults and options that cut playouts short run on the CPU only.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from numba import cuda

from refbot.compile.devices import DeviceError, check_device, is_simulated
from refbot.playouts.gpu.kernel import GAMES_A_CHUNK, Root, Sum, kernel_of
from refbot.playouts.gpu.layout import WORD_BITS, Layout
from refbot.playouts.gpu.philox import STEP_BITS, round_keys
from refbot.playouts.gpu.target import THREADS_A_BLOCK, blocks_a_processor
from refbot.playouts.stats import Amaf, PlayoutStats, Records
from refbot.rules.position import BLACK, NO_POINT, WHITE, Position

LAUNCH_GAMES = 1 << 27  # of all positions together: half a second on 9x9 and 8 seconds on 19x19 on an H100
MOST_POINTS = 1_000  # limit of a komi, in points: more than a board has, so that a larger one changes nothing
FEWEST_A_LANE = 8  # games; with fewer in a chunk, lanes are idle while its last games end; chosen
CHUNKS_A_WARP = 8  # with several positions, so that all warps end at about the same time; chosen


def run_many(
    positions: Sequence[Position],
    count: int,
    komi: float,
    seed: int,
    *,
    amaf: bool = False,
    records: bool = False,
) -> list[PlayoutStats]:
    """Plays `count` uniform playouts from each position, all of one size. Equal seeds give equal results.

    There is at least one position. The games of a seed are the same on every GPU. `seconds` of each result
    are those of the whole call. Raises DeviceError, and ValueError for more playouts than a seed has.
    """
    (size,) = {position.size for position in positions}
    many = len(positions)
    check_device("gpu", size)
    if many * count >= 1 << 64 - STEP_BITS:
        raise ValueError(
            f"a seed has no random numbers for {many * count} playouts; "
            f"expected fewer than 2^{64 - STEP_BITS} from all positions together"
        )
    layout, kept = Layout.of(size), count if records else 0
    lengths, results = np.zeros((many, kept), np.int32), np.zeros((many, kept), np.int8)
    began = time.perf_counter()
    try:
        sums, counters = _play(layout, positions, count, komi, seed, lengths, results, amaf=amaf)
    except cuda.cudadrv.driver.CudaAPIError as error:  # out of memory, most often
        raise DeviceError(
            "gpu", f"its driver failed ({error}); ask for fewer playouts or positions"
        ) from error
    seconds, places = time.perf_counter() - began, layout.places()
    return [
        PlayoutStats.of_sums(
            count, sums[k], seconds, "gpu",
            amaf=Amaf(counters[k, 0, places], counters[k, 1, places] / 2) if amaf else None,
            records=Records(lengths[k], results[k]) if records else None,
        )
        for k in range(many)
    ]  # fmt: skip


def _play(
    layout: Layout,
    positions: Sequence[Position],
    count: int,
    komi: float,
    seed: int,
    lengths: npt.NDArray[np.int32],
    results: npt.NDArray[np.int8],
    *,
    amaf: bool,
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Play the games; return the sums and counters of all positions (see `kernel`, `play_games`).

    Fills `lengths` and `results`, which have one row for each position, unless they are empty. The games of
    many playouts are played in several launches.
    """
    height, many, records = layout.shape.height, len(positions), lengths.size > 0
    kernel, (blocks, threads) = kernel_of(layout.shape.size, amaf=amaf, records=records), _grid(height)
    sums = cuda.to_device(np.zeros((many, len(Sum)), np.int64))
    counters = cuda.to_device(np.zeros((many if amaf else 1, 2, height * WORD_BITS if amaf else 1), np.int64))
    starts = [cuda.to_device(each) for each in starts_of(layout, positions)]
    a_launch = max(1, LAUNCH_GAMES // many)
    for begin in range(0, count, a_launch):
        games = min(a_launch, count - begin)
        chunk_games = _chunk_games(games, many, _rounded_up(blocks * threads, WORD_BITS))
        launch_lengths, launch_results = (
            cuda.device_array(many * games if records else 1, kind) for kind in (np.int32, np.int8)
        )
        kernel[blocks, threads](
            round_keys(seed), *starts, *least_leads(komi), np.int64(begin), np.int32(games),
            np.int32(chunk_games), np.int32(_rounded_up(games, chunk_games)), np.int64(count),
            cuda.to_device(np.zeros(1, np.int32)), sums, counters, launch_lengths, launch_results,
        )  # fmt: skip
        if records:
            for kept, of_launch in ((lengths, launch_lengths), (results, launch_results)):
                kept[:, begin : begin + games] = of_launch.copy_to_host().reshape(many, games)
    return sums.copy_to_host(), counters.copy_to_host()


def least_leads(komi: float) -> tuple[np.int32, np.int32]:
    """Return (Black's least lead for a win, for at least a draw), in points without komi.

    A komi of 6.5 gives (7, 7), a komi of 7 gives (8, 7).
    """
    near = max(-MOST_POINTS, min(MOST_POINTS, komi))
    return np.int32(math.floor(near) + 1), np.int32(math.ceil(near))


def _chunk_games(games: int, positions: int, warps: int) -> int:
    """Return the number of games that a warp fetches at a time.

    It is small enough that every warp gets some, but not below FEWEST_A_LANE games a lane. `games` are those
    of one position in a launch; `warps` is the number of warps that run at once.
    """
    rounds = CHUNKS_A_WARP if positions > 1 else _rounded_up(games, warps * GAMES_A_CHUNK)
    each = _rounded_up(games * positions, warps * rounds)
    return min(GAMES_A_CHUNK, max(each, FEWEST_A_LANE * WORD_BITS), games)


def _rounded_up(number: int, divisor: int) -> int:
    """Return the quotient of the two, rounded up."""
    return -(-number // divisor)


def _grid(height: int) -> tuple[int, int]:
    """Return (blocks, threads of a block) that fill the GPU; few for the simulator, which starts slowly."""
    if is_simulated():
        return 1, 2
    processors = int(cuda.get_current_device().MULTIPROCESSOR_COUNT)
    return processors * blocks_a_processor(height), THREADS_A_BLOCK


def starts_of(layout: Layout, positions: Sequence[Position]) -> list[npt.NDArray[Any]]:
    """Return the kernel's arrays `roots`, `limits` and `blacks`, with an entry for each position.

    A root is the boards of Root as words, a limit the most moves of a game; `blacks` is 1 if Black is to
    move.
    """
    stones = np.stack([position.stones for position in positions])
    mover = np.array([[position.to_move] for position in positions])
    ko = np.array([[position.ko] for position in positions])
    boards = np.zeros((len(positions), len(Root), layout.shape.height), np.uint32)
    boards[:, Root.MINE] = layout.packed(stones == mover)
    boards[:, Root.THEIRS] = layout.packed(stones == BLACK + WHITE - mover)
    boards[:, Root.BANNED] = layout.packed((np.arange(stones.shape[1]) == ko) & (ko != NO_POINT))
    limits = np.array([max(1, each.move_cap - each.moves_made) for each in positions], np.int32)
    return [boards, limits, (mover[:, 0] == BLACK).astype(np.int32)]
