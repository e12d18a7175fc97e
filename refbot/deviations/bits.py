"""One attribute for each fault that the kernels implement: its bit in a mask, as in `mask & bits.KO_NONE`.

numba compiles an attribute of a module as a constant. With the constant mask 0, the branches of all faults
vanish from a kernel.
"""

from __future__ import annotations

from refbot.deviations.faults import kernel_bits

globals().update({name.upper().replace("-", "_"): bit for name, bit in kernel_bits().items()})


def __getattr__(name: str) -> int:
    raise AttributeError(f"the kernels know no fault {name}")
