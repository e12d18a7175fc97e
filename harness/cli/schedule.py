"""`conform schedule CONFIG…`: plays matches at the times of their configs, unattended."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

import harness
from harness.cli.exits import GRAVITY, ExitCode, UsageError, usage_errors_of_runs
from harness.cli.options import Cluster, NoColor, console_for
from harness.cli.paths import REPORTS
from harness.cli.printing import say
from harness.cli.signals import stop_on_signals
from harness.cli.streams import STDERR
from harness.report.numbers import amount, of_total

if TYPE_CHECKING:
    from harness.arena.config.tables import MatchConfig
    from harness.report.text.progress_line import ProgressLine
    from harness.schedule import StartResult

SHOWN = 5
"""Number of start times that --list prints for each config. Chosen: five nights of a nightly config."""


def schedule(
    configs: Annotated[list[Path], typer.Argument(metavar="CONFIG", help="TOML files with [schedule].")],
    reports: Annotated[
        Path, typer.Option("--reports", "--out", metavar="DIR", help="Runs go into DIR/NAME/TIME.")
    ] = REPORTS,
    workers: Annotated[
        int | None, typer.Option(min=1, help="Number of games at once, for each config.")
    ] = None,
    cluster: Cluster = None,
    once: Annotated[
        bool,
        typer.Option(
            "--once", help="Play one run of each config now, or the rest of stopped runs, then exit."
        ),
    ] = False,
    new: Annotated[
        bool,
        typer.Option(
            "--new",
            help="Start a new run of each config now, even if the last run is unfinished.",
        ),
    ] = False,
    drop: Annotated[
        bool,
        typer.Option(
            "--drop", help="Give up the unfinished runs of each config: they keep their games. Play nothing."
        ),
    ] = False,
    listed: Annotated[
        bool, typer.Option("--list", help="Print the next and the missed times, and how the last run ended.")
    ] = False,
    systemd: Annotated[
        bool, typer.Option("--print-systemd", help="Print systemd unit files that run this command.")
    ] = False,
    history: Annotated[
        bool, typer.Option("--history", help="Write history.csv again from the stored runs.")
    ] = False,
    quiet: Annotated[bool, typer.Option("-q", "--quiet", help="Log only results and problems.")] = False,
    no_color: NoColor = False,
) -> int:
    """Play matches at the times of their configs, until stopped.

    Stopped runs are continued first, unless --new is given.
    """
    if (once or new) + drop + listed + systemd + history > 1:
        raise UsageError(
            "--drop, --list, --print-systemd and --history exclude each other, and exclude --once and --new"
        )
    with usage_errors_of_runs():
        loaded = _load_configs(configs, workers, timed=not (once or drop or history))
        if systemd:
            return _print_units(configs, loaded, reports, workers, cluster)
        if listed:
            return _list(loaded, reports, here=cluster is None)
        if history:
            return _rebuild_history(loaded, reports)
        if drop:
            return _drop(loaded, reports)
        return _run(loaded, reports, cluster, once=once, new=new, quiet=quiet)


def _run(
    configs: list[MatchConfig], reports: Path, cluster: str | None, *, once: bool, new: bool, quiet: bool
) -> int:
    """Play the matches at their times until a signal, or one run of each if `once`; return the exit code.

    new   begin with a new run of each match, even if its last run is unfinished
    """
    from harness.arena.folder.play import run_match
    from harness.arena.run.stop import Stop
    from harness.schedule import Clock, Job, Log, Scheduler

    live = not quiet and os.isatty(STDERR) and os.environ.get("TERM") != "dumb"
    stop, log, clock = Stop(), Log(quiet=quiet, live=live), Clock()
    jobs = [
        Job(config, reports, clock, stop, log, lambda settings: run_match(replace(settings, cluster=cluster)))
        for config in configs
    ]
    scheduler = Scheduler(jobs, clock, stop, log)
    with stop_on_signals(stop, lambda sentence: log.event("schedule", sentence)):
        if once:
            results = scheduler.play_once(new=new)
            return _gravest([_exit_code(result) for result in results], stopped=bool(stop.asked))
        stopped_by_signal = scheduler.keep_running(new=new)  # else a bug of the harness ended it
        return ExitCode.INTERRUPTED if stopped_by_signal else ExitCode.INTERNAL


def _exit_code(result: StartResult) -> ExitCode:
    """Return the exit code for one run."""
    from harness.cli.match import exit_code

    if result.bug:
        return ExitCode.INTERNAL
    if result.outcome is None:
        return ExitCode.USAGE
    return exit_code(result.outcome.verdicts, complete=result.outcome.complete)


def _gravest(codes: list[ExitCode], *, stopped: bool) -> ExitCode:
    """Return one exit code for several runs: a bug, a stop and a problem outrank any verdict."""
    order = (ExitCode.INTERNAL, ExitCode.INTERRUPTED, ExitCode.USAGE, *GRAVITY)
    found = [*codes, ExitCode.INTERRUPTED] if stopped else codes
    return min(found, key=order.index)


def _load_configs(paths: list[Path], workers: int | None, *, timed: bool) -> list[MatchConfig]:
    """Load the configs, and set their number of workers. Raises one UsageError for all mistakes.

    workers   value of --workers; None keeps the numbers of the configs
    timed     each config needs a [schedule]
    """
    from harness.arena.config.reader import ConfigError, load_config

    configs: dict[str, MatchConfig] = {}
    wrong = []
    for path in paths:
        try:
            config = load_config(path)
        except ConfigError as error:
            wrong.append(str(error))
            continue
        name = config.run.name
        if name in configs:
            wrong.append(f"{path}: [run] name: {name!r} is also the name of another config here; rename one")
        if timed and config.schedule is None:
            wrong.append(f'{path}: has no [schedule]; add one, with a line such as cron = "30 2 * * *"')
        run = config.run.model_copy(update={"workers": workers} if workers else {})
        configs[name] = config.model_copy(update={"run": run})
    if wrong:
        raise UsageError("\n".join(wrong))
    return list(configs.values())


def _list(configs: list[MatchConfig], reports: Path, *, here: bool) -> int:
    """Print the times and the runs of each config, and return the exit code.

    `here`: the engines run on this machine, so problems with them are printed.
    """
    from harness.arena.config.playable import check_playable
    from harness.arena.errors import MatchError
    from harness.schedule import overview

    code = ExitCode.CONFORMS
    for config in configs:
        for line in overview(config, reports / config.run.name, SHOWN):
            say(line)
        try:
            if here:
                check_playable(config)
        except MatchError as problem:
            say(f"  problem  {problem}")
            code = ExitCode.USAGE
    return code


def _rebuild_history(configs: list[MatchConfig], reports: Path) -> int:
    """Write history.csv of each config again from its finished runs, and return the exit code."""
    from harness.arena.folder.lock import locked
    from harness.arena.folder.scheduled_run import scheduled_runs
    from harness.report.text.progress_line import ProgressLine
    from harness.schedule import rebuild_history

    for config in configs:
        folder = reports / config.run.name
        if not folder.is_dir():
            raise UsageError(f"{folder}: no run is stored there; name the folder of the runs with --reports")
        with locked(folder), ProgressLine(console_for(to_stderr=True), config.run.name) as line:
            finished = [run for run in scheduled_runs(folder) if run.finished]
            show_progress = partial(_show_runs_read, line, len(finished))
            number = rebuild_history(folder, finished, lambda text: say(text, err=True), show_progress)
        say(f"{folder / 'history.csv'}: written from {amount(number, 'run')}")
    return ExitCode.CONFORMS


def _show_runs_read(line: ProgressLine, total: int, done: int) -> None:
    line.show(f"{of_total(done, total, 'run')} read")


def _drop(configs: list[MatchConfig], reports: Path) -> int:
    """Give up the unfinished runs of each config, and return the exit code."""
    from harness.schedule import Clock, drop_open_runs

    for config in configs:
        name, folder = config.run.name, reports / config.run.name
        dropped = drop_open_runs(folder, Clock().now()) if folder.is_dir() else []
        for run in dropped:
            say(f"{name}: run {run.name} is given up; its games are kept in {run.folder}")
        if not dropped:
            say(f"{name}: no run is unfinished in {folder}")
    return ExitCode.CONFORMS


def _print_units(
    paths: list[Path],
    configs: list[MatchConfig],
    reports: Path,
    workers: int | None,
    cluster: str | None,
) -> int:
    """Print a unit file of systemd for each config, which runs this command; return the exit code."""
    from harness.schedule import units

    program = Path(sys.argv[0]).resolve()
    start = [sys.executable, "-m", harness.__name__] if program.name == "__main__.py" else [str(program)]
    for path, config in zip(paths, configs, strict=True):
        words = [*start, "schedule", str(path.resolve()), "--reports", str(reports.resolve())]
        words += ["--workers", str(workers)] if workers else []
        words += ["--cluster", cluster] if cluster else []
        assert config.schedule is not None
        try:
            text = units(config, config.schedule, words, Path.cwd(), os.environ.get("PATH", os.defpath))
        except ValueError as error:
            raise UsageError(str(error)) from None
        typer.echo(text)
    return ExitCode.CONFORMS
