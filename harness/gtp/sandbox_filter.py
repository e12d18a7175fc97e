"""Makes the filter of system calls of the sandbox: a program that the kernel runs before each call (seccomp).

`sandbox_calls.py` says what is allowed. The filter is made here and given to `sandbox_init.py` as bytes.
"""

from __future__ import annotations

import errno
import functools
import struct
from collections.abc import Iterator
from itertools import groupby

from harness.gtp.sandbox_calls import CONDITIONS, Condition, Machine, allowed, listed

MACHINES: dict[Machine, int] = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
"""The numbers by which the kernel names the machines of calls: AUDIT_ARCH_X86_64 and AUDIT_ARCH_AARCH64."""

NUMBER, MACHINE, ARGUMENTS = 0, 4, 16  # byte offsets in struct seccomp_data
LOAD, EQUAL, AT_LEAST, ANY_BIT, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06  # BPF: what a step does
ALLOW, FAIL = 0x7FFF0000, 0x00050000  # SECCOMP_RET_ALLOW; SECCOMP_RET_ERRNO, plus the error
NOT_THERE = FAIL | errno.ENOSYS

Step = tuple[int, int, int, int]
"""One step: what it does, steps to skip if a comparison is true, steps to skip if not, a number.

`(LOAD, 0, 0, NUMBER)` loads the number of the call. `(EQUAL, 0, 2, 41)` goes on if the loaded value is 41,
and else skips two steps. `(RETURN, 0, 0, ALLOW)` ends the program: the call is allowed.
"""


@functools.cache
def call_filter(machine: Machine) -> bytes:
    """Return the filter for programs of `machine`, as the kernel takes it; it refuses all calls of others."""
    steps: list[Step] = [
        (LOAD, 0, 0, MACHINE),
        (EQUAL, 1, 0, MACHINES[machine]),
        (RETURN, 0, 0, NOT_THERE),
        (LOAD, 0, 0, NUMBER),
    ]
    known = listed(machine)
    for call, conditions in groupby(CONDITIONS, key=lambda condition: condition.call):
        if call in known:
            block = [step for condition in conditions for step in _check(condition)]
            block.append((RETURN, 0, 0, ALLOW))
            steps += [(EQUAL, 0, len(block), known[call]), *block]
    steps += _ranges(sorted(allowed(machine).values()))
    return b"".join(struct.pack("HBBI", *step) for step in steps)


def _check(condition: Condition) -> list[Step]:
    """Return steps that end with an error if the condition is not met, and else reach the next step.

    An argument has 8 bytes. The low 4 of them are compared: the first ones on both machines.
    """
    fail = (RETURN, 0, 0, FAIL | condition.error)
    load = (LOAD, 0, 0, ARGUMENTS + 8 * condition.argument)
    if condition.no_bits:
        check = [load, (ANY_BIT, 0, 1, condition.no_bits), fail]
        if condition.when is None:
            return check
        argument, bits = condition.when
        return [(LOAD, 0, 0, ARGUMENTS + 8 * argument), (ANY_BIT, 0, len(check), bits), *check]
    if condition.only is not None:
        left = len(condition.only)
        return [load, *((EQUAL, left - at, 0, value) for at, value in enumerate(condition.only)), fail]
    return [load, *(step for value in condition.never for step in ((EQUAL, 0, 1, value), fail))]


def _ranges(wanted: list[int]) -> Iterator[Step]:
    """Yield the steps that allow the numbers in `wanted`, in runs of neighbours, and no others.

    This refuses the second set of call numbers of x86-64 (x32), which begins at 0x40000000.
    """
    for _, run in groupby(enumerate(wanted), key=lambda entry: entry[1] - entry[0]):
        members = [number for _, number in run]
        for bound, below in ((members[0], NOT_THERE), (members[-1] + 1, ALLOW)):
            yield from ((AT_LEAST, 1, 0, bound), (RETURN, 0, 0, below))
    yield (RETURN, 0, 0, NOT_THERE)
