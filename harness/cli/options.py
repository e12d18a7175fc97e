"""Options that several commands share, and what is made of them."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from harness.cli.exits import UsageProblem

if TYPE_CHECKING:
    from rich.console import Console

    from harness.checks.execution.findings import Assignment
    from harness.checks.model import Check

BUDGETS = {"quick": 11.0, "standard": 45.0, "thorough": 600.0}
"""Seconds after which no further search is begun."""

QUICK_UNTIL = 12.0
"""Up to so many seconds the margins of equivalence are tripled."""

THOROUGH_FROM = 300.0
"""From so many seconds on the margins of equivalence are halved."""

DEFAULT_PLAYOUTS = 1000
"""What {playouts} in a bot's command stands for unless --playouts says otherwise."""


def assignment_of(
    command: str,
    checks: Sequence[Check],
    playouts: int | None,
    seconds: float,
    timeout: float,
    seed: int,
) -> Assignment:
    """What to do with one bot. {playouts} in its command line is filled in."""
    from harness.checks.execution.findings import Assignment
    from harness.gtp import Launch, Limits

    if "{playouts}" in command:
        playouts = playouts or DEFAULT_PLAYOUTS
        command = command.replace("{playouts}", str(playouts))
    return Assignment(
        Launch(command),
        checks,
        playouts,
        seconds,
        margin_factor=0.5 if seconds >= THOROUGH_FROM else 3.0 if seconds <= QUICK_UNTIL else 1.0,
        quick=seconds <= QUICK_UNTIL,
        limits=Limits(startup=max(timeout, Limits().startup), answer=timeout),
        seed=seed,
    )


def seconds_of(budget: str) -> float:
    """A budget by name or in seconds. Raises UsageProblem."""
    if budget in BUDGETS:
        return BUDGETS[budget]
    try:
        seconds = float(budget)
    except ValueError:
        near = difflib.get_close_matches(budget, BUDGETS, n=1, cutoff=0.0)
        raise UsageProblem(f"unknown budget {budget!r}: did you mean {near[0]!r}?") from None
    if not 0 < seconds < float("inf"):
        raise UsageProblem(f"a budget is a positive number of seconds, not {budget}")
    return seconds


def console_for(*, no_color: bool, to_stderr: bool) -> Console:
    """Where to print: standard output, unless that is taken by JSON."""
    from rich.console import Console

    return Console(stderr=to_stderr, no_color=no_color or None, highlight=False, soft_wrap=False)


def write_to(path: Path, text: str) -> None:
    """Write a report. Raises UsageProblem."""
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UsageProblem(f"cannot write {path}: {error.strerror}") from None


def check_writable(path: Path) -> None:
    """Whether a report can be written there, now rather than after an hour. Raises UsageProblem."""
    existed = path.exists()
    try:
        path.open("ab").close()
    except OSError as error:
        raise UsageProblem(f"cannot write {path}: {error.strerror}") from None
    if not existed:
        path.unlink()  # a report that is there but empty would say something wrong


def append_to(path: Path, text: str) -> None:
    """Add to a file that is written as a command goes on. Raises UsageProblem."""
    try:
        with path.open("a", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise UsageProblem(f"cannot write {path}: {error.strerror}") from None


def read_from(path: Path) -> str:
    """The text of a file that the user named. Raises UsageProblem."""
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise UsageProblem(f"cannot read {path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise UsageProblem(f"cannot read {path}: it is no text") from None


def make_folder(path: Path) -> None:
    """A folder to write into, now rather than after an hour. Raises UsageProblem."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageProblem(f"cannot make the folder {path}: {error.strerror}") from None
