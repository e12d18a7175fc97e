"""How wide the vectors of this processor are.

LLVM cuts vectors that are too wide for the processor into parts, and computes all parts side by side: each
value then takes two or four of its registers, and most of them are spilled. So the games are cut into parts
of one register before that, and each part takes its step alone.
"""

from __future__ import annotations

import functools
import re

import llvmlite.binding as llvm

from refbot.compile.numba_cache import target_of
from refbot.playouts.lanes.simd import VECTOR_BYTES, Lanes

NARROWEST = 16  # bytes: SSE2, NEON
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
    """Lanes of `bits` bits that fill a register of the processor for which numba compiles."""
    return Lanes(bits, 8 * register_bytes(*target_of()) // bits)


def register_bytes(triple: str, cpu: str, features: str) -> int:
    """The bytes that one instruction adds in lanes of 16 bits; VECTOR_BYTES at most.

    Counted in what LLVM makes of an addition of VECTOR_BYTES: names of processors and of their features say
    this only to those who know all of them.
    """
    machine = llvm.Target.from_triple(triple).create_target_machine(cpu=cpu, features=features)
    assembly = machine.emit_assembly(llvm.parse_assembly(_ADDITION))
    additions = len(re.findall(r"^\s+v?p?add", assembly, re.MULTILINE))
    return max(NARROWEST, VECTOR_BYTES // max(1, additions))
