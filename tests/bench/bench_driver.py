"""Measures what driving an engine costs, per command: the driver against bare loops over the same pipes.

Run as a script; prints medians in microseconds. The engine answers at once, so all that is measured is the
two processes' hand-over and the driver. Both compete with whatever else the machine is doing.
"""

# ruff: noqa: T201  # what a script prints is its result

import argparse
import os
import shlex
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from harness.gtp import Engine

INSTANT = [sys.executable, "-S", "-E", str(Path(__file__).parents[1] / "engines" / "instant.py")]
COMMAND = "play b A1"
BATCH = 90  # commands that set up one search


def medians(step: Callable[[], object], commands: int) -> tuple[float, float]:
    """Median and 99th percentile of the seconds of one step."""
    taken = []
    for _ in range(commands):
        began = time.perf_counter()
        step()
        taken.append(time.perf_counter() - began)
    return statistics.median(taken), statistics.quantiles(taken, n=100)[-1]


def bare(commands: int) -> tuple[float, float]:
    """Blocking write and read: the least that two processes on pipes can cost in Python."""
    with subprocess.Popen(INSTANT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0) as process:
        assert process.stdin
        assert process.stdout
        to, back = process.stdin.fileno(), process.stdout.fileno()
        line = COMMAND.encode() + b"\n"

        def step() -> None:
            os.write(to, line)
            while not os.read(back, 65536).endswith(b"\n\n"):
                pass

        result = medians(step, commands)
        process.stdin.close()
    return result


def driver(commands: int) -> tuple[float, float]:
    with Engine(shlex.join(INSTANT)) as engine:

        def step() -> None:
            if not engine.ask(COMMAND).ok:
                raise SystemExit("the instant engine did not answer")

        return medians(step, commands)


def batches(commands: int, size: int) -> tuple[float, float]:
    """`Engine.ask_many` with `size` commands a call, as seconds a command."""
    with Engine(shlex.join(INSTANT)) as engine:
        engine.ask(COMMAND)

        def step() -> None:
            if not all(exchange.ok for exchange in engine.ask_many([COMMAND] * size)):
                raise SystemExit("the instant engine did not answer")

        median, slow = medians(step, max(20, commands // size))
    return median / size, slow / size


def start_and_close(times: int) -> tuple[float, float]:
    def step() -> None:
        with Engine(shlex.join(INSTANT)) as engine:
            engine.ask("name")

    return medians(step, times)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("-n", type=int, default=20_000, help="commands a measurement")
    commands = parser.parse_args().n
    print(f"{'':24} {'median':>10} {'99 %':>10}   microseconds, {commands} commands")
    rows = [
        ("bare loop, a command", bare(commands)),
        ("Engine.ask, a command", driver(commands)),
        (f"Engine.ask_many of {BATCH}", batches(commands, BATCH)),
        ("start, one ask, close", start_and_close(max(20, commands // 1000))),
    ]
    for name, (median, slow) in rows:
        print(f"{name:24} {median * 1e6:10.1f} {slow * 1e6:10.1f}")


if __name__ == "__main__":
    main()
