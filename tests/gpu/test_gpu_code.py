# mypy: allow-untyped-calls
"""The code that numba makes of the GPU kernels. No GPU is needed, but the extra `gpu` is: `make ptx`."""

from __future__ import annotations

import importlib
import re
from types import SimpleNamespace
from typing import Any

import pytest

pytest.importorskip("numba_cuda", reason="needs gtp-conform[gpu]; run make ptx")

from numba import int8, int32, int64, types, uint32

from refbot.playouts.gpu.kernel import kernel
from refbot.playouts.gpu.layout import Layout
from refbot.playouts.gpu.philox import ROUNDS
from refbot.playouts.gpu.target import make_target

COMPUTE_CAPABILITY = (9, 0)
SIGNATURE = (
    types.UniTuple(uint32, ROUNDS),
    types.Array(uint32, 3, "C"), types.Array(int32, 1, "C"), types.Array(int32, 1, "C"),
    int32, int32, int64, int32, int32, int32, int64,
    types.Array(int32, 1, "C"), types.Array(int64, 2, "C"), types.Array(int64, 3, "C"),
    types.Array(int32, 1, "C"), types.Array(int8, 1, "C"),
)  # fmt: skip
WIDE = re.compile(r"^\s*(?:@!?%p\d+ )?(?:add|sub|mul\.lo|mad\.lo|shl|and|or|xor|setp\.\w+|selp)\.[bsu]64")
"""Arithmetic on 64 bits. The random numbers multiply 32 bits by 32 and take the upper half: no more."""


@pytest.fixture(autouse=True)
def no_device(monkeypatch: pytest.MonkeyPatch) -> None:
    """Numba asks for the GPU in order to compile a function that kernels call."""
    device = SimpleNamespace(compute_capability=COMPUTE_CAPABILITY)
    monkeypatch.setattr("numba.cuda.dispatcher.get_current_device", lambda: device)


def code_of(size: int, *, amaf: bool, records: bool) -> str:
    layout = Layout.of(size)
    made: Any = kernel(layout, make_target(layout.shape.height, simulated=False), amaf=amaf, records=records)
    cuda: Any = importlib.import_module("numba.cuda")
    code, _ = cuda.compile_ptx(made.py_func, SIGNATURE, device=False, cc=COMPUTE_CAPABILITY)
    return str(code)


def longest_block(code: str) -> list[str]:
    """The longest stretch without a label: the step of a game."""
    blocks: list[list[str]] = [[]]
    for line in code.splitlines():
        if re.match(r"\$L", line):
            blocks.append([])
        blocks[-1].append(line)
    return max(blocks, key=len)


@pytest.mark.parametrize("size", range(2, 20))
def test_boards_are_in_registers(size: int) -> None:
    assert ".local" not in code_of(size, amaf=True, records=True)


@pytest.mark.parametrize("amaf", [False, True])
@pytest.mark.parametrize("size", [9, 13, 19])
def test_a_step_computes_with_32_bits(size: int, amaf: bool) -> None:
    step = longest_block(code_of(size, amaf=amaf, records=False))
    assert len(step) > 300
    assert [line.strip() for line in step if WIDE.match(line)] == []
