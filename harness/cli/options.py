"""Options that several commands share, and what is made of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from harness import files
from harness.cli.exits import UsageError

if TYPE_CHECKING:
    from rich.console import Console

    from harness.check.effort import Effort
    from harness.check.model import Check
    from harness.check.phases.settings import RunSettings
    from harness.gtp import Limits
    from harness.tasks import ClusterPool

SHORTEST_LIMIT = 0.1
"""Seconds of the shortest time limit that an option may set."""

DEFAULT_PLAYOUTS = 1000
"""What {playouts} in a bot's command stands for unless --playouts says otherwise."""


STANDARD_OUTPUT = Path("-")
"""What an option that takes a file calls the standard output."""


Sandbox = Annotated[
    bool,
    typer.Option(
        "--sandbox", help="No network, read-only files, limits: for a bot you do not trust (Linux)."
    ),
]


Env = Annotated[
    list[str] | None,
    typer.Option(
        "--env",
        metavar="NAME=VALUE",
        help="A variable for the bot, which else gets PATH, HOME and LANG; repeat it.",
    ),
]


def environment_of(given: Sequence[str] | None) -> dict[str, str]:
    """The variables of `--env`; of one name the last. Raises UsageError."""
    variables: dict[str, str] = {}
    for text in given or ():
        name, equals, value = text.partition("=")
        if not (name and equals):
            raise UsageError(f"--env expects NAME=VALUE, not {text!r}")
        if "\0" in text:
            raise UsageError(f"--env {name!r} has a NUL character, which no variable can have")
        variables[name] = value
    return variables


def env_options(variables: Mapping[str, str]) -> list[str]:
    """The options that `environment_of` reads, as words."""
    return [word for item in variables.items() for word in ("--env", "=".join(item))]


NoColor = Annotated[bool, typer.Option("--no-color", help="No colours (as with NO_COLOR).")]
Quiet = Annotated[bool, typer.Option("-q", "--quiet", help="Print only the verdict.")]
"""Each command that ends with a verdict takes both: a script may give them to all of these commands."""


Cluster = Annotated[
    str | None,
    typer.Option(metavar="ADDRESS|local", help="Work on the workers of a dask scheduler (tcp://host:8786)."),
]
"""`--cluster`: the address of a dask scheduler, or `local` for processes of this machine."""


@contextmanager
def cluster_workers(cluster: str, local: int) -> Iterator[ClusterPool]:
    """The workers of a cluster; `local` is their number if they are processes of this machine.

    Raises UsageError, also for what happens to the cluster before the block ends.
    """
    from harness.tasks import ClusterError, cluster_pool

    try:
        with cluster_pool(cluster, local) as pool:
            yield pool
    except ClusterError as problem:
        raise UsageError(str(problem)) from None


def assignment_of(
    command: str,
    checks: Sequence[Check],
    playouts: int | None,
    effort: Effort,
    limits: Limits,
    seed: int,
    instances: int | None = 1,
    *,
    sandbox: bool = False,
    env: Mapping[str, str] | None = None,
) -> RunSettings:
    """The settings of a run on one bot. {playouts} in its command line is filled in. Raises UsageError."""
    from harness.check.phases.settings import RunSettings
    from harness.gtp import MAX_PLAYOUTS, Launch

    if playouts is not None and playouts > MAX_PLAYOUTS:
        raise UsageError(f"--playouts must be at most {MAX_PLAYOUTS}, not {playouts}")
    if "{playouts}" in command:
        playouts = playouts or DEFAULT_PLAYOUTS
        command = command.replace("{playouts}", str(playouts))
    return RunSettings(
        Launch(command, sandbox=sandbox, env=env or {}),
        checks,
        playouts,
        effort,
        limits,
        seed,
        instances,
    )


def effort_of(text: str) -> Effort:
    """An effort by name, or the standard one with a duration that bounds the time. Raises UsageError."""
    from harness.check.effort import EFFORTS, STANDARD

    if text in EFFORTS:
        return EFFORTS[text]
    if not text[:1].isdigit() and not text.startswith((".", "-", "+")):
        raise UsageError(f"unknown budget {text!r}: {', '.join(EFFORTS)}, or a duration such as 90s or 2m")
    return replace(STANDARD, seconds=seconds_of(text))


def seconds_of(duration: str) -> float:
    """A duration in seconds: `90`, `90s`, `2m`, `1.5h`. Raises UsageError."""
    from harness.gtp.numbers import DurationError, parse_duration

    try:
        return parse_duration(duration)
    except DurationError as error:
        raise UsageError(str(error)) from None


def time_limit(value: str) -> float:
    """The value of an option that limits a time, in seconds. Raises typer.BadParameter."""
    try:
        return limit_of(str(value))  # typer passes a default as the number that it is
    except UsageError as error:
        raise typer.BadParameter(str(error)) from None


def limit_of(duration: str) -> float:
    """A duration that limits a time, in seconds. Raises UsageError."""
    seconds = seconds_of(duration)
    if seconds < SHORTEST_LIMIT:
        raise UsageError(f"a time limit is at least {SHORTEST_LIMIT:g} seconds, not {duration!r}")
    return seconds


def names_of_checks(incomplete: str) -> list[str]:
    """The clauses and the ids of checks that begin like this, for the completion of a shell."""
    from harness.check.clauses import CLAUSES
    from harness.suite.registry import CHECKS

    names = [*CLAUSES, *(check.id for check in CHECKS)]
    return [name for name in names if name.startswith(incomplete)]


Startup = Annotated[
    float,
    typer.Option(
        metavar="TIME",
        parser=time_limit,
        help="Time limit of the first answer: 90, 90s, 2m.",
    ),
]
"""`--startup`: seconds, given as a duration."""

Timeout = Annotated[
    float,
    typer.Option(
        metavar="TIME",
        parser=time_limit,
        help="Time limit of every other answer; a search has a limit of its own.",
    ),
]
"""`--timeout`: seconds, given as a duration."""


def console_for(*, no_color: bool = False, to_stderr: bool = False) -> Console:
    """Where to print: standard output, unless that is taken by JSON."""
    from harness.report.terminal import terminal

    return terminal(no_color=no_color, to_stderr=to_stderr)


def write_to(path: Path, text: str) -> None:
    """Write a report. Only a whole report replaces a file. Raises UsageError."""
    try:
        if path.exists() and not path.is_file():  # a device or a pipe
            path.write_text(text, encoding="utf-8")
            return
        with files.replaced(path.resolve()) as file:
            file.write(text)
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror}") from None


def check_writable(path: Path) -> None:
    """Return whether a report can be written there, now rather than after an hour. Raises UsageError."""
    try:
        files.check_writable(path.resolve())
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror}") from None


def append_to(path: Path, text: str) -> None:
    """Add to a file that is written as a command goes on. Raises UsageError."""
    try:
        with path.open("a", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror}") from None


def read_from(path: Path) -> str:
    """The text of a file that the user named. Raises UsageError."""
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise UsageError(f"cannot read {path}: it is not a text file") from None


def make_folder(path: Path) -> None:
    """A folder to write into, now rather than after an hour. Raises UsageError."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"cannot make the folder {path}: {error.strerror}") from None
