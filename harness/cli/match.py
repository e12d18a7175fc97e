"""`conform match CONFIG`: plays games between engines with a referee, and judges which are equally strong."""

from __future__ import annotations

import shlex
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from harness.cli.event_file import EventFile
from harness.cli.exits import ExitCode, UsageError, usage_errors_of_runs
from harness.cli.options import (
    FILES,
    MATCH,
    OUTPUT,
    TIME,
    Cluster,
    EventLines,
    NoColor,
    Quiet,
    Sandbox,
    console_for,
    seconds_of,
)
from harness.cli.paths import REPORTS, STANDARD_OUTPUT, check_writable
from harness.cli.signals import stop_on_signals

if TYPE_CHECKING:
    from rich.console import Console

    from harness.arena.config.tables import MatchConfig
    from harness.arena.folder.play import MatchSettings
    from harness.arena.verdicts import MatchVerdicts

EXPECTED = ("stronger", "not-stronger")
"""The values of --expect: the answers that give exit code 0."""


def match(
    config: Annotated[
        Path | None, typer.Argument(metavar="CONFIG", help="TOML file; conform init writes examples.")
    ] = None,
    engine: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=COMMAND",
            help="An engine, instead of CONFIG; once for each engine.",
            rich_help_panel=MATCH,
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Folder of the run; a run that is stored there is continued.",
            rich_help_panel=FILES,
        ),
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option(
            metavar="N", min=1, help="Number of games at once (default: one per core).", rich_help_panel=TIME
        ),
    ] = None,
    games: Annotated[
        int | None,
        typer.Option(
            metavar="N", min=0, help="Number of games of each pair (even; 0: no end).", rich_help_panel=MATCH
        ),
    ] = None,
    size: Annotated[
        int | None, typer.Option(metavar="N", help="Board size, 2 to 25.", rich_help_panel=MATCH)
    ] = None,
    komi: Annotated[float | None, typer.Option(metavar="POINTS", help="Komi.", rich_help_panel=MATCH)] = None,
    rules: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="reference, tromp-taylor, chinese, japanese or simple-ko.",
            rich_help_panel=MATCH,
        ),
    ] = None,
    scorer: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Who scores a game: area, players, or the referee of CONFIG.",
            rich_help_panel=MATCH,
        ),
    ] = None,
    playouts: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=1,
            help="Number of playouts per search, for every --engine.",
            rich_help_panel=MATCH,
        ),
    ] = None,
    seed: Annotated[
        int | None, typer.Option(metavar="N", help="Seed of the openings.", rich_help_panel=MATCH)
    ] = None,
    max_games: Annotated[
        int | None,
        typer.Option(
            "--max-games", metavar="N", min=1, help="End this start after N games.", rich_help_panel=TIME
        ),
    ] = None,
    duration: Annotated[
        str | None,
        typer.Option(
            "--for", metavar="TIME", help="Begin no game after this time, such as 8h.", rich_help_panel=TIME
        ),
    ] = None,
    expect: Annotated[
        str | None,
        typer.Option(
            metavar="stronger|not-stronger",
            help="Where [judge] of CONFIG asks which engine is stronger: exit code 1 for the other answer.",
            rich_help_panel=OUTPUT,
        ),
    ] = None,
    new: Annotated[
        bool,
        typer.Option(
            "--new",
            help="Start a new run, even if the last run is unfinished. Without effect beside --out.",
            rich_help_panel=FILES,
        ),
    ] = False,
    events: EventLines = None,
    cluster: Cluster = None,
    sandbox: Sandbox = False,
    no_color: NoColor = False,
    quiet: Quiet = False,
) -> int:
    """Play a match between engines, and report which score alike.

    To continue a stopped match, run the same command again.
    """
    from harness.arena.folder.play import MatchSettings
    from harness.arena.run.stop import Stop

    options = {
        "games": games, "size": size, "komi": komi, "rules": rules, "scorer": scorer, "seed": seed,
        "workers": workers,
    }  # fmt: skip
    given = {name: value for name, value in options.items() if value is not None}
    if expect not in (None, *EXPECTED):
        raise UsageError(f"--expect takes {' or '.join(EXPECTED)}, not {expect!r}")
    with usage_errors_of_runs():
        stop = Stop(max_games, None if duration is None else seconds_of(duration))
        loaded = _load_config(config, engine or [], playouts, given)
        if sandbox:
            engines = tuple(table.model_copy(update={"sandbox": True}) for table in loaded.engine)
            loaded = loaded.model_copy(update={"engine": engines})
        if expect is not None and loaded.judge.kind == "parity":
            raise UsageError(
                'the question of this match is parity: --expect needs [judge] kind = "sprt" or "stronger"'
            )
        check_writable(or_printed=[events])
        console = console_for(no_color=no_color, to_stderr=events == STANDARD_OUTPUT)
        folder = _choose_folder(loaded, out, console, new=new)
        with EventFile(events) as event_file:
            settings = MatchSettings(loaded, folder, stop, cluster)
            again = _command_again(folder, out, new=new)
            code = _play(settings, console, event_file, expect, again, quiet=quiet)
        event_file.raise_problem()
        return code


def exit_code(verdicts: MatchVerdicts, *, complete: bool, expected: str | None = None) -> ExitCode:
    """Return 0: decided. 1: against the expectation, or a bot failed. 3: undecided. 130: interrupted.

    Parity expects equality. For other questions either answer is 0, unless `expected` is one of EXPECTED:
    then the other answer is 1.

    complete   False if Ctrl-C or a signal stopped the match; a limit of time or games does not count
    """
    from harness.arena.verdicts import AGAINST, IN_FAVOUR

    if not complete:
        return ExitCode.INTERRUPTED
    if verdicts.question.kind == "parity" or expected == "stronger":
        unexpected = AGAINST
    else:
        unexpected = frozenset() if expected is None else IN_FAVOUR
    if verdicts.any_failed or any(pair.verdict in unexpected for pair in verdicts.parity):
        return ExitCode.DEVIATES
    return ExitCode.CONFORMS if verdicts.decided else ExitCode.INCONCLUSIVE


def _play(
    settings: MatchSettings,
    console: Console,
    event_file: EventFile,
    expect: str | None,
    again: str,
    *,
    quiet: bool,
) -> ExitCode:
    """Play the match, print the verdicts and what to do next, and return the exit code.

    expect   value of --expect
    again    the command that continues the run, in words
    """
    from harness.arena.folder.play import follow, run_match
    from harness.cli.forecast import forecast
    from harness.cli.match_progress import MatchDisplay
    from harness.report.files.run_folder import RunFolder
    from harness.report.numbers import amount
    from harness.report.text.match_console import show_verdicts

    stop = settings.stop
    if not quiet and settings.cluster is None:
        # Ctrl-C ends it at once: nothing is played yet.
        console.print(forecast(settings.config, settings.folder))
    with stop_on_signals(stop, console.print), MatchDisplay(console, quiet=quiet) as display:
        outcome = follow(
            run_match(settings), RunFolder().handle, event_file.handler_of_match(), display.handle
        )
    show_verdicts(console, outcome.verdicts, quiet=quiet)
    # Benched engines get no more games; the match is complete without theirs.
    if outcome.benched and outcome.complete and outcome.left:
        names = " and ".join(outcome.benched)
        console.print(
            f"{amount(outcome.left, 'game')} not played, because {names} failed too often. Mend it and "
            f"{again} to play the rest; the failed games stay in the run. --new (without --out) "
            "starts a new run",
            soft_wrap=True,
        )
    if not outcome.complete:
        console.print(
            f"{'stopped' if stop.interrupted else stop.limit}; to continue, {again}", soft_wrap=True
        )
    if not quiet:
        console.print(f"the report is in {_report_of(settings)}", soft_wrap=True)
    complete = outcome.complete or not stop.interrupted
    return exit_code(outcome.verdicts, complete=complete, expected=expect)


def _report_of(settings: MatchSettings) -> Path:
    """Return the page of the run, or its folder if the config asks for no page."""
    if "html" not in settings.config.report.formats:
        return settings.folder
    from harness.report.html.run_page import FILE  # loaded when the page was written

    return settings.folder / FILE


def _command_again(folder: Path, out: Path | None, *, new: bool) -> str:
    """Return in words how to continue a run. With --new it takes --out: --new again starts another run."""
    if out is not None:
        return "run the same command again"
    named = f"--out {shlex.quote(str(folder))}"
    return f"run the same command with {named}" if new else f"run the same command again (or with {named})"


def _load_config(
    path: Path | None, engines: list[str], playouts: int | None, given: dict[str, Any]
) -> MatchConfig:
    """Load the config file, or make a config from --engine options. Raises UsageError and ConfigError.

    path       the config file; None without one
    engines    values of --engine
    playouts   value of --playouts, for these engines
    given      values of options that replace those of [run]
    """
    from harness.arena.config.reader import check_config, load_config

    if (path is None) == (not engines):
        raise UsageError("give either a config file, or --engine NAME=COMMAND at least twice")
    if path is not None:
        loaded = load_config(path)
        if playouts is not None:
            raise UsageError("--playouts applies only to --engine; set playouts in the config file instead")
        if not given:
            return loaded
        data = loaded.model_dump(exclude_unset=True, mode="json")
        return check_config({**data, "run": {**data.get("run", {}), **given}}, f"{path} with options")
    tables = []
    for text in engines:
        name, equals, command = text.partition("=")
        if not (name and equals and command):
            raise UsageError(f"--engine expects NAME=COMMAND, not {text!r}")
        tables.append({"name": name, "command": command} | ({"playouts": playouts} if playouts else {}))
    return check_config({"run": given, "engine": tables}, "--engine")


def _choose_folder(config: MatchConfig, out: Path | None, console: Console, *, new: bool) -> Path:
    """Return the folder of the run: --out, or that of the unfinished run of this config, or a new one.

    If the config of the unfinished run differs, a new run starts, and a note names the differences.
    Raises UsageError if --out is the folder of a schedule.
    """
    from harness.arena.folder.folder import unfinished_run
    from harness.arena.folder.scheduled_run import scheduled_runs

    if out is not None:
        if scheduled_runs(out):
            raise UsageError(f"{out} is the folder of a schedule: name another one, such as {out}-by-hand")
        return out
    earlier = None if new else unfinished_run(config, REPORTS)
    if earlier is not None and not earlier.differences:
        return earlier.folder
    folder = REPORTS / f"{config.run.name}-{datetime.now():%Y%m%d-%H%M%S}"
    if earlier is not None:
        console.print(
            f"{earlier.folder} is unfinished, but its config differs: {'; '.join(earlier.differences)}.\n"
            f"A new run starts in {folder}. To continue the unfinished one, stop this one and add "
            f"--out {shlex.quote(str(earlier.folder))}",
            soft_wrap=True,
        )
    return folder
