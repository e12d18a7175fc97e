"""The checks on the reference bot with a deliberate fault: the real plan, a known truth.

By default the bot is a real process; `hosted` bots live in this process, which is faster for many of them.
"""

from __future__ import annotations

import os
import shlex
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context, parent_process
from typing import TypeVar

from harness.check.effort import QUICK, Effort
from harness.check.model import Check
from harness.check.phases.findings import Findings
from harness.check.phases.run import check_bot, findings_of, run_check
from harness.check.phases.settings import RunSettings
from harness.gtp import Launch, Limits
from harness.selftest.hosted_bot import HostedBot
from harness.suite.registry import CHECKS

PLAYOUTS = 1000
"""Playouts per search, unless a caller asks for another number."""

RIGHT = ""
"""In place of a fault's name: the bot without any."""

SAME_SEED = "ref.fresh.processes"
"""The check that a bot with a fixed seed fails."""

LIMITS = Limits(startup=120.0, answer=30.0)
"""More patience than `check` has: on a busy machine a kernel may have to be compiled."""

T = TypeVar("T")


def command(fault: str, seed: int, playouts: int = PLAYOUTS) -> str:
    """The command line of the reference bot with a fault."""
    words = [sys.executable, "-m", "refbot.cli", "gtp", "--playouts", str(playouts), "--seed", str(seed)]
    return shlex.join(words + (["--fault", fault] if fault else []))


def check_fault(
    fault: str,
    seed: int,
    *,
    checks: Sequence[Check] = CHECKS,
    effort: Effort = QUICK,
    playouts: int = PLAYOUTS,
    hosted: bool = False,
) -> Findings:
    """Run checks on the reference bot with a fault (or `RIGHT`); bot and harness are seeded.

    The processes of a seeded bot repeat each other, as its user wants: one of them searches, and the check
    that would say so is left out.
    """
    if hosted:
        with HostedBot(*filter(None, [fault]), playouts=playouts, seed=seed) as bot:
            return findings_of(check_bot(bot, RunSettings(bot.launch, checks, effort=effort, seed=seed)))
    launch = Launch(command(fault, seed, playouts))
    able = tuple(check for check in checks if check.id != SAME_SEED)
    return findings_of(
        run_check(RunSettings(launch, able, effort=effort, limits=LIMITS, seed=seed, instances=1))
    )


def in_parallel(job: Callable[[str], T], names: Sequence[str], jobs: int | None = None) -> Iterator[T]:
    """The result of the job for each name, in the order of the names, `jobs` at a time (default: one a core).

    `job` must be importable by name (no lambda): it runs in processes of its own.
    """
    jobs = jobs or os.cpu_count() or 1
    if jobs == 1 or len(names) == 1:
        yield from map(job, names)
        return
    workers = ProcessPoolExecutor(
        min(jobs, len(names)), mp_context=get_context("spawn"), initializer=_end_with_parent
    )
    with workers as pool:
        try:
            yield from pool.map(job, names)
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def _end_with_parent() -> None:
    """End this worker when the process that asked for the work has ended, however it ended."""
    parent = parent_process()
    assert parent is not None

    def watch() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
