"""The GPU kernels without a GPU: their source on the CPU, and the launch in numba's simulator.

The source is compared with the exact enumerator: as Python in some games, compiled for the CPU in many.
`make gpu`, which needs a GPU, compares the GPU with it.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from types import SimpleNamespace

import numpy as np
import pytest
from numba import cuda

from harness.go import Colour
from harness.go import Position as Referee
from harness.oracle import enumerate_amaf
from refbot.compile import devices
from refbot.compile.devices import DeviceError, choose_device
from refbot.deviations.options import CAPTURE
from refbot.playouts import playouts, playouts_of_many
from refbot.playouts.gpu import batch
from refbot.playouts.gpu.batch import least_leads
from refbot.playouts.gpu.layout import WORD_BITS, Layout
from refbot.playouts.gpu.philox import ROUNDS, random_words, round_keys
from refbot.playouts.gpu.target import make_target
from refbot.playouts.stats import PlayoutStats
from refbot.rules.position import BLACK, WHITE, Position
from tests.parameters import slow_but, thorough_but
from tests.refbot import gpu_on_cpu
from tests.refbot.reference import REFERENCE
from tests.refbot.test_lanes import (
    CAPTURE_RACE,
    assert_distribution,
    exact,
    limited,
    position_of,
)
from tests.refbot.test_lanes import KO as SMALL_KO
from tests.thorough import Mutant

SIZES = range(2, 20)
HOW = [
    pytest.param(False, 1_000, id="Python"),
    pytest.param(True, 30_000, id="compiled", marks=pytest.mark.slow),
]
"""Is the kernel compiled, and the number of games."""

KO = """
    .XO.
    X.XO
    .XO.
    ....
"""
KO_POINT = 2 * 4 + 1  # where Black has just taken a stone; White may not take back


def distribution_of(stats: PlayoutStats) -> Counter[tuple[int, int]]:
    assert stats.records is not None
    return Counter(zip(stats.records.lengths.tolist(), stats.records.half_points.tolist(), strict=True))


def observed(position: Position, n: int, komi: float, seed: int) -> Counter[tuple[int, int]]:
    return distribution_of(gpu_on_cpu.run(position, n, komi, seed))


@pytest.mark.parametrize("size", SIZES)
def test_every_point_has_a_place_of_its_own_with_its_neighbours_beside_it(size: int) -> None:
    layout = Layout.of(size)
    places = layout.places()
    word, bit = np.divmod(places, WORD_BITS)
    assert len(set(places.tolist())) == size * size
    assert word.max() < layout.shape.height
    boards = np.eye(size * size, dtype=bool)
    assert np.array_equal(layout.packed(boards)[np.arange(size * size), word], 1 << bit)
    assert sum(int(row).bit_count() for row in layout.full) == size * size
    right = np.arange(size * size).reshape(size, size)[:, 1:].ravel()
    assert np.array_equal(places[right], places[right - 1] + 1)
    up = np.arange(size, size * size)
    same_word = (word[up] == word[up - size] + 1) & (bit[up] == bit[up - size])
    next_band = (word[up] == 0) & (word[up - size] == layout.shape.height - 1)
    assert np.all(same_word | (next_band & (bit[up] == bit[up - size] + layout.shape.stride)))


@pytest.mark.parametrize(
    ("counter", "key", "word"),
    [
        ((0, 0), 0, 0x257A3673),
        ((0xFFFFFFFF, 0xFFFFFFFF), 0xFFFFFFFF, 0xAB302C4D),
        ((0x243F6A88, 0x85A308D3), 0x13198A2E, 0xBEDBBE6B),
    ],
)
def test_random_words_are_those_of_philox(counter: tuple[int, int], key: int, word: int) -> None:
    """The values are those that the authors of Philox2x32 publish for seven rounds."""
    keys = tuple(np.uint32((key + n * 0x9E3779B9) & 0xFFFFFFFF) for n in range(ROUNDS))
    high, step = divmod(counter[1], 1 << 20)
    random_word = random_words(make_target(3, simulated=True))
    assert random_word(keys, np.uint32(counter[0]), np.uint32(high), np.uint32(step)) == word


def test_both_halves_of_a_seed_count() -> None:
    assert len({round_keys(seed) for seed in (0, 1, 1 << 32, 1 << 63)}) == 4


@pytest.mark.parametrize("komi", [-1e30, -400.0, -3.5, -2.0, 0.0, 0.5, 7.0, 7.25, 361.0, 1e30])
def test_least_leads_decide_as_komi_does(komi: float) -> None:
    win, draw = least_leads(komi)
    for lead in range(-361, 362):
        assert (lead >= win) == (lead > komi)
        assert (lead >= draw) == (lead >= komi)


@pytest.mark.parametrize(("compiled", "n"), HOW)
@pytest.mark.parametrize(
    ("to_move", "colour"),
    thorough_but(
        (BLACK,),
        [(BLACK, "b"), (WHITE, "w")],
        Mutant(
            "refbot/playouts/gpu/kernel.py",
            "lead = np.int32(-lead)",
            "lead = np.int32(lead)",
            "tests/refbot/test_gpu.py::test_distribution_and_amaf_on_2x2_against_the_enumerator[1.0-1-b-Python]",
        ),
    ),
)
@pytest.mark.parametrize("komi", slow_but((1.0,), [0.5, 1.0, -1.0]))
def test_distribution_and_amaf_on_2x2_against_the_enumerator(
    komi: float, to_move: int, colour: Colour, compiled: bool, n: int
) -> None:
    position = Position(2, np.zeros(4, np.int8), to_move)
    stats = gpu_on_cpu.run(position, n, komi, seed=1, amaf=True, compiled=compiled)
    assert_distribution(distribution_of(stats), exact(position, komi))
    assert stats.amaf is not None
    for (row, column), due in enumerate_amaf(Referee(2), colour).values(komi).items():
        point = 2 * row + column
        for seen, share in ((stats.amaf.visits[point], due.visits), (stats.amaf.wins[point], due.wins)):
            assert abs(seen - n * share) < 6.5 * (n / 4) ** 0.5  # a variance is at most 1/4


@pytest.mark.slow
@pytest.mark.parametrize("to_move", [BLACK, WHITE])
@pytest.mark.parametrize("komi", [3.0, 0.5])
def test_whole_distribution_on_3x3(to_move: int, komi: float) -> None:
    position = Position(3, np.zeros(9, np.int8), to_move)
    assert_distribution(observed(position, 200_000, komi, seed=2), exact(position, komi))


@pytest.mark.slow
@pytest.mark.parametrize("to_move", [BLACK, WHITE])
@pytest.mark.parametrize("komi", [0.5, 7.0])
def test_whole_distribution_near_the_end_on_9x9(komi: float, to_move: int) -> None:
    position = limited(position_of(CAPTURE_RACE, to_move=to_move), 7)
    assert_distribution(observed(position, 100_000, komi, seed=3), exact(position, komi))


@pytest.mark.slow
@pytest.mark.parametrize(("size", "moves"), [(4, 3), (13, 2), (19, 1)])
def test_whole_distribution_of_the_first_moves_with_the_cap_in_reach(size: int, moves: int) -> None:
    rng = np.random.default_rng(size)
    stones = np.zeros(size * size, np.int8)
    stones[rng.choice(size * size, size * size // 8, replace=False)] = rng.choice([1, 2], size * size // 8)
    position = limited(Position(size, stones, WHITE), moves)
    assert_distribution(observed(position, 20_000, 0.5, seed=4), exact(position, 0.5))


@pytest.mark.parametrize(
    ("compiled", "n"), [(False, 500), pytest.param(True, 50_000, marks=pytest.mark.slow)]
)
def test_a_ko_in_force_holds_for_the_first_move_only(compiled: bool, n: int) -> None:
    position = position_of(KO, to_move=WHITE, ko=KO_POINT)
    for moves in (1, 3):
        late = limited(position, moves)
        free = Position(4, late.stones, WHITE, -1, late.moves_made)
        for start, seed in ((late, 5), (free, 6)):
            stats = gpu_on_cpu.run(start, n, 0.5, seed, amaf=True, compiled=compiled)
            assert_distribution(distribution_of(stats), exact(start, 0.5))
            assert stats.amaf is not None
            assert (stats.amaf.visits[KO_POINT] == 0) == (start is late and moves == 1)


def test_a_ko_that_a_playout_makes_is_obeyed() -> None:
    """Where it is not, lengths come that cannot be."""
    position = limited(position_of(SMALL_KO, to_move=BLACK), 6)
    stats = gpu_on_cpu.run(position, 1_000, 1.0, seed=1, compiled=False)
    assert_distribution(distribution_of(stats), exact(position, 1.0))


@pytest.mark.parametrize(("compiled", "n"), [(False, 20), pytest.param(True, 1000, marks=pytest.mark.slow)])
def test_amaf_wins_are_those_of_the_roots_mover(compiled: bool, n: int) -> None:
    """On a board where one side always wins, every visit is a win of that side."""
    for to_move, komi, won in [(BLACK, -100, 1), (BLACK, 100, 0), (WHITE, 100, 1), (WHITE, -100, 0)]:
        position = Position(5, np.zeros(25, np.int8), to_move)
        amaf = gpu_on_cpu.run(position, n, komi, 8, amaf=True, compiled=compiled).amaf
        assert amaf is not None
        assert (amaf.wins == won * amaf.visits).all()
        assert amaf.visits.sum() > n


@pytest.mark.slow
@pytest.mark.parametrize(("size", "moves", "moves_error", "sd", "sd_error", "rate", "rate_error"), REFERENCE)
def test_playouts_from_the_empty_board(
    size: int, moves: float, moves_error: float, sd: float, sd_error: float, rate: float, rate_error: float
) -> None:
    n = 200_000 // size
    stats = gpu_on_cpu.run(Position.empty(size), n, 7.5, seed=8)
    assert abs(stats.mean_moves - moves) < 5 * (sd / n**0.5 + moves_error)
    assert abs(stats.sd_moves - sd) < 5 * (sd / n**0.5 + sd_error)
    assert abs(stats.black_rate - rate) < 5 * (0.5 / n**0.5 + rate_error)


SIMULATED = """
import json
import numpy as np
from refbot.playouts import playouts, playouts_of_many
from refbot.rules.position import Position, WHITE
np.seterr(over="ignore")  # words wrap around
start = Position(2, np.zeros(4, np.int8), WHITE)
stats = playouts(start, 60, 1.0, seed=9, amaf=True, records=True, device="gpu")
many = playouts_of_many([start, Position.empty(2)], 30, 1.0, seed=9, device="gpu")
print(json.dumps({
    "lengths": stats.records.lengths.tolist(), "results": stats.records.half_points.tolist(),
    "visits": stats.amaf.visits.tolist(), "wins": stats.amaf.wins.tolist(),
    "many": [each.moves for each in many],
}))
"""


@pytest.mark.parametrize("compiled", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_a_launch_in_the_simulator_plays_the_games_of_the_seed(compiled: bool) -> None:
    """The simulator has another number of threads, so the games are played in another order."""
    environment = os.environ | {"NUMBA_ENABLE_CUDASIM": "1", "PYTHONWARNINGS": "ignore"}
    run = subprocess.run(
        [sys.executable, "-c", SIMULATED], env=environment, capture_output=True, text=True, check=True
    )
    found = json.loads(run.stdout)
    twin = gpu_on_cpu.run(
        Position(2, np.zeros(4, np.int8), WHITE), 60, 1.0, seed=9, amaf=True, compiled=compiled
    )
    assert twin.records is not None
    assert twin.amaf is not None
    assert found["lengths"] == twin.records.lengths.tolist()
    assert found["results"] == twin.records.half_points.tolist()
    assert found["visits"] == twin.amaf.visits.tolist()
    assert found["wins"] == twin.amaf.wins.tolist()
    assert found["many"][0] == int(twin.records.lengths[:30].sum())


def test_a_gpu_that_is_asked_for_and_missing_is_an_error_that_says_what_is_missing() -> None:
    with pytest.raises(DeviceError, match=r"conform\[gpu\]|no NVIDIA GPU"):
        playouts(Position.empty(9), 10, device="gpu")


@pytest.fixture
def extra(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    """The extra `gpu` seems to be installed; numba's view of the driver is replaced by the test."""
    monkeypatch.setattr(devices, "find_spec", str)  # not None: there is such a package
    devices.why_no_gpu.cache_clear()
    yield monkeypatch
    devices.why_no_gpu.cache_clear()


def failing_driver() -> bool:
    raise RuntimeError("cuInit failed:\n  the driver is older than the runtime")


@pytest.mark.parametrize(
    ("available", "said"),
    [
        (lambda: False, "no NVIDIA GPU was found, or its driver is missing or too old for this numba-cuda"),
        (
            failing_driver,
            "the driver of the GPU does not work (cuInit failed: the driver is older than the runtime)",
        ),
        (lambda: True, "the GPU has compute capability 6.1, and 7.5 is needed"),
    ],
    ids=["no GPU", "old driver", "old GPU"],
)
def test_a_gpu_that_cannot_play_is_one_line(
    extra: pytest.MonkeyPatch, available: Callable[[], bool], said: str
) -> None:
    extra.setattr(cuda, "is_available", available)
    extra.setattr(cuda, "get_current_device", lambda: SimpleNamespace(compute_capability=(6, 1)))
    with pytest.raises(DeviceError) as caught:
        playouts(Position.empty(9), 10, device="gpu")
    assert str(caught.value) == f"device 'gpu': {said}"
    assert playouts(Position.empty(9), 10, seed=1, device="auto").playouts == 10


def test_too_little_memory_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        error: type[Exception] = cuda.cudadrv.driver.CudaAPIError
        raise error(2, "Call to cuMemAlloc results in CUDA_ERROR_OUT_OF_MEMORY")

    monkeypatch.setattr(devices, "why_no_gpu", str)
    monkeypatch.setattr(batch, "_play", full)
    with pytest.raises(DeviceError, match=r"OUT_OF_MEMORY\); ask for fewer playouts or positions$") as caught:
        playouts(Position.empty(9), 10, device="gpu")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(("size", "features", "faulty"), [(25, 0, False), (9, CAPTURE, False), (9, 0, True)])
def test_a_gpu_refuses_what_it_cannot_play_and_auto_takes_the_cpu(
    size: int, features: int, faulty: bool
) -> None:
    with pytest.raises(DeviceError, match="it plays"):
        choose_device("gpu", size, features, faulty=faulty)
    assert choose_device("auto", size, features, faulty=faulty) == "cpu"


def test_an_unknown_device_is_an_error() -> None:
    with pytest.raises(DeviceError, match="one of cpu, gpu, auto"):
        playouts(Position.empty(9), 10, device="tpu")


def test_many_positions_on_the_cpu() -> None:
    first, second = playouts_of_many([Position.empty(3), Position.empty(3)], 60, 0.5, seed=1, amaf=True)
    assert first.playouts == second.playouts == 60
    assert (first.moves, first.black_wins) != (second.moves, second.black_wins)
    assert first.amaf is not None


def test_no_positions_are_no_playouts() -> None:
    assert playouts_of_many([], 500) == []
