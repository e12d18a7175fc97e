# mypy: allow-untyped-defs, allow-untyped-calls
"""Random numbers of the scalar kernel: xoroshiro128++, seeded by splitmix64. `stream` is for every kernel.

The compiled functions compute with uint64 constants: a bare Python literal would make numba use int64.
Sources: Blackman and Vigna, "Scrambled linear pseudorandom number generators" (2021); Steele, Lea and
Flood, "Fast splittable pseudorandom number generators" (2014).
"""

from __future__ import annotations

import numpy as np

from refbot.compile.jit import inlined

U = np.uint64
_GOLDEN = 0x9E3779B97F4A7C15  # this and the next two are constants of splitmix64
_MIX_1, _MIX_2 = 0xBF58476D1CE4E5B9, 0x94D049BB133111EB
_15, _16, _17, _21, _28, _36 = U(15), U(16), U(17), U(21), U(28), U(36)
_47, _48, _49 = U(47), U(48), U(49)

WORDS = 2  # of state
_MASK_64 = (1 << 64) - 1


def stream(seed: int, number: int) -> np.uint64:
    """Return the seed of stream `number` of random numbers, such as that of one thread. In plain Python.

    The seed is mixed before the number is added, and the sum is mixed again. Without the first step, stream 1
    of seed 0 would be stream 0 of seed 1.
    """
    return U(_splitmix((_splitmix(seed & _MASK_64) + number) & _MASK_64))


def _splitmix(value: int) -> int:
    value = (value + _GOLDEN) & _MASK_64
    value = ((value ^ (value >> 30)) * _MIX_1) & _MASK_64
    value = ((value ^ (value >> 27)) * _MIX_2) & _MASK_64
    return value ^ (value >> 31)


def seeded(seed: int) -> tuple[int, int]:
    """Return the generator's state (two words, not both 0) from a seed of 64 bits."""
    return _splitmix(seed), _splitmix(seed + _GOLDEN & _MASK_64) | 1


@inlined
def drawn(s0, s1):
    """Make one step of the generator. Return (64 random bits, new s0, new s1)."""
    total = s0 + s1
    value = ((total << _17) | (total >> _47)) + s0
    s1 ^= s0
    return value, ((s0 << _49) | (s0 >> _15)) ^ s1 ^ (s1 << _21), (s1 << _28) | (s1 >> _36)


@inlined
def below(value, n):
    """Return a number from 0 to n - 1, from the 64 random bits `value`.

    `n` is from 1 to 2^16. The probabilities of two numbers differ by at most 2^-48.
    """
    return ((value >> _16) * n) >> _48
