"""The bits of the faults that the kernels know, by the names of the faults: `if mask & bits.KO_NONE`.

numba compiles an attribute of a module as a constant. A right bot has the mask 0: its branches vanish.
"""

from __future__ import annotations

from refbot.deviations.faults import kernel_bits

globals().update({name.upper().replace("-", "_"): bit for name, bit in kernel_bits().items()})


def __getattr__(name: str) -> int:
    raise AttributeError(f"the kernels know no fault {name}")
