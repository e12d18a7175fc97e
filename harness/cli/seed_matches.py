"""Play the tables of `conform seeds` that are matches: print the estimated time, then the win rates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness.cli.exits import ExitCode, UsageError, usage_errors_of_runs
from harness.cli.forecast import about, pairs_left
from harness.cli.signals import stop_on_signals
from harness.report.numbers import amount

if TYPE_CHECKING:
    from rich.console import Console

    from harness.arena.run.stop import Stop
    from harness.arena.verdicts import MatchVerdicts
    from harness.seeds.matches import MatchExperiment


def play_tables(
    tables: Sequence[str],
    sizes: tuple[int, ...],
    overrides: Mapping[str, Any],
    out: Path,
    cluster: str | None,
    console: Console,
    *,
    quiet: bool,
) -> ExitCode:
    """Play the matches of the tables, and print each win rate beside the published one.

    On this machine, matches whose opponent is not installed are skipped. Return INTERRUPTED after Ctrl-C
    or SIGTERM, else DEVIATES if a bot failed, else CONFORMS. Raises UsageError.

    tables      names of MATCH_TABLES
    sizes       board sizes; empty: all that were published
    overrides   values of the options `games`, `playouts`, `against` and `workers`; None for one not given
    out         folder of the runs; a run that is stored there is continued
    cluster     address of a dask scheduler whose workers play, or `local`; None: this machine
    quiet       do not print estimates and progress
    """
    from harness.arena.run.stop import Stop
    from harness.gtp import EngineStartError
    from harness.seeds.matches import match_experiments

    stop = Stop()
    code = ExitCode.CONFORMS
    try:
        with usage_errors_of_runs():
            wanted = [one for table in tables for one in match_experiments(table, sizes, overrides)]
            for experiment in wanted:
                if not stop.asked:
                    played = _play(experiment, out, console, stop, cluster, quiet=quiet)
                    code = played or code  # 0 keeps an earlier failure
    except EngineStartError as problem:
        raise UsageError(str(problem)) from None
    return ExitCode.INTERRUPTED if stop.asked else code


def _play(
    experiment: MatchExperiment,
    out: Path,
    console: Console,
    stop: Stop,
    cluster: str | None,
    *,
    quiet: bool,
) -> ExitCode:
    """Play one match, or print that its opponent is missing here; return the exit code."""
    from harness.arena.folder.play import MatchSettings, follow, run_match
    from harness.cli.match_progress import MatchDisplay
    from harness.report.files.run_folder import RunFolder

    size = experiment.size
    console.print(f"\n{experiment.table}, {size}x{size}", style="bold")
    if cluster is None and experiment.missing:
        console.print(f"skipped: {experiment.missing}")
        return ExitCode.CONFORMS
    folder = out / folder_name(experiment)
    with stop_on_signals(stop, console.print):
        if cluster is None and not quiet:
            console.print(_cost(experiment, folder), soft_wrap=True)
        events = run_match(MatchSettings(experiment.config, folder, stop, cluster))
        with MatchDisplay(console, quiet=quiet) as display:
            outcome = follow(events, RunFolder().handle, display.handle)
    return _show(experiment, outcome.verdicts, console)


def folder_name(experiment: MatchExperiment) -> str:
    """Return the name of a run's folder, with the number of playouts, which a stored run cannot change."""
    playouts = experiment.config.engine[1].playouts
    return f"{experiment.config.run.name}-{playouts}-playouts"


def _cost(experiment: MatchExperiment, folder: Path) -> str:
    """Return the text before a match: the games left to play, if any, and their estimated time."""
    from harness.arena.run.cost import NoPaceError, seconds_needed
    from harness.arena.run.runner import wanted_workers

    config = experiment.config
    lines = config.engine[1:]  # the first engine is the opponent of each line of the table
    left = pairs_left(config, folder)[1]
    head = (
        f"{amount(len(lines), 'line')} of {amount(config.run.games, 'game')}, "
        f"{lines[0].playouts} playouts per search, "
        f"against {experiment.opponent.launch().command}\n"
    )
    if not left:
        return f"{head}all games of {folder} are stored, so none is played. To play more, raise --games"
    workers = wanted_workers(config)
    try:
        time = about(seconds_needed(config, left, workers))
    except NoPaceError as problem:
        time = f"time unknown: {problem}"
    return (
        f"{head}{amount(left, 'game')} to play, {workers} at once: {time}. "
        "Ctrl-C stops; the same command continues, also with more --games."
    )


def _show(experiment: MatchExperiment, verdicts: MatchVerdicts, console: Console) -> ExitCode:
    """Print the win rates and the failures. Return DEVIATES if a bot failed, else CONFORMS."""
    from harness.report.text.match_console import findings
    from harness.report.text.seeds_table import show_win_rates

    rows = list(experiment.rows(verdicts))
    if rows:
        show_win_rates(console, rows)
    failed = any(verdicts.failures.values())
    if failed:
        for line in findings(verdicts):
            console.print(line)
    return ExitCode.DEVIATES if failed else ExitCode.CONFORMS
