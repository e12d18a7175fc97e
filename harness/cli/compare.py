"""`conform compare BOT BOT [BOT…]`: gives several bots the same positions, and reports which agree."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from harness.cli.exits import ExitCode, UsageError, usage_errors_of_checks
from harness.cli.options import (
    CHECKS,
    STARTUP,
    TIME,
    TIMEOUT,
    Bots,
    Env,
    HarnessSeed,
    HtmlFile,
    JsonFile,
    NoColor,
    Only,
    Playouts,
    Quiet,
    Startup,
    Timeout,
    console_for,
    effort_of,
    environment_of,
    profile_of,
    run_settings_of,
)
from harness.cli.paths import STANDARD_OUTPUT, check_writable, print_or_write, write_to

if TYPE_CHECKING:
    from rich.console import Console

    from harness.check.phases.settings import RunSettings
    from harness.compare.agreement import Comparison

EXIT_CODES = {
    "agree": ExitCode.CONFORMS,
    "differ": ExitCode.DEVIATES,
    "undecided": ExitCode.INCONCLUSIVE,
    "unusable": ExitCode.UNUSABLE,
}
"""The exit code of each overall verdict of a comparison."""

COMPARE_SECONDS = {"quick": 11.0, "standard": 45.0, "thorough": 600.0}
"""Seconds for the searches of each bot, by name of --budget. Chosen: a check of a fast bot takes as long."""


def compare(
    bots: Bots,
    playouts: Playouts = None,
    budget: Annotated[
        str,
        typer.Option(
            metavar="NAME|TIME",
            help="quick, standard, thorough; or 90, 2m, 1h per bot.",
            rich_help_panel=TIME,
        ),
    ] = "standard",
    searches: Annotated[
        int,
        typer.Option(
            metavar="N",
            min=1,
            help="Most searches of each bot in each position, rounded up to a multiple of 4.",
            rich_help_panel=TIME,
        ),
    ] = 96,
    only: Only = None,
    profile: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Which positions to search: reference, gtp or playouts (default: reference).",
            rich_help_panel=CHECKS,
        ),
    ] = None,
    seed: HarnessSeed = 1,
    startup: Startup = STARTUP,
    timeout: Timeout = TIMEOUT,
    env: Env = None,
    json_file: JsonFile = None,
    html: HtmlFile = None,
    no_color: NoColor = False,
    quiet: Quiet = False,
) -> int:
    """Give the same positions to several bots, and report which agree.

    No bot is taken for the truth. With --profile playouts, the choice of a move is not compared.
    Bots that do not differ form a group; every other bot is named with its evidence.
    """
    from harness.check.effort import Effort
    from harness.check.profile import Profile
    from harness.files import local_now
    from harness.gtp import Limits
    from harness.report.text.comparison import as_json, overall, show_comparison
    from harness.suite.registry import select

    if len(bots) < 2:
        raise UsageError("compare takes two bots or more, each in one argument")
    with usage_errors_of_checks():
        belongs = (profile_of(profile) or Profile.REFERENCE).includes
        checks = [check for check in select(only or ()) if check.procedure.search_plan and belongs(check)]
    if not checks:
        raise UsageError(
            "--only leaves no position to search: try ref.*, without --profile gtp"
            if profile == Profile.GTP
            else "--only leaves no position to search: try ref.*"
        )
    seconds = COMPARE_SECONDS.get(budget) or effort_of(budget).seconds
    effort = Effort(seconds=seconds * len(bots))
    limits = Limits(startup=startup, answer=timeout)
    check_writable(html, or_printed=[json_file])
    console = console_for(no_color=no_color, to_stderr=json_file == STANDARD_OUTPUT)
    started = local_now().isoformat(timespec="seconds")
    variables = environment_of(env)
    runs = [
        run_settings_of(bot, checks, playouts, effort, limits, seed, env=variables, profile=profile)
        for bot in bots
    ]
    comparison = _compare_bots(console, runs, searches)
    show_comparison(console, comparison, quiet=quiet)
    print_or_write(json_file, as_json(comparison, seed, started))
    if html is not None:
        from harness.report.html.compare_page import compare_page

        write_to(html, compare_page(comparison, seed, started))
    verdict = overall(comparison)
    unusable = any(bot.series is None for bot in comparison.bots)
    return ExitCode.UNUSABLE if unusable and verdict != "differ" else EXIT_CODES[verdict]


def _compare_bots(console: Console, runs: list[RunSettings], searches: int) -> Comparison:
    """Compare the bots of these runs. On a terminal, a line shows the progress."""
    from harness.compare.run import compare as compare_runs

    if not console.is_terminal:
        return compare_runs(runs, searches)
    from rich.text import Text

    from harness.report.visible import safe

    with console.status("meeting the bots") as status:
        return compare_runs(runs, searches, lambda text: status.update(Text(safe(text))))
