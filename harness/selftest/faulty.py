"""Runs checks on the reference bot with a deliberate fault.

By default the bot is a process; a `hosted` bot runs inside this process, which is faster for many runs.
"""

from __future__ import annotations

import math
import os
import shlex
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from multiprocessing import get_context, parent_process
from typing import TypeVar

from harness.check.effort import QUICK, Effort
from harness.check.model import Check, Level, Result
from harness.check.phases.findings import Findings
from harness.check.phases.run import check_bot, findings_of, run_check
from harness.check.phases.settings import Pace, RunSettings
from harness.check.procedures.parity_match import REFBOT
from harness.check.profile import Profile
from harness.gtp import Launch, Limits
from harness.selftest.hosted_bot import HostedBot
from harness.suite.registry import CHECKS, checks_on
from refbot.deviations.faults import FAULTS

PLAYOUTS = 1000
"""Playouts per search, unless a caller asks for another number."""

RIGHT = ""
"""Name of the bot without a fault, in place of a fault's name."""

SAME_SEED = "ref.fresh.processes"
"""The check that a bot with a fixed seed fails."""

LIMITS = Limits(startup=120.0, answer=30.0)
"""Longer time limits than those of `check`: a busy machine may have to compile a kernel first."""

S = TypeVar("S")
T = TypeVar("T")


def command(fault: str, seed: int, playouts: int = PLAYOUTS) -> str:
    """Return the command line of the reference bot with a fault, or `RIGHT`."""
    words = [*REFBOT, "--playouts", str(playouts), "--seed", str(seed)]
    return shlex.join(words + (["--fault", fault] if fault else []))


def checks_on_board_of(fault: str) -> tuple[Check, ...]:
    """Return all checks on the smallest board on which a fault shows; on 9x9 for `RIGHT`."""
    return checks_on(FAULTS[fault].board) if fault else CHECKS


def check_fault(
    fault: str,
    seed: int,
    *,
    checks: Sequence[Check] | None = None,
    effort: Effort = QUICK,
    playouts: int = PLAYOUTS,
    hosted: bool = False,
    profile: Profile | None = None,
) -> Findings:
    """Run checks on the reference bot with a fault (or `RIGHT`); `seed` is that of bot and harness.

    Processes with the same seed repeat each other: only one of them searches, and the check SAME_SEED is left
    out. A hosted bot has another seed in each process, so it gets all checks. By default the checks are
    those of `checks_on_board_of`, and the profile is that of the bot's commands.
    """
    checks = checks_on_board_of(fault) if checks is None else checks
    if hosted:
        return check_hosted(filter(None, [fault]), seed, checks, effort, playouts, profile)
    launch = Launch(command(fault, seed, playouts))
    able = tuple(check for check in checks if check.id != SAME_SEED)
    settings = RunSettings(
        launch, able, effort=effort, limits=LIMITS, seed=seed, instances=1, profile=profile
    )
    return findings_of(run_check(settings))


def check_hosted(
    faults: Iterable[str],
    seed: int,
    checks: Sequence[Check],
    effort: Effort,
    playouts: int,
    profile: Profile | None = None,
) -> Findings:
    """Run checks on the reference bot with all these faults, inside this process.

    There is no time limit: what is found must not depend on the speed and the other work of the machine.
    """
    effort, pace = replace(effort, seconds=math.inf), Pace(least_exploring=math.inf)
    with HostedBot(*faults, playouts=playouts, seed=seed) as bot:
        settings = RunSettings(bot.launch, checks, effort=effort, seed=seed, profile=profile, pace=pace)
        return findings_of(check_bot(bot, settings))


def failures_of(findings: Findings) -> tuple[Result, ...]:
    """Return the failures of all checks but those that only inform."""
    return tuple(r for r in findings.results if r.refuses and r.check.level is not Level.INFO)


def in_parallel(job: Callable[[S], T], tasks: Sequence[S], jobs: int | None = None) -> Iterator[T]:
    """Yield `job(task)` for each task in order, computed by `jobs` processes (default: one per core).

    A single job or task needs no other process. `job` must be importable by name (no lambda).
    """
    jobs = jobs or os.cpu_count() or 1
    if jobs == 1 or len(tasks) <= 1:
        yield from map(job, tasks)
        return
    workers = ProcessPoolExecutor(
        min(jobs, len(tasks)), mp_context=get_context("spawn"), initializer=_end_with_parent
    )
    with workers as pool:
        try:
            yield from pool.map(job, tasks)
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def _end_with_parent() -> None:
    """Make this worker process end as soon as its parent has ended, for whatever reason."""
    parent = parent_process()
    assert parent is not None

    def watch() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
