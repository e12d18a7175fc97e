"""`conform check BOT [BOT…]`: checks bots against the specification, and reports the causes of failures."""

from __future__ import annotations

import re
import shlex
import time
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from harness.cli.checking import Display, checked_here, checked_on
from harness.cli.event_file import EventFile
from harness.cli.exits import GRAVITY, VERDICT_CODES, ExitCode, UsageError, usage_errors_of_checks
from harness.cli.options import (
    Cluster,
    Env,
    HarnessSeed,
    HtmlFile,
    Jobs,
    JsonFile,
    NoColor,
    Only,
    Playouts,
    Quiet,
    Sandbox,
    SavedCases,
    Startup,
    Timeout,
    assignment_of,
    console_for,
    effort_of,
    env_options,
    environment_of,
    names_of_checks,
)
from harness.cli.outputs import Outputs
from harness.cli.paths import cases_in, known_in
from harness.cli.project import ConfigFile, NoConfig, ProjectBots, bots_of, folder_of_bots, settings_line
from harness.files import timestamp

if TYPE_CHECKING:
    from rich.console import Console

    from harness.check.model import Verdict
    from harness.check.phases.findings import Findings
    from harness.check.phases.settings import RunSettings
    from harness.gtp import Launch
    from harness.report.records.check import CheckReport, ReportSettings


def check(
    context: typer.Context,
    bots: ProjectBots = None,
    playouts: Playouts = None,
    size: Annotated[int, typer.Option(help="Board size of the playouts: 9, 13 or 19.")] = 9,
    budget: Annotated[
        str,
        typer.Option(help="quick, standard, thorough; or standard within a time: 90, 2m, 1h."),
    ] = "standard",
    jobs: Jobs = None,
    only: Only = None,
    skip: Annotated[
        list[str] | None,
        typer.Option(metavar="GLOB|CLAUSE", help="Leave out these checks.", autocompletion=names_of_checks),
    ] = None,
    strict: Annotated[bool, typer.Option("--strict", help="A failed SHOULD refuses the bot too.")] = False,
    seed: HarnessSeed = 1,
    startup: Startup = 60.0,
    timeout: Timeout = 10.0,
    env: Env = None,
    sandbox: Sandbox = False,
    cluster: Cluster = None,
    json_file: JsonFile = None,
    junit: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the report as JUnit XML, for CI systems.")
    ] = None,
    events: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write each event as a line of JSON (- prints it)."),
    ] = None,
    with_file: SavedCases = None,
    html: HtmlFile = None,
    markdown: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write a summary as Markdown.")
    ] = None,
    github: Annotated[
        bool, typer.Option("--github", help="Print annotations for GitHub Actions at the end.")
    ] = False,
    badge: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the verdict as a badge: FILE.svg or FILE.json.")
    ] = None,
    json_transcripts: Annotated[
        bool, typer.Option("--json-transcripts", help="Add the wire log of each check to the JSON.")
    ] = False,
    known_failures: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="List of known failures: each must fail, no other check may."),
    ] = None,
    write_known: Annotated[
        Path | None,
        typer.Option("--write-known-failures", metavar="FILE", help="Write such a list."),
    ] = None,
    transcript: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Write the wire log of each check, and a script for each failure."),
    ] = None,
    no_config: NoConfig = False,
    config: ConfigFile = None,
    no_color: NoColor = False,
    quiet: Quiet = False,
    verbose: Annotated[
        bool, typer.Option("-v", "--verbose", help="Print each check as it ends, each failure in full.")
    ] = False,
) -> int:
    """Check whether bots follow the reference specification.

    For a bot that deviates, the report names the cause, the clause, and what to change. Without BOT, the bot
    of the project's settings is checked.
    """
    from harness.gtp import Limits
    from harness.report.ci.github import commands_stopped, show_annotations
    from harness.report.records.check import ReportSettings
    from harness.report.status.check import CheckStatusFile
    from harness.report.text.console import show_report
    from harness.suite.registry import SIZES, select

    bots, cwd = bots_of(context, bots, "check"), folder_of_bots(context, "bots")
    if size not in SIZES:
        raise UsageError(f"there are no checks of playouts on {size}x{size}: --size 9, 13 or 19")
    with usage_errors_of_checks():
        checks = (*select(only or (), skip or (), size), *cases_in(with_file))
    if not checks:
        raise UsageError("--skip leaves no check to run")
    for what, file in {"a list of known failures": known_failures or write_known, "a badge": badge}.items():
        if file and len(bots) > 1:
            raise UsageError(f"{what} is about one bot: give one BOT")
    known = known_in(known_failures)
    outputs = Outputs(
        json_file, junit, html, markdown, badge, transcript, write_known, events, json_transcripts
    )
    outputs.prepare()
    effort = effort_of(budget)
    limits = Limits(startup=startup, answer=timeout)
    console = console_for(no_color=no_color, to_stderr=outputs.takes_standard_output)
    variables = environment_of(env)
    assignments = [
        assignment_of(
            bot, checks, playouts, effort, limits, seed, jobs, sandbox=sandbox, env=variables, cwd=cwd
        )
        for bot in bots
    ]
    given = {
        "--playouts": playouts,
        "--size": None if size == SIZES[0] else size,
        "--with": with_file,
        "--seed": None if seed == 1 else seed,
    }
    settings = ReportSettings(
        seed, budget, len(checks), strict, str(transcript or ""), _shell_options(given, variables), known
    )
    if not quiet and (line := settings_line(context)):
        console.print(line, markup=False, highlight=False, soft_wrap=True)
    if not quiet and cluster is None and (hint := _hint_to_quote(assignments)):
        console.print(hint, markup=False, highlight=False, soft_wrap=True)
    with (
        CheckStatusFile(outputs.json_path, bots, budget) as status,
        EventFile(outputs.events) as event_file,
    ):
        display = Display(
            console=console, status=status, events=event_file, quiet=quiet, verbose=verbose, strict=strict
        )
        with commands_stopped(console) if github else nullcontext():
            report = _check_bots(assignments, settings, display, cluster)
            try:
                show_report(console, report, quiet=quiet, explain_levels=verbose)
            finally:  # a run of minutes is not lost with the console
                outputs.write(report)
        if github:
            show_annotations(console, report)
    event_file.raise_problem()
    findings = report.findings
    if any(found.interrupted for found in findings):
        return ExitCode.INTERRUPTED
    if known is None:
        return exit_code(report.verdicts)
    return exit_code([beyond_known(console, findings[0], known, strict=strict)])


def _shell_options(given: Mapping[str, object], variables: Mapping[str, str]) -> str:
    """Join the options that have a value, and --env for each variable, for a shell."""
    words = [word for name, value in given.items() if value is not None for word in (name, str(value))]
    return shlex.join(words + env_options(variables))


def _hint_to_quote(assignments: Sequence[RunSettings]) -> str:
    """A hint to quote the command, if its arguments seem to be given as further bots; else empty."""
    launches = [assignment.launch for assignment in assignments]
    suspects = [launch for launch in launches[1:] if _may_be_argument(launch.command)]
    stray = next((launch.command for launch in suspects if not _is_program(launch)), None)
    if stray is None:
        return ""
    whole = shlex.quote(" ".join(launch.command for launch in launches))
    return f"If {stray!r} is an argument of the bot, quote the whole command: conform check {whole}"


def _may_be_argument(word: str) -> bool:
    """Return whether a word may be an argument of a program: it names a file, or has no slash or blank."""
    return Path(word).is_file() or re.fullmatch(r"[\w.=-]+", word) is not None


def _is_program(launch: Launch) -> bool:
    from harness.gtp import EngineStartError
    from harness.gtp.launch import resolve

    try:
        resolve(launch)
    except EngineStartError:
        return False
    return True


def exit_code(verdicts: Sequence[Verdict]) -> ExitCode:
    """The exit code of the gravest of the bots' verdicts."""
    codes = {VERDICT_CODES[verdict] for verdict in verdicts}
    return next(code for code in GRAVITY if code in codes)


def _check_bots(
    bots: Sequence[RunSettings], settings: ReportSettings, display: Display, cluster: str | None
) -> CheckReport:
    """Check the bots, one after the other or on a cluster, and diagnose the failures."""
    from harness.report.records.check import CheckReport

    started, began = timestamp(), time.monotonic()
    checked = checked_here(bots, display) if cluster is None else checked_on(cluster, bots, display)
    findings, diagnoses = zip(*checked, strict=True)
    return CheckReport(findings, diagnoses, started, time.monotonic() - began, settings)


def beyond_known(console: Console, findings: Findings, known: frozenset[str], *, strict: bool) -> Verdict:
    """Print how the findings differ from a list of known failures, and return the verdict.

    Any difference refuses the bot: a failure that is not in the list, or a check of the list that passes.
    """
    from harness.check.model import Verdict
    from harness.check.verdict import verdict
    from harness.suite.known_failures import surprises, without_known

    found = surprises(findings.results, known, strict=strict)
    for sentence in found.sentences():
        console.print(sentence)
    if found:
        return Verdict.DEVIATES
    beyond = verdict(without_known(findings, known), strict=strict)
    if not findings.unusable:
        undecided = ", but some checks are undecided" if beyond is Verdict.INCONCLUSIVE else ""
        console.print(f"as the list of known failures says{undecided}")
    return beyond
