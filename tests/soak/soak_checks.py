"""A thousand checks of hostile engines, and what is left afterwards: `soak_checks.py [--runs N]`.

Nothing may be left: no process of an engine or of its children (they carry a tag in their command line), no
zombie, no file descriptor. Each run must end with a verdict within its limits.
"""

from __future__ import annotations

import argparse
import os
import runpy
import shlex
import sys
import time
from collections import Counter
from pathlib import Path

import psutil

from harness.check.effort import QUICK
from harness.check.phases.run import findings_of, run_check
from harness.check.phases.settings import RunSettings
from harness.check.verdict import verdict
from harness.gtp import Launch, Limits
from harness.suite.registry import select

HOSTILE = Path(__file__).parents[1] / "engines" / "hostile.py"
LIMITS = Limits(
    startup=0.6, answer=0.2, quit=0.1, terminate=0.1, reap=5.0, blank_line=0.1, max_answer=1 << 18
)
ONLY = ("gtp.frame.id-echo", "gtp.frame.quit", "gtp.frame.eof", "gtp.play.occupied", "game.ko.ends")
SIZED = {"flood-stderr": 1 << 18, "huge": 1 << 16, "memory": 1 << 24}
MOST_SECONDS = 60.0
"""No run may take longer: about four times what its limits add up to."""


TAG = f"soak-{os.getpid()}"


def tagged() -> int:
    """How many processes on this machine carry our tag in their command line, wherever they belong by now."""
    found = 0
    for process in psutil.process_iter():
        try:
            found += TAG in process.cmdline()
        except psutil.Error:
            continue
    return found


def left() -> tuple[int, int]:
    """(processes below this one, file descriptors open in it)."""
    me = psutil.Process()
    return len(me.children(recursive=True)), me.num_fds()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=1000)
    runs = parser.parse_args().runs
    modes = sorted(runpy.run_path(str(HOSTILE))["MODES"])
    checks = select(ONLY)
    before = left()
    verdicts: Counter[str] = Counter()
    conforming: set[str] = set()
    longest, began = (0.0, ""), time.monotonic()
    for number in range(runs):
        mode, late = modes[number % len(modes)], number // len(modes) % 3
        words = [
            sys.executable,
            str(HOSTILE),
            mode,
            "--tag",
            TAG,
            "--at",
            str(1 + 12 * late),
        ]  # from the start, or later
        words += ["--size", str(SIZED[mode])] if mode in SIZED else []
        started = time.monotonic()
        findings = findings_of(
            run_check(RunSettings(Launch(shlex.join(words)), checks, effort=QUICK, limits=LIMITS))
        )
        took = time.monotonic() - started
        longest = max(longest, (took, f"{mode} at {1 + 12 * late}"))
        verdicts[verdict(findings)] += 1
        if verdict(findings) == "conforms":
            conforming.add(f"{mode} at {1 + 12 * late}")
        if number == 0:
            before = left()  # what the first run loads for good
    after, strays = left(), tagged()
    seconds = time.monotonic() - began
    print(f"{runs} runs in {seconds:.0f} s: {dict(verdicts)}; the longest {longest[0]:.1f} s ({longest[1]})")
    print(f"processes {before[0]} -> {after[0]}, descriptors {before[1]} -> {after[1]}, strays {strays}")
    print(f"conforming: {sorted(conforming)}")
    return int(after != before or bool(strays) or bool(conforming) or longest[0] > MOST_SECONDS)


if __name__ == "__main__":
    sys.exit(main())
