"""`conform check BOT [BOT…]`: checks bots against the specification, and reports the causes of failures."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from harness.cli.exits import UsageError, usage_errors_of_checks
from harness.cli.options import (
    CHECKS,
    FILES,
    OUTPUT,
    STARTUP,
    TIME,
    TIMEOUT,
    Cluster,
    Env,
    EventLines,
    HarnessSeed,
    HtmlFile,
    Jobs,
    JsonFile,
    NoColor,
    Only,
    Playouts,
    ProfileName,
    Quiet,
    RuleList,
    Sandbox,
    SavedCases,
    Startup,
    Timeout,
    console_for,
    effort_of,
    env_options,
    environment_of,
    names_of_checks,
    run_settings_of,
)
from harness.cli.outputs import Outputs
from harness.cli.paths import load_cases, load_known_failures, load_report
from harness.cli.printing import print_plain
from harness.cli.project import ConfigFile, NoConfig, ProjectBots, bots_of, folder_of_bots, settings_line

if TYPE_CHECKING:
    from harness.gtp import Launch


def check(
    context: typer.Context,
    bots: ProjectBots = None,
    playouts: Playouts = None,
    size: Annotated[
        int,
        typer.Option(metavar="N", help="Board size of the playouts: 9, 13 or 19.", rich_help_panel=CHECKS),
    ] = 9,
    budget: Annotated[
        str,
        typer.Option(
            metavar="NAME|TIME",
            help="quick, standard, thorough; or standard within a time: 90, 2m, 1h.",
            rich_help_panel=TIME,
        ),
    ] = "standard",
    jobs: Jobs = None,
    only: Only = None,
    skip: Annotated[
        list[str] | None,
        typer.Option(
            metavar="GLOB|CLAUSE",
            help="Leave out these checks.",
            autocompletion=names_of_checks,
            rich_help_panel=CHECKS,
        ),
    ] = None,
    profile: ProfileName = None,
    rules: RuleList = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="A failed SHOULD refuses the bot too.", rich_help_panel=CHECKS)
    ] = False,
    seed: HarnessSeed = 1,
    startup: Startup = STARTUP,
    timeout: Timeout = TIMEOUT,
    env: Env = None,
    sandbox: Sandbox = False,
    cluster: Cluster = None,
    json_file: JsonFile = None,
    junit: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Write the report as JUnit XML, for CI systems.", rich_help_panel=FILES
        ),
    ] = None,
    events: EventLines = None,
    with_file: SavedCases = None,
    html: HtmlFile = None,
    markdown: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write a summary as Markdown.", rich_help_panel=FILES)
    ] = None,
    github: Annotated[
        bool,
        typer.Option(
            "--github", help="Print annotations for GitHub Actions at the end.", rich_help_panel=FILES
        ),
    ] = False,
    badge: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Write the verdict as a badge: FILE.svg or FILE.json.", rich_help_panel=FILES
        ),
    ] = None,
    json_transcripts: Annotated[
        bool,
        typer.Option(
            "--json-transcripts", help="Add the wire log of each check to the JSON.", rich_help_panel=FILES
        ),
    ] = False,
    known_failures: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="List of known failures: each must fail, no other check may.",
            rich_help_panel=CHECKS,
        ),
    ] = None,
    write_known: Annotated[
        Path | None,
        typer.Option(
            "--write-known-failures", metavar="FILE", help="Write such a list.", rich_help_panel=FILES
        ),
    ] = None,
    transcript: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Write the wire log of each check, and a script for each failure.",
            rich_help_panel=FILES,
        ),
    ] = None,
    last_failed: Annotated[
        bool,
        typer.Option(
            "--lf",
            help="Run what failed last time; if it passes, what was undecided; then all checks.",
            rich_help_panel=CHECKS,
        ),
    ] = False,
    stop_first: Annotated[
        bool, typer.Option("-x", help="Stop as soon as a cause is known.", rich_help_panel=TIME)
    ] = False,
    watch: Annotated[
        bool,
        typer.Option(
            "--watch", help="Check again whenever the program of a bot changes.", rich_help_panel=TIME
        ),
    ] = False,
    diff: Annotated[
        Path | None,
        typer.Option(
            metavar="OLD.json",
            help="Also print what has changed since an earlier --json report.",
            rich_help_panel=OUTPUT,
        ),
    ] = None,
    report_format: Annotated[
        str,
        typer.Option(
            "--format",
            metavar="full|concise",
            help="concise: one line for each failure.",
            rich_help_panel=OUTPUT,
        ),
    ] = "full",
    no_config: NoConfig = False,
    config: ConfigFile = None,
    no_color: NoColor = False,
    quiet: Quiet = False,
    verbose: Annotated[
        bool,
        typer.Option(
            "-v",
            "--verbose",
            help="Print each check as it ends, each failure in full.",
            rich_help_panel=OUTPUT,
        ),
    ] = False,
) -> int:
    """Check whether bots follow the specification, or GTP alone.

    For a bot that deviates, the report names the cause, the clause, and what to change. Without BOT, the bot
    of the project's settings is checked.
    """
    from harness.cli.check_job import CheckJob, run_on_changes
    from harness.gtp import Limits
    from harness.report.records.check import ReportSettings
    from harness.suite.registry import SIZES, select

    bots, cwd = bots_of(bots, "check"), folder_of_bots(context)
    if size not in SIZES:
        raise UsageError(f"there are no checks of playouts on {size}x{size}: --size 9, 13 or 19")
    with usage_errors_of_checks():
        checks = (*select(only or (), skip or (), size), *load_cases(with_file))
    if not checks:
        raise UsageError("--skip leaves no check to run: leave out less, or see the ids with conform checks")
    _require_one_bot(
        bots,
        {"a list of known failures": known_failures or write_known, "a badge": badge, "--lf": last_failed},
    )
    _require_this_machine(cluster, {"-x": stop_first, "--lf": last_failed, "--watch": watch})
    if report_format not in ("full", "concise"):
        raise UsageError(f"--format is full or concise, not {report_format!r}")
    concise = report_format == "concise"
    old = load_report(diff)
    known = load_known_failures(known_failures)
    outputs = Outputs(
        json_file, junit, html, markdown, badge, transcript, write_known, events, json_transcripts
    )
    outputs.prepare()
    effort, limits = effort_of(budget), Limits(startup=startup, answer=timeout)
    console = console_for(no_color=no_color, to_stderr=outputs.takes_standard_output)
    variables = environment_of(env)
    runs = [
        run_settings_of(
            bot, checks, playouts, effort, limits, seed, jobs,
            sandbox=sandbox, env=variables, cwd=cwd, profile=profile, rules=rules,
        )
        for bot in bots
    ]  # fmt: skip
    repeated = {  # in the commands that the report prints, because the results depend on them
        "--playouts": playouts,
        "--size": None if size == SIZES[0] else size,
        "--with": with_file,
        "--profile": profile,
        "--rules": rules,
        "--seed": None if seed == 1 else seed,
        "--startup": None if startup == STARTUP else str(startup).removesuffix(".0"),
        "--timeout": None if timeout == TIMEOUT else str(timeout).removesuffix(".0"),
        "--sandbox": sandbox or None,
    }
    settings = ReportSettings(
        seed, budget, len(checks), strict, str(transcript or ""), _shell_options(repeated, variables), known
    )
    if not (quiet or concise):
        print_plain(console, settings_line(context))
    if not quiet and cluster is None:
        print_plain(console, _hint_to_quote([run.launch for run in runs]))
    job = CheckJob(
        console, runs, settings, outputs, cluster, old,
        github=github, quiet=quiet, verbose=verbose, concise=concise, stop_first=stop_first,
    )  # fmt: skip
    run_job = job.run_last_failed if last_failed else job.run
    return run_on_changes(run_job, runs, console) if watch else run_job()


def _require_one_bot(bots: Sequence[str], wanted: Mapping[str, object]) -> None:
    """Raise UsageError if several bots are given with one of these options (name: value)."""
    for name, value in wanted.items():
        if value and len(bots) > 1:
            raise UsageError(f"{name} is about one bot: give one BOT")


def _require_this_machine(cluster: str | None, wanted: Mapping[str, bool]) -> None:
    """Raise UsageError if a cluster is given with one of these options (name: value)."""
    for name, value in wanted.items():
        if value and cluster is not None:
            raise UsageError(f"{name} works on this machine alone: leave --cluster out")


def _shell_options(given: Mapping[str, object], variables: Mapping[str, str]) -> str:
    """Join the options that are not None, and --env for each variable, for a shell. True: a flag."""
    words: list[str] = []
    for name, value in given.items():
        if value is not None:
            words += [name] if value is True else [name, str(value)]
    return shlex.join(words + env_options(variables))


def _hint_to_quote(launches: Sequence[Launch]) -> str:
    """A hint to quote the command, if its arguments seem to be given as further bots; else empty."""
    suspects = [launch for launch in launches[1:] if _may_be_argument(launch.command)]
    stray = next((launch.command for launch in suspects if not _is_program(launch)), None)
    if stray is None:
        return ""
    whole = shlex.quote(" ".join(launch.command for launch in launches))
    return f"If {stray!r} is an argument of the bot, quote the whole command: conform check {whole}"


def _may_be_argument(word: str) -> bool:
    """Return True if a word may be an argument: it names a file, or has only letters, digits and _.=-."""
    return Path(word).is_file() or re.fullmatch(r"[\w.=-]+", word) is not None


def _is_program(launch: Launch) -> bool:
    """Return True if the command names a program that can be started."""
    from harness.gtp import EngineStartError
    from harness.gtp.launch import resolve

    try:
        resolve(launch)
    except EngineStartError:
        return False
    return True
