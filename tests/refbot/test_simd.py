"""Vector operations compared with numpy, and the kernel compiled for older processors."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm
import numba
import numpy as np
import numpy.typing as npt
import pytest

from refbot.measure.cycles import cycles_per_second
from refbot.playouts.lanes.draw import lesser
from refbot.playouts.lanes.layout import lane_layout
from refbot.playouts.lanes.rng import generator_state
from refbot.playouts.lanes.shape import Shape
from refbot.playouts.lanes.simd import Layout, Memory, lanes_intrinsic, workspace_intrinsic
from refbot.playouts.lanes.vec import Vec
from refbot.playouts.lanes.width import VECTOR_BYTES, Lanes, lanes_of, register_bytes, workspace_array
from tests.parameters import slow_but

ALL = -1
LANES_16, LANES_32, LANES_64 = (Lanes(bits, 8 * VECTOR_BYTES // bits) for bits in (16, 32, 64))
Numbers = npt.NDArray[Any]

OPERATIONS = {  # what is emitted, and the same of numpy, on unsigned arrays a and b of `bits` bits
    "and": (lambda a, b: a & b, lambda a, b, bits: a & b),
    "or": (lambda a, b: a | b, lambda a, b, bits: a | b),
    "xor": (lambda a, b: a ^ b, lambda a, b, bits: a ^ b),
    "not": (lambda a, b: ~a, lambda a, b, bits: ~a),
    "without": (lambda a, b: a.without(b), lambda a, b, bits: a & ~b),
    "add": (lambda a, b: a + b, lambda a, b, bits: a + b),
    "subtract": (lambda a, b: a - b, lambda a, b, bits: a - b),
    "negate": (lambda a, b: -a, lambda a, b, bits: ~a + a.dtype.type(1)),
    "multiply": (lambda a, b: a * b, lambda a, b, bits: a * b),
    "multiply lower halves": (
        lambda a, b: a.multiply_lower_halves(b),
        lambda a, b, bits: (a & half(bits)) * (b & half(bits)),
    ),
    "multiply lower halves of small numbers": (
        lambda a, b: (a >> bits_of(a) - 7).multiply_lower_halves(b.popcount()),
        lambda a, b, bits: (a >> a.dtype.type(bits - 7)) * np.bitwise_count(b).astype(b.dtype),
    ),
    "constant": (lambda a, b: a + 3, lambda a, b, bits: a + a.dtype.type(3)),
    "shift up": (lambda a, b: a << 3, lambda a, b, bits: a << a.dtype.type(3)),
    "shift down": (lambda a, b: a >> 3, lambda a, b, bits: a >> a.dtype.type(3)),
    "negative": (lambda a, b: a.negative(), lambda a, b, bits: mask(signed(a) < 0, a)),
    "nonzero": (lambda a, b: a.nonzero(), lambda a, b, bits: mask(a != 0, a)),
    "less": (lambda a, b: a.less(b), lambda a, b, bits: mask(signed(a) < signed(b), a)),
    "below": (lambda a, b: a.below(b), lambda a, b, bits: mask(a < b, a)),
    "select": (lambda a, b: a.negative().select(a, b), lambda a, b, bits: np.where(signed(a) < 0, a, b)),
    "select where it is known": (lambda a, b: (a & 0).select(a, b) ^ (b | ALL), lambda a, b, bits: ~b),
    "minimum": (lambda a, b: a.minimum(b), lambda a, b, bits: np.minimum(a, b)),
    "without lowest": (
        lambda a, b: a.without_lowest(b, 3),
        lambda a, b, bits: np.where(signed(b) > 3, a & (a - a.dtype.type(1)), a),
    ),
    "popcount": (lambda a, b: a.popcount(), lambda a, b, bits: np.bitwise_count(a).astype(a.dtype)),
    "multiply high": (
        lambda a, b: a.multiply_high(b),
        lambda a, b, bits: ((a.astype(object) * b.astype(object)) >> bits).astype(a.dtype),
    ),
}


def signed(array: Numbers) -> Numbers:
    return array.view(np.dtype(f"int{8 * array.itemsize}"))


def half(bits: int) -> int:
    return (1 << bits // 2) - 1


def bits_of(vec: Vec) -> int:
    return vec.lanes.bits


def mask(condition: Any, like: Numbers) -> Numbers:
    return np.where(condition, ALL, 0).astype(signed(like).dtype).view(like.dtype)


def compiled(emit: Callable[[Memory], Any]) -> Any:
    operation = workspace_intrinsic(emit, Memory)

    @numba.njit
    def run(layout: Layout, workspace: Any) -> Any:
        return operation(layout, workspace)

    return run


def filled(lanes: Lanes, vectors: int) -> Any:
    workspace = workspace_array(lanes, vectors)
    chance = np.random.default_rng(1)
    workspace[:] = chance.integers(0, 1 << lanes.bits, workspace.shape, np.uint64).astype(lanes.dtype)
    workspace[:2, :4] = [[0, 1, 0, 1 << (lanes.bits - 1)], [0, 0, 1, 1 << (lanes.bits - 1)]]
    return workspace


USUAL = (LANES_16, LANES_64, Lanes(32, 4))  # each number of bits, whole registers and parts
ALL_LANES = pytest.mark.parametrize(
    "lanes",
    slow_but(USUAL, [*USUAL, LANES_32, Lanes(16, 16), Lanes(16, 8), Lanes(64, 2)]),
    ids=lambda lanes: f"{lanes.count} of {lanes.bits} bits",
)


@ALL_LANES
def test_every_operation_does_in_each_lane_what_numpy_does(lanes: Lanes) -> None:
    def emit(memory: Memory) -> Any:
        a, b = memory.load(0), memory.load(1)
        for k, (ours, _) in enumerate(OPERATIONS.values()):
            memory.store(2 + k, ours(a, b))  # type: ignore[no-untyped-call]

    workspace = filled(lanes, 2 + len(OPERATIONS))
    a, b = workspace[:2].copy()
    compiled(emit)(Layout(lanes), workspace)
    for k, (name, (_, numpys)) in enumerate(OPERATIONS.items()):
        wanted = numpys(a, b, lanes.bits)  # type: ignore[no-untyped-call]
        np.testing.assert_array_equal(workspace[2 + k], wanted, err_msg=name)


@ALL_LANES
def test_the_lesser_of_two_small_numbers_where_one_below_zero_counts_as_large(lanes: Lanes) -> None:
    def emit(memory: Memory) -> Any:
        memory.store(2, lesser(memory.load(0), memory.load(1)))

    workspace = workspace_array(lanes, 3)
    chance = np.random.default_rng(1)
    a, b = chance.integers(-400, 400, (2, workspace.shape[1]))
    a[:2], b[:2] = [0, -1], [-400, 0]
    a[(a < 0) & (b < 0)] = 7
    workspace[0], workspace[1] = a.astype(lanes.dtype), b.astype(lanes.dtype)
    compiled(emit)(Layout(lanes), workspace)
    wanted = np.where(a < 0, b, np.where(b < 0, a, np.minimum(a, b)))
    np.testing.assert_array_equal(workspace[2], wanted.astype(lanes.dtype))


@ALL_LANES
def test_the_set_of_the_lanes_that_are_not_zero(lanes: Lanes) -> None:
    def emit(memory: Memory) -> Any:
        memory.barrier()
        return memory.load(0).lane_set()

    workspace = workspace_array(lanes, 1)
    workspace[0, [1, 3]] = 7
    last = workspace.shape[1] - 1
    workspace[0, last] = 1 << (lanes.bits - 1)
    assert compiled(emit)(Layout(lanes), workspace) == 1 << 1 | 1 << 3 | 1 << last


@pytest.mark.parametrize("bytes_of_a_part", slow_but((16,), [16, 32, 64]))
def test_parts_without_any_of_the_lanes_are_left_out(bytes_of_a_part: int) -> None:
    def emit(memory: Memory) -> None:
        memory.store(0, memory.load(0) + 1)

    add_one = lanes_intrinsic(emit, Memory)

    @numba.njit
    def run(layout: Layout, workspace: Any, lane_set: int) -> None:
        add_one(layout, workspace, lane_set)

    count = bytes_of_a_part // 2
    for lane_set in (0, 1, 1 << 15, 1 << 31, 1 << 9 | 1 << 30, -1):
        workspace = workspace_array(LANES_16, 1)
        run(Layout(Lanes(16, count)), workspace, lane_set)
        for first in range(0, LANES_16.count, count):
            asked_for = lane_set >> first & (1 << count) - 1
            wanted = 1 if asked_for or count == LANES_16.count else 0
            assert (workspace[0, first : first + count] == wanted).all()


def test_a_workspace_is_aligned_and_empty() -> None:
    for vectors in (1, 7, 100):
        workspace = workspace_array(LANES_16, vectors)
        assert workspace.ctypes.data % VECTOR_BYTES == 0
        assert workspace.shape == (vectors, LANES_16.count)
        assert not workspace.any()


def test_vectors_that_are_cut_into_parts_lie_in_the_same_memory() -> None:
    for lanes in (LANES_16, Lanes(16, 8)):
        assert workspace_array(lanes, 3).shape == (3, LANES_16.count)


def test_rows_of_16_bits_as_far_as_they_reach_then_three_in_64() -> None:
    assert lane_layout(16, amaf=False).lanes == lanes_of(16)
    for size in (17, 20):
        layout = lane_layout(size, amaf=False)
        assert (layout.lanes, layout.shape) == (lanes_of(64), Shape(size, bands=3))
        assert layout.shape.bits <= 64
    assert lane_layout(21, amaf=False).lanes == lanes_of(32)


X86, ARM = "x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu"


@pytest.mark.parametrize(
    ("triple", "cpu", "features", "width"),
    [
        (X86, "x86-64", "", 16),
        (X86, "x86-64-v2", "", 16),
        (X86, "sandybridge", "", 16),  # AVX, whose integers are still of 16 bytes
        (X86, "x86-64-v3", "", 32),
        (X86, "znver3", "", 32),
        (X86, "x86-64-v4", "", 64),
        (X86, "znver4", "", 64),
        (X86, "x86-64", "+avx2", 32),
        (X86, "x86-64-v4", "-avx512bw", 32),
        (ARM, "generic", "", 16),
        (ARM, "apple-m1", "", 16),
        (ARM, "neoverse-v1", "", 16),
    ],
)
def test_the_width_of_the_vectors_of_a_processor(triple: str, cpu: str, features: str, width: int) -> None:
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    assert register_bytes(triple, cpu, features) == width


def test_the_lanes_of_this_processor_fill_a_register() -> None:
    bits = {16: lanes_of(16), 32: lanes_of(32), 64: lanes_of(64)}
    assert all(lanes.bits == key for key, lanes in bits.items())
    assert len({lanes.bytes for lanes in bits.values()}) == 1
    assert VECTOR_BYTES % bits[16].bytes == 0


@pytest.mark.parametrize("size", [1, 2, 3, 4, 9, 19])
def test_every_point_of_a_board_in_bands_has_a_bit_of_its_own(size: int) -> None:
    shape = Shape(size, bands=3)
    seen = 0
    for vector in range(shape.height):
        lane = shape.pattern(vector, lambda _: (1 << size) - 1)
        rows = [shape.pattern(vector, lambda row, wanted=row: int(row == wanted)) for row in range(size)]  # type: ignore[misc]
        assert lane.bit_length() <= shape.bits
        assert sum(rows) * ((1 << size) - 1) == lane
        seen += lane.bit_count()
    assert seen == size * size


def test_generators_of_one_seed_differ_and_are_never_stuck() -> None:
    states = generator_state(0)
    assert len(set(map(tuple, states.T))) == states.shape[1]
    assert states.any(axis=0).all()  # a state of zeros would stay so
    assert (states != generator_state(1)).all()


def test_the_clock_is_between_a_tenth_and_ten_gigahertz() -> None:
    assert 1e8 < cycles_per_second() < 1e10


PLAY = """
from refbot.playouts import lanes
from refbot.rules.position import Position
for size in (9, 17):
    stats = lanes.run(Position.empty(size), 300, 7.5, 1, amaf=True)
    print(stats.moves, stats.moves_squared, stats.black_wins, stats.amaf.visits.tolist())
"""


def played(tmp_path: Path, **environment: str) -> str:
    own = {**os.environ, "XDG_CACHE_HOME": str(tmp_path), **environment}
    return subprocess.run(
        [sys.executable, "-c", PLAY], env=own, capture_output=True, text=True, check=True
    ).stdout


@pytest.mark.slow
def test_the_same_games_on_every_processor(tmp_path: Path) -> None:
    """A kernel with only the basic instructions of an architecture plays the same games."""
    here = played(tmp_path / "here")
    generic = played(tmp_path / "generic", NUMBA_CPU_NAME="generic", NUMBA_CPU_FEATURES="")
    assert here == generic
