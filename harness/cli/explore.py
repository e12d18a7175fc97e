"""`conform explore BOT`: searches random sessions and positions for deviations that no check covers."""

from __future__ import annotations

import os
import shlex
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from harness.cli.exits import ExitCode
from harness.cli.options import (
    CHECKS,
    FILES,
    STARTUP,
    TIME,
    TIMEOUT,
    Cluster,
    Env,
    Jobs,
    JsonFile,
    NoColor,
    Playouts,
    ProfileName,
    Quiet,
    RuleList,
    SavedCases,
    Startup,
    Timeout,
    cluster_workers,
    console_for,
    env_options,
    environment_of,
    fill_in,
    profile_of,
    rules_of,
    seconds_of,
)
from harness.cli.paths import STANDARD_OUTPUT, check_writable, load_cases, print_or_write, write_to
from harness.cli.printing import print_plain
from harness.cli.project import ConfigFile, NoConfig, ProjectBot, bots_of, folder_of_bots, settings_line

if TYPE_CHECKING:
    from harness.check.phases.events import Event
    from harness.explore.exploration import Exploration


def explore(
    context: typer.Context,
    bot: ProjectBot = None,
    duration: Annotated[
        str,
        typer.Option("--for", metavar="TIME", help="How long to look: 90, 10m, 1h.", rich_help_panel=TIME),
    ] = "10m",
    seed: Annotated[
        int, typer.Option(metavar="N", help="The same seed makes the same sessions.", rich_help_panel=CHECKS)
    ] = 1,
    sessions: Annotated[
        int | None,
        typer.Option(
            metavar="N", min=1, help="Largest number of sessions, and of positions.", rich_help_panel=TIME
        ),
    ] = None,
    jobs: Jobs = None,
    playouts: Playouts = None,
    save: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Save what was found, for --with FILE.", rich_help_panel=FILES),
    ] = None,
    with_file: SavedCases = None,
    json_file: JsonFile = None,
    cluster: Cluster = None,
    profile: ProfileName = None,
    rules: RuleList = None,
    startup: Startup = STARTUP,
    timeout: Timeout = TIMEOUT,
    env: Env = None,
    no_config: NoConfig = False,
    config: ConfigFile = None,
    no_color: NoColor = False,
    quiet: Quiet = False,
) -> int:
    """Look for deviations that no check lists.

    Each deviation is reduced to the shortest lines, or the smallest position, that show it.
    """
    from harness.check.phases.run import follow
    from harness.explore.exploration import DeviationFound, Exploration, Plan, StepEnded
    from harness.explore.explorer import explore as run
    from harness.gtp import Launch, Limits
    from harness.remote.explore import explore_on
    from harness.report.text.exploration import progress_text, show_exploration
    from harness.report.text.progress_line import ProgressLine
    from harness.suite.families.last_phases import DIALOGUES, POSITIONS

    seconds = seconds_of(duration)
    check_writable(save, or_printed=[json_file])
    (bot,) = bots_of([bot] if bot else None, "explore")
    cwd = folder_of_bots(context)
    bot, playouts = fill_in(bot, playouts)
    limits = Limits(startup=startup, answer=timeout)
    cases = load_cases(with_file)
    variables = environment_of(env)
    launch = Launch(bot, cwd=cwd, env=variables)
    plan = Plan(launch, DIALOGUES, POSITIONS, limits, playouts, seed, seconds, sessions, jobs, cases)
    plan = replace(plan, profile=profile_of(profile), rules=rules_of(rules))
    console = console_for(no_color=no_color, to_stderr=json_file == STANDARD_OUTPUT)
    if not quiet:
        print_plain(console, settings_line(context))
    exploration = Exploration(launch.command)
    with nullcontext() if quiet else ProgressLine(console, bot) as progress:

        def handle(event: Event) -> None:
            exploration.note(event)
            if progress is not None and isinstance(event, DeviationFound):
                progress.show_result(event.result)
            elif progress is not None and isinstance(event, StepEnded):
                progress.show(progress_text(exploration))

        if cluster is None:
            follow(run(plan), handle)
        else:
            with cluster_workers(cluster, jobs or os.cpu_count() or 1) as pool:
                worker_plan = replace(plan, instances=1)  # the workers are the parallel processes
                follow(explore_on(pool, worker_plan, partial(typer.echo, err=True)), handle)
    show_exploration(console, exploration, seed, shlex.join(env_options(variables)), quiet=quiet)
    _write(exploration, seed, save, json_file)
    return exit_code(exploration)


def exit_code(exploration: Exploration) -> ExitCode:
    """Return INTERRUPTED after Ctrl-C, else UNUSABLE, else DEVIATES with a deviation, else CONFORMS."""
    if exploration.interrupted:
        return ExitCode.INTERRUPTED
    if exploration.unusable:
        return ExitCode.UNUSABLE
    return ExitCode.DEVIATES if exploration.results else ExitCode.CONFORMS


def _write(exploration: Exploration, seed: int, save: Path | None, json_file: Path | None) -> None:
    """Write the deviations as cases for --with to `save`, and the whole result as JSON to `json_file`.

    A deviation that was not reduced is no case. None leaves a file out.
    """
    from harness.explore.cases import cases_text, saved_form
    from harness.report.text.exploration import as_json

    if save is not None:
        judgements = (result.judgement for result in exploration.results)
        write_to(save, cases_text(saved_form(j.reduced, j) for j in judgements if j.reduced is not None))
    print_or_write(json_file, as_json(exploration, seed))
