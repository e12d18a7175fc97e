"""Instructions of a step of the lane kernel on processors that are not at hand, from LLVM's code for them.

    python tests/bench/instructions_of_lanes.py

The code is compiled, not run: what it costs depends on how many instructions such a processor finishes in a
cycle. A step moves all lanes; a move needs STEPS of them.
"""

from __future__ import annotations

import re
import sys
from collections import Counter

import llvmlite.binding as llvm
from llvmlite import ir

from refbot.playouts.lanes.layout import Games, LaneLayout, lane_layout
from refbot.playouts.lanes.simd import Code
from refbot.playouts.lanes.step import finish, place
from refbot.playouts.lanes.width import Lanes, register_bytes

X86, ARM = "x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu"
PROCESSORS = [
    (X86, "x86-64-v4"),
    (X86, "x86-64-v3"),
    (X86, "x86-64-v2"),
    (X86, "x86-64"),
    (ARM, "generic"),
    (ARM, "neoverse-n1"),
    (ARM, "apple-m1"),
]
STEPS = {5: 1.21, 9: 1.18, 13: 1.18, 19: 1.27}  # a move, by board size
MOVE = re.compile(r"v?mov[adu]\w*|mov|ldr|ldp|str|stp|ld1|st1|ldur|stur|movi|dup|adrp")


def assembly(size: int, triple: str, cpu: str) -> tuple[LaneLayout, str]:
    """The code of `place` and `finish` for a processor."""
    usual = lane_layout(size, amaf=False)
    bits = usual.lanes.bits
    layout = LaneLayout(Lanes(bits, 8 * register_bytes(triple, cpu, "") // bits), usual.shape, usual.amaf)
    module = ir.Module()
    module.triple = triple
    for emit in (place, finish):
        features = "+avx512f" if cpu == "x86-64-v4" else ""
        Code(emit, Games, layout, features).add_function(module).linkage = ""
    machine = llvm.Target.from_triple(triple).create_target_machine(cpu=cpu, opt=3)
    parsed = llvm.parse_assembly(str(module))
    builder = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(speed_level=3))
    builder.getModulePassManager().run(parsed, builder)
    return layout, machine.emit_assembly(parsed)


def main() -> None:
    """Prints a line for each size and processor."""
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    say = "{:>4}  {:11} {:>6} {:>15} {:>12} {:>20}\n".format
    sys.stdout.write(say("size", "processor", "lanes", "instructions", "only moves", "instructions a move"))
    for size, steps in STEPS.items():
        for triple, cpu in PROCESSORS:
            layout, code = assembly(size, triple, cpu)
            counts = Counter(re.findall(r"^\s+([a-z]\w*)", code, re.MULTILINE))
            moves = sum(number for name, number in counts.items() if MOVE.fullmatch(name))
            a_move = counts.total() * steps / layout.lanes.count
            sys.stdout.write(say(size, cpu, layout.lanes.count, counts.total(), moves, f"{a_move:.0f}"))


if __name__ == "__main__":
    main()
