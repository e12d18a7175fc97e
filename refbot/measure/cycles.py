"""The clock rate of the processor, measured, so that speeds in cycles can be compared between machines."""

from __future__ import annotations

import time

import numpy as np

from refbot.compile.jit import kernel
from refbot.playouts.scalar.ticks import ticks

ADDS = 20_000_000  # about 6 ms a run
RUNS = 5  # of which the fastest counts; chosen: 30 ms in all
LAPS = 10_000  # readings of the counter; chosen: the fewest ticks count
_STEPS_A_ROUND = 8  # of `dependent_steps`


@kernel
def dependent_steps(rounds, x, y):  # type: ignore[no-untyped-def]
    """A chain of 8 operations a round, each of one cycle and none able to start before the last has ended."""
    for _ in range(rounds):
        x = (x + y) ^ y
        x = (x + y) ^ y
        x = (x + y) ^ y
        x = (x + y) ^ y
    return x


def cycles_per_second() -> float:
    """Clock cycles a second of this thread's core now, from a chain of dependent operations.

    An addition and an exclusive or take one cycle each on every processor of the last decades; the loop's own
    counter runs beside the chain and costs nothing. The fastest of a few runs counts.
    """
    x, y = np.uint64(1), np.uint64(0x9E3779B97F4A7C15)
    dependent_steps(1, x, y)
    rounds = ADDS // _STEPS_A_ROUND
    fastest = float("inf")
    for _ in range(RUNS):
        started = time.thread_time()
        dependent_steps(rounds, x, y)
        fastest = min(fastest, time.thread_time() - started)
    return rounds * _STEPS_A_ROUND / fastest


@kernel
def _laps(count):  # type: ignore[no-untyped-def]
    """The fewest ticks between two readings of the counter."""
    fewest = np.int64(1 << 62)
    for _ in range(count):
        before = ticks()
        fewest = min(fewest, np.int64(ticks() - before))
    return fewest


@kernel
def _ticks_now():  # type: ignore[no-untyped-def]
    return ticks()


def calibrated(clock_hz: float) -> tuple[float, float]:
    """(Cycles per tick of the counter in `refbot.playouts.scalar.ticks`, ticks between two readings of it).

    The first is nan on a processor without that counter.
    """
    lap = float(_laps(LAPS))
    _ticks_now()
    began, first = time.perf_counter(), int(_ticks_now())
    dependent_steps(ADDS, np.uint64(1), np.uint64(3))
    ticks_a_second = (int(_ticks_now()) - first) / (time.perf_counter() - began)
    return (clock_hz / ticks_a_second if ticks_a_second > 0 else float("nan")), lap
