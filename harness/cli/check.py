"""`conform check BOT [BOT…]`: the main job."""

from __future__ import annotations

import time
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from harness.cli.exits import GRAVITY, VERDICT_CODES, ExitCode, UsageProblem
from harness.cli.known import beyond_known, known_in, write_all, write_known_failures
from harness.cli.options import assignment_of, console_for, make_folder, seconds_of, write_to

if TYPE_CHECKING:
    from rich.console import Console

    from harness.checks.model import Result
    from harness.checks.run import Assignment, Findings


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("check")(check)


def check(
    bots: Annotated[list[str], typer.Argument(metavar="BOT…", help="Command lines, one argument each.")],
    playouts: Annotated[
        int | None, typer.Option(min=1, help="Playouts a search; else asked of the bot, or inferred.")
    ] = None,
    budget: Annotated[str, typer.Option(help="quick, standard, thorough, or SECONDS.")] = "standard",
    only: Annotated[list[str] | None, typer.Option(metavar="GLOB", help="Only these checks.")] = None,
    skip: Annotated[list[str] | None, typer.Option(metavar="GLOB", help="Not these checks.")] = None,
    strict: Annotated[bool, typer.Option("--strict", help="A failed SHOULD refuses the bot too.")] = False,
    seed: Annotated[int, typer.Option(help="Seed of everything random in the harness.")] = 1,
    timeout: Annotated[float, typer.Option(min=0.1, help="Seconds for each answer.")] = 10.0,
    json_file: Annotated[
        Path | None, typer.Option("--json", help="Write the report there (- prints it).")
    ] = None,
    known_failures: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Checks that this bot is known to fail, strict both ways."),
    ] = None,
    write_known: Annotated[
        Path | None, typer.Option("--write-known-failures", metavar="FILE", help="Write that list.")
    ] = None,
    transcript: Annotated[
        Path | None, typer.Option(metavar="DIR", help="The wire log of every check, a file each.")
    ] = None,
    no_color: Annotated[bool, typer.Option("--no-color", help="No colours (as with NO_COLOR).")] = False,
    quiet: Annotated[bool, typer.Option("-q", "--quiet", help="The verdict alone.")] = False,
    verbose: Annotated[
        bool, typer.Option("-v", "--verbose", help="Every check as it ends, SHOULD and INFO in full.")
    ] = False,
) -> int:
    """Tell whether bots conform to the reference specification, and what is wrong with those that do not."""
    from harness.checks.registry import UnknownCheckError, select
    from harness.report.record import CheckReport, as_json

    try:
        checks = select(only or (), skip or ())
    except UnknownCheckError as error:
        raise UsageProblem(str(error)) from None
    if not checks:
        raise UsageProblem("--skip leaves no check to run")
    if len(bots) > 1 and (known_failures or write_known):
        raise UsageProblem("a list of known failures is about one bot: give one BOT")
    known = known_in(known_failures)
    if transcript is not None:
        make_folder(transcript)
    seconds = seconds_of(budget)
    to_stdout = json_file is not None and str(json_file) == "-"
    console = console_for(no_color=no_color, to_stderr=to_stdout)
    started, began = datetime.now().astimezone().isoformat(timespec="seconds"), time.monotonic()
    findings = []
    for command in bots:
        assignment = assignment_of(command, checks, playouts, seconds, timeout, seed)
        findings.append(_watched(console, assignment, quiet=quiet, verbose=verbose))
        if findings[-1].interrupted:
            break
    from harness.checks.diagnosing import diagnose
    from harness.report.console import show_report

    report = CheckReport(
        findings,
        [diagnose(found, strict=strict) for found in findings],
        seed,
        budget,
        started,
        time.monotonic() - began,
        len(checks),
        strict,
    )
    show_report(console, report, quiet=quiet, explain_levels=verbose)
    if to_stdout:
        typer.echo(as_json(report), nl=False)
    elif json_file is not None:
        write_to(json_file, as_json(report))
    if transcript is not None:
        write_all(transcript, findings)
    if write_known is not None and not findings[0].unusable:
        write_known_failures(write_known, findings[0], strict=strict)
    if findings[-1].interrupted:
        return ExitCode.INTERRUPTED
    if known is None:
        return exit_code(report.verdicts)
    return exit_code([beyond_known(console, findings[0], known, strict=strict)])


def exit_code(verdicts: list[str]) -> ExitCode:
    """The gravest of the bots' verdicts."""
    codes = {VERDICT_CODES[verdict] for verdict in verdicts}
    return next(code for code in GRAVITY if code in codes)


def _watched(console: Console, assignment: Assignment, *, quiet: bool, verbose: bool) -> Findings:
    """Run the checks on one bot, with a line on a terminal that says how far it is."""
    from harness.checks.run import run_checks
    from harness.report.console import show_result

    if verbose or quiet or not console.is_terminal:
        return run_checks(
            assignment, (lambda result: show_result(console, result)) if verbose else (lambda _: None)
        )
    done = 0
    with console.status(f"{assignment.launch.command}: meeting the bot") as status:

        def tell(result: Result) -> None:
            nonlocal done
            done += 1
            status.update(f"{done} of {len(assignment.checks)} checks, the last {result.check.id}")

        return run_checks(assignment, tell)
