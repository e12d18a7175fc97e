"""Measures the clock rate of the processor, so that speeds can be reported in cycles.

Ticks are counts of the processor's time counter, which runs at its own rate (see
`refbot.playouts.scalar.ticks`).
"""

from __future__ import annotations

import time

import numpy as np

from refbot.compile.jit import kernel
from refbot.playouts.scalar.ticks import ticks

OPERATIONS = 20_000_000  # per run: about 6 ms
TICK_ROUNDS = 20_000_000  # of 8 operations, to measure the rate of ticks: about 50 ms; chosen
RUNS = 5  # the fastest counts; chosen: 30 ms in all
READINGS = 10_000  # pairs of readings of the tick counter, of which the closest counts; chosen
_STEPS_A_ROUND = 8  # operations in a round of `dependent_steps`


@kernel
def dependent_steps(rounds, x, y):  # type: ignore[no-untyped-def]
    """Runs 8 operations per round. Each takes one cycle and needs the result of the one before."""
    for _ in range(rounds):
        x = (x + y) ^ y
        x = (x + y) ^ y
        x = (x + y) ^ y
        x = (x + y) ^ y
    return x


def cycles_per_second() -> float:
    """Measure the clock cycles per second of this thread's core now, by a chain of dependent operations.

    An addition and an exclusive or take one cycle each on current processors. The loop's own counter runs in
    parallel and costs nothing. The fastest of a few runs counts.
    """
    x, y = np.uint64(1), np.uint64(0x9E3779B97F4A7C15)
    dependent_steps(1, x, y)
    rounds = OPERATIONS // _STEPS_A_ROUND
    fastest = float("inf")
    for _ in range(RUNS):
        started = time.thread_time()
        dependent_steps(rounds, x, y)
        fastest = min(fastest, time.thread_time() - started)
    return rounds * _STEPS_A_ROUND / fastest


@kernel
def _ticks_between_readings(count):  # type: ignore[no-untyped-def]
    """Return the fewest ticks between two readings of the counter in a row, among `count` pairs."""
    fewest = np.int64(1 << 62)
    for _ in range(count):
        before = ticks()
        fewest = min(fewest, np.int64(ticks() - before))
    return fewest


@kernel
def _ticks_now():  # type: ignore[no-untyped-def]
    """The tick counter now."""
    return ticks()


def calibrate(clock_hz: float) -> tuple[float, float]:
    """Measure (cycles per tick, ticks between two readings of the tick counter in a row).

    `clock_hz` is the clock rate in cycles per second. The result is (nan, 0) on a processor without a tick
    counter.
    """
    between_readings = float(_ticks_between_readings(READINGS))
    _ticks_now()
    began, first = time.perf_counter(), int(_ticks_now())
    dependent_steps(TICK_ROUNDS, np.uint64(1), np.uint64(3))
    ticks_a_second = (int(_ticks_now()) - first) / (time.perf_counter() - began)
    return (clock_hz / ticks_a_second if ticks_a_second > 0 else float("nan")), between_readings
