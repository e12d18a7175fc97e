"""Options that several commands share, and functions that convert their values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from harness.cli.exits import UsageError

if TYPE_CHECKING:
    from rich.console import Console

    from harness.check.effort import Effort
    from harness.check.model import Check
    from harness.check.phases.settings import RunSettings
    from harness.check.profile import Profile
    from harness.gtp import Limits
    from harness.tasks import ClusterPool

# Titles of the groups of options in the help of a command.
BOT = "The bot"
CHECKS = "What to check"
MATCH = "The match"
TIME = "How long"
FILES = "Reports"
OUTPUT = "Output"

SHORTEST_LIMIT = 0.1
"""Shortest time limit in seconds that an option may set. Chosen: an idle machine answers sooner."""
DEFAULT_PLAYOUTS = 1000
"""Number that replaces {playouts} in a bot's command without --playouts. From the specification."""


def names_of_checks(incomplete: str) -> list[str]:
    """The clauses and the ids of checks that begin with `incomplete`, for shell completion."""
    from harness.check.clauses import CLAUSES
    from harness.suite.registry import CHECKS

    names = [*CLAUSES, *(check.id for check in CHECKS)]
    return [name for name in names if name.startswith(incomplete)]


def time_limit(value: str) -> float:
    """Convert the value of an option that limits a time to seconds. Raises typer.BadParameter."""
    try:
        return limit_of(str(value))  # typer passes a default as the number that it is
    except UsageError as error:
        raise typer.BadParameter(str(error)) from None


Bots = Annotated[list[str], typer.Argument(metavar="BOT", help="Command lines, one argument each.")]
Patterns = Annotated[
    list[str] | None,
    typer.Argument(metavar="GLOB|CLAUSE", help="Only these checks.", autocompletion=names_of_checks),
]
StoredRun = Annotated[Path, typer.Argument(metavar="RUN", help="The folder of a run, or its run.db.")]
Only = Annotated[
    list[str] | None,
    typer.Option(
        metavar="GLOB|CLAUSE",
        help="Only these checks.",
        autocompletion=names_of_checks,
        rich_help_panel=CHECKS,
    ),
]
Playouts = Annotated[
    int | None,
    typer.Option(
        metavar="N",
        min=1,
        help="Playouts per search (default: asked of the bot, or inferred).",
        rich_help_panel=BOT,
    ),
]
ProfileName = Annotated[
    str | None,
    typer.Option(
        "--profile",
        metavar="NAME",
        help="reference, gtp or playouts (default: reference if it has ref-nodes or ref-score, else gtp).",
        rich_help_panel=CHECKS,
    ),
]
RuleList = Annotated[
    str | None,
    typer.Option(
        "--rules",
        metavar="RULES",
        help="Rules of the bot, such as superko=positional,suicide=allowed (default: found out).",
        rich_help_panel=BOT,
    ),
]
Jobs = Annotated[
    int | None,
    typer.Option(
        metavar="N",
        min=1,
        max=64,
        help="Processes of the bot at once (default: one per idle core).",
        rich_help_panel=TIME,
    ),
]
HarnessSeed = Annotated[
    int,
    typer.Option(
        "--seed", metavar="N", help="Seed of everything random in the harness.", rich_help_panel=CHECKS
    ),
]
STARTUP, TIMEOUT = 60.0, 10.0
"""Defaults of --startup and --timeout, in seconds."""
Startup = Annotated[
    float,
    typer.Option(
        metavar="TIME",
        parser=time_limit,
        help="Time limit of the first answer, such as 90, 90s or 2m.",
        rich_help_panel=TIME,
    ),
]
Timeout = Annotated[
    float,
    typer.Option(
        metavar="TIME",
        parser=time_limit,
        help="Time limit of every other answer; a search has a limit of its own.",
        rich_help_panel=TIME,
    ),
]
Env = Annotated[
    list[str] | None,
    typer.Option(
        "--env",
        metavar="NAME=VALUE",
        help="A variable for the bot, besides PATH, HOME and LANG; may be repeated.",
        rich_help_panel=BOT,
    ),
]
Sandbox = Annotated[
    bool,
    typer.Option(
        "--sandbox",
        help="No network, read-only files, limits: for a bot you do not trust (Linux).",
        rich_help_panel=BOT,
    ),
]
Cluster = Annotated[
    str | None,
    typer.Option(
        metavar="ADDRESS|local",
        help="Use the workers of a dask scheduler (tcp://host:8786).",
        rich_help_panel=TIME,
    ),
]
SavedCases = Annotated[
    Path | None,
    typer.Option(
        "--with",
        metavar="FILE",
        help="Add the cases that conform explore --save wrote.",
        rich_help_panel=CHECKS,
    ),
]
EventLines = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE", help="Write each event as a line of JSON (- prints it).", rich_help_panel=FILES
    ),
]
JsonFile = Annotated[
    Path | None,
    typer.Option(
        "--json", metavar="FILE", help="Write the report as JSON (- prints it).", rich_help_panel=FILES
    ),
]
HtmlFile = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE", help="Write the report as an HTML page: one file, no network.", rich_help_panel=FILES
    ),
]
NoColor = Annotated[
    bool, typer.Option("--no-color", help="No colours (as with NO_COLOR).", rich_help_panel=OUTPUT)
]
Quiet = Annotated[bool, typer.Option("-q", "--quiet", help="Print only the verdict.", rich_help_panel=OUTPUT)]
"""Each command that ends with a verdict takes NoColor and Quiet, so that a script may always give them."""


def environment_of(given: Sequence[str] | None) -> dict[str, str]:
    """Return the variables of the `--env NAME=VALUE` by name; the last value counts. Raises UsageError."""
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
    """The words of a command line for the variables: ["--env", "A=1", "--env", "B=2"]."""
    return [word for item in variables.items() for word in ("--env", "=".join(item))]


@contextmanager
def cluster_workers(cluster: str, local: int) -> Iterator[ClusterPool]:
    """The workers of a cluster during a block. `local`: their number for `--cluster local`.

    Raises UsageError, also for an error of the cluster within the block.
    """
    from harness.tasks import ClusterError, cluster_pool

    try:
        with cluster_pool(cluster, local) as pool:
            yield pool
    except ClusterError as problem:
        raise UsageError(str(problem)) from None


def run_settings_of(
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
    cwd: Path | None = None,
    profile: str | None = None,
    rules: str | None = None,
) -> RunSettings:
    """Return the settings to check one bot. Raises UsageError.

    instances   number of processes of the bot at once; None: one for each idle core
    cwd         folder in which the bot runs; None: the current one
    profile     value of --profile; None: chosen by the commands of the bot
    rules       value of --rules; None: found out
    """
    from harness.check.phases.settings import RunSettings
    from harness.gtp import MAX_PLAYOUTS, Launch

    if playouts is not None and playouts > MAX_PLAYOUTS:
        raise UsageError(f"--playouts must be at most {MAX_PLAYOUTS}, not {playouts}")
    command, playouts = fill_in(command, playouts)
    launch = Launch(command, cwd=cwd, sandbox=sandbox, env=env or {})
    return RunSettings(
        launch, checks, playouts, effort, limits, seed, instances,
        profile=profile_of(profile), rules=rules_of(rules),
    )  # fmt: skip


def profile_of(name: str | None) -> Profile | None:
    """The profile for --profile; None to choose it by the commands of the bot. Raises UsageError."""
    from harness.check.profile import Profile

    if name is None:
        return None
    if name not in [*Profile]:
        raise UsageError(f"unknown profile {name!r}; known: {', '.join(Profile)}")
    return Profile(name)


def rules_of(text: str | None) -> Mapping[str, str]:
    """Return the values of --rules by the names of the rules; see `parse_rules`. Raises UsageError."""
    from harness.check.play_rules import RulesError, parse_rules

    try:
        return parse_rules(text or "")
    except RulesError as error:
        raise UsageError(f"--rules: {error}") from None


def fill_in(command: str, playouts: int | None) -> tuple[str, int | None]:
    """Replace {playouts} in a command line. Return the command, and the number of playouts; None if unknown.

    "./bot -n {playouts}" without --playouts gives ("./bot -n 1000", 1000).
    """
    if "{playouts}" not in command:
        return command, playouts
    playouts = playouts or DEFAULT_PLAYOUTS
    return command.replace("{playouts}", str(playouts)), playouts


def effort_of(text: str) -> Effort:
    """The effort for --budget: by name, or the standard one within a duration. Raises UsageError."""
    from harness.check.effort import EFFORTS, STANDARD

    if text in EFFORTS:
        return EFFORTS[text]
    if not text[:1].isdigit() and not text.startswith((".", "-", "+")):
        known = f"{', '.join(EFFORTS)}, or a duration such as 90s or 2m"
        raise UsageError(f"unknown budget {text!r}; give one of {known}")
    return replace(STANDARD, seconds=seconds_of(text))


def seconds_of(duration: str) -> float:
    """Convert a duration to seconds: `90`, `90s`, `2m`, `1.5h`. Raises UsageError."""
    from harness.gtp.numbers import DurationError, parse_duration

    try:
        return parse_duration(duration)
    except DurationError as error:
        raise UsageError(str(error)) from None


def limit_of(duration: str) -> float:
    """Convert a duration that limits a time to seconds. Raises UsageError."""
    seconds = seconds_of(duration)
    if seconds < SHORTEST_LIMIT:
        raise UsageError(f"a time limit is at least {SHORTEST_LIMIT:g} seconds, not {duration!r}")
    return seconds


def console_for(*, no_color: bool = False, to_stderr: bool = False) -> Console:
    """The console to print on. `to_stderr`: for a command whose standard output is JSON."""
    from harness.report.terminal import terminal

    return terminal(no_color=no_color, to_stderr=to_stderr)
