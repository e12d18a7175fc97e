"""The shapes of vectors, and the width of the vector registers of this processor.

LLVM cuts vectors that are too wide for the processor into parts and computes all parts side by side. Each
value then takes two or four registers, and most of them are spilled. So the kernel itself cuts the games into
parts of one register, and each part makes its step alone.
"""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass
from typing import Any

import llvmlite.binding as llvm
import numpy as np
import numpy.typing as npt
from llvmlite import ir

from refbot.compile.numba_cache import target_of

VECTOR_BYTES = 64  # of all lanes: one register of AVX-512, two of AVX2, four of SSE2 or NEON
NARROWEST = 16  # bytes: SSE2, NEON


@dataclass(frozen=True)
class Lanes:
    """The shape of a vector: `count` lanes of `bits` bits."""

    bits: int
    count: int

    @property
    def bytes(self) -> int:
        """The size of a vector in bytes."""
        return self.bits * self.count // 8

    @property
    def dtype(self) -> np.dtype[Any]:
        """The numpy type of one lane."""
        return np.dtype(f"uint{self.bits}")

    @property
    def llvm(self) -> Any:
        """The LLVM type of one vector."""
        return ir.VectorType(ir.IntType(self.bits), self.count)


def workspace_array(lanes: Lanes, vectors: int) -> npt.NDArray[Any]:
    """Return zeroed memory: a row of VECTOR_BYTES for each vector, aligned as vector loads need it.

    Its entries are lanes of `lanes.bits` bits. Where a register is narrower than a row, the row holds two or
    four of them, one for each part of the games.
    """
    wanted = vectors * VECTOR_BYTES
    raw = np.zeros(wanted + VECTOR_BYTES, np.uint8)
    start = -raw.ctypes.data % VECTOR_BYTES
    return raw[start : start + wanted].view(lanes.dtype).reshape(vectors, -1)


_ADDITION = """
define void @add(ptr %to, ptr %from) {{
  %a = load {vector}, ptr %to
  %b = load {vector}, ptr %from
  %sum = add {vector} %a, %b
  store {vector} %sum, ptr %to
  ret void
}}
""".format(vector=f"<{VECTOR_BYTES // 2} x i16>")


@functools.cache
def lanes_of(bits: int) -> Lanes:
    """Return the lanes of `bits` bits that fill a register of the processor for which numba compiles."""
    return Lanes(bits, 8 * register_bytes(*target_of()) // bits)


def register_bytes(triple: str, cpu: str, features: str) -> int:
    """Return the bytes that one instruction adds in lanes of 16 bits, from NARROWEST to VECTOR_BYTES.

    LLVM compiles an addition of VECTOR_BYTES, and the number of add instructions in the result is counted.
    The names of processors and of their features would give the width only by a list of all of them.
    """
    machine = llvm.Target.from_triple(triple).create_target_machine(cpu=cpu, features=features)
    assembly = machine.emit_assembly(llvm.parse_assembly(_ADDITION))
    additions = len(re.findall(r"^\s+v?p?add", assembly, re.MULTILINE))
    return max(NARROWEST, VECTOR_BYTES // max(1, additions))
