"""Commands about a stored match: `report`, `audit` and `verify`."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from harness.cli.exits import GRAVITY, ExitCode, UsageError, usage_errors_of_runs
from harness.cli.options import Cluster, NoColor, Quiet, StoredRun, console_for
from harness.cli.paths import read_from
from harness.cli.printing import say
from harness.cli.signals import stop_on_signals
from harness.files import os_reason
from harness.report.numbers import amount
from refbot.compile.devices import DEVICES

if TYPE_CHECKING:
    from harness.arena.config.tables import Amount, MatchConfig
    from harness.arena.store.store import Store

MOST_SHOWN = 20
"""Number of games with contradictions that `verify` prints at most. Chosen: they fit on a screen."""


def report(
    run: Annotated[
        list[Path],
        typer.Argument(
            metavar="RUN", help="The folder of a run, or its run.db, or several; with --site, JSON reports."
        ),
    ],
    form: Annotated[
        list[str] | None,
        typer.Option(
            "--format",
            metavar="FORMAT",
            help="csv, sgf, gogui-dat …; may be repeated (default: the formats of its config).",
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Folder to write into (default: the folder of the run)."),
    ] = None,
    site: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Write a static site from reports of check --json: a table of engines, and badges.",
        ),
    ] = None,
    keep_sound: Annotated[
        bool,
        typer.Option(
            "--salvage",
            help="Keep the sound games of a damaged run. The damaged run.db stays beside the new one.",
        ),
    ] = False,
    no_color: NoColor = False,
    quiet: Quiet = False,
) -> int:
    """Write the files of stored matches again, without playing.

    With --site, write a static site from reports of check --json.
    """
    if site is not None:
        if form or out is not None or keep_sound:
            raise UsageError("--site is about reports of checks: leave out --format, --out and --salvage")
        return _write_site(run, site)
    from harness.arena.config.tables import REPORT_FORMATS

    unknown = [name for name in form or [] if name not in REPORT_FORMATS]
    if unknown:
        raise UsageError(f"unknown format {unknown[0]!r}; known: {', '.join(REPORT_FORMATS)}")
    if len(run) > 1 and out is not None:
        raise UsageError("--out takes the files of one RUN: give one, or leave --out out")

    def write(path: Path) -> int:
        folder = _folder(path)
        if keep_sound:
            with usage_errors_of_runs():
                _salvage(folder)
        return _write_run(folder, form, out, no_color=no_color, quiet=quiet)

    return write(run[0]) if len(run) == 1 else _write_each(run, write)


def _write_each(runs: list[Path], write: Callable[[Path], int]) -> ExitCode:
    """Write the files of each run that can be read; return the gravest exit code."""
    codes = set()
    for run in runs:
        say(f"{run}:")
        try:
            codes.add(ExitCode(write(run)))
        except UsageError as problem:
            say(f"conform: {problem}", err=True)
            codes.add(ExitCode.USAGE)
    return min(codes, key=(ExitCode.USAGE, *GRAVITY).index)


def _salvage(folder: Path) -> None:
    """Replace a damaged run.db by one with its sound games; print what was done."""
    from harness.arena.folder.salvage import salvage_run
    from harness.report.records.run_paths import remove_files_of

    found = salvage_run(folder)
    if found is None:
        typer.echo("the run is sound: nothing was changed")
        return
    saved, damaged = found
    remove_files_of(saved.lost, folder)
    say(f"{saved}; the damaged file is {damaged}. To play lost games again, continue the match")


def _write_site(files: list[Path], folder: Path) -> int:
    """Write a site from the JSON reports of checks in `files`, and return the exit code."""
    from harness.report.errors import ReportFileError
    from harness.report.html.site import INDEX, write_site
    from harness.report.records.stored_check import read_report

    try:
        bots = [bot for file in files for bot in read_report(read_from(file), str(file))]
        write_site(bots, folder)
    except ReportFileError as problem:
        raise UsageError(str(problem)) from None
    except OSError as problem:
        raise UsageError(f"cannot write {problem.filename}: {os_reason(problem)}") from None
    say(f"wrote {folder / INDEX}")
    return ExitCode.CONFORMS


def _write_run(folder: Path, form: list[str] | None, out: Path | None, *, no_color: bool, quiet: bool) -> int:
    """Judge a stored run, write its files and print the verdicts; return the exit code.

    form   names of formats; None: those of its config
    out    the folder to write into; None: that of the run
    """
    from harness.arena.judge.judge import judge
    from harness.arena.store.store import Store
    from harness.cli.match import exit_code
    from harness.report.files.match_run import write_run
    from harness.report.text.match_console import show_verdicts

    with usage_errors_of_runs(), Store.open(folder, read_only=True) as store:
        config = _config(store, folder)
        verdicts = judge(store, config)
        formats = form or config.report.formats
        write_run(store, verdicts, out or folder, formats)
    show_verdicts(console_for(no_color=no_color), verdicts, quiet=quiet)
    if not quiet:
        say(f"wrote {', '.join(formats)} into {out or folder}")
    return exit_code(verdicts, complete=True)


def audit(
    run: StoredRun,
    positions: Annotated[
        str,
        typer.Option(metavar="N|all|auto", help="Searches to audit; auto takes a tenth of the games' time."),
    ] = "all",
    workers: Annotated[
        int | None, typer.Option(min=1, help="Number of threads (default: one per core).")
    ] = None,
    cluster: Cluster = None,
    device: Annotated[
        str,
        typer.Option(
            metavar="|".join(DEVICES),
            help="Where refbot's playouts run; auto is a GPU if there is one that can play them.",
        ),
    ] = "cpu",
    no_color: NoColor = False,
    quiet: Quiet = False,
) -> int:
    """Compare the playouts of a stored match with refbot's.

    refbot plays from the position of each audited search. What the bot reported there is compared with these
    playouts, and in some positions the move that it chose, too.

    To continue a stopped audit, run the same command again.
    """
    from harness.arena.folder.audit import audit_run
    from harness.arena.run.stop import Stop
    from harness.arena.verdicts import ALL_PHASES
    from harness.cli.match_progress import audit_progress
    from harness.report.files.match_run import write_run
    from harness.report.text.match_console import show_audit

    folder, wanted = _folder(run), _positions(positions)
    if cluster is not None and device != "cpu":
        raise UsageError("--device chooses a device of this machine; with --cluster, other machines play")
    console, stop = console_for(no_color=no_color), Stop()
    with (
        usage_errors_of_runs(),
        stop_on_signals(stop, console.print),
        audit_progress(console, quiet=quiet) as progress,
    ):
        outcome = audit_run(
            folder,
            wanted,
            write_run,
            stop=stop,
            workers=workers,
            cluster=cluster,
            device=device,
            handle=progress,
        )
    show_audit(console, outcome.verdicts)
    if not outcome.complete:
        console.print(f"stopped; to continue, run conform audit {shlex.quote(str(folder))} again")
        return ExitCode.INTERRUPTED
    rows = outcome.verdicts.playouts
    if any(row.differs for row in rows):
        return ExitCode.DEVIATES
    audited = [row for row in rows if row.phase == ALL_PHASES]
    decided = audited and all(row.verdict == row.score_verdict == "equal" for row in audited)
    return ExitCode.CONFORMS if decided else ExitCode.INCONCLUSIVE


def _positions(text: str) -> Amount:
    """Parse the value of --positions. Raises UsageError."""
    if text in ("all", "auto"):
        return "all" if text == "all" else "auto"
    if text.isascii() and text.isdigit() and int(text) > 0:
        return int(text)
    raise UsageError(f"--positions expects a number above 0, all or auto, not {text!r}")


def verify(run: StoredRun, no_color: NoColor = False, quiet: Quiet = False) -> int:
    """Play the games of a stored match again with the referee.

    Moves, captures and results are compared on two boards that share no code.

    Exit code 0: everything agrees; 1: a game contradicts itself or the config; 2: the run is damaged or
    cannot be read.
    """
    from harness.arena.judge.verification import verify_games
    from harness.arena.store.store import Store
    from harness.gtp import printable

    folder = _folder(run)
    games = moves = captures = wrong = reported = 0
    with usage_errors_of_runs(), Store.open(folder, read_only=True) as store:
        for game in verify_games(store, _config(store, folder)):
            games += 1
            moves += game.moves
            captures += game.captures
            reported += game.reported
            wrong += bool(game.contradictions)
            if game.contradictions and wrong <= MOST_SHOWN and not quiet:
                typer.echo(printable(f"{game.game_id}: {'; '.join(game.contradictions)}".encode()))
    if not quiet:
        moved = f"{amount(moves, 'move')}, {amount(captures, 'captured stone')}"
        typer.echo(f"{amount(games, 'game')}, {moved} played again")
    if wrong:
        typer.echo(f"{amount(wrong, 'game')} with contradictions to the rules or the config; expected none")
        return ExitCode.DEVIATES
    said = f" or, in {amount(reported, 'game')}, from a score that engines reported" if reported else ""
    typer.echo(
        f"every move is legal, every result follows from the moves{said}, "
        "and every game is one of the schedule"
    )
    return ExitCode.CONFORMS


def _folder(run: Path) -> Path:
    """Return the folder of a run. `run`: this folder or its run.db. Raises UsageError for a schedule."""
    from harness.arena.folder.scheduled_run import scheduled_runs
    from harness.arena.store.store import DATABASE

    if run.name == DATABASE or run.is_file():
        return run.parent
    if not (run / DATABASE).exists() and (runs := scheduled_runs(run)):
        raise UsageError(
            f"{run} is the folder of a schedule: name one of its runs, such as {runs[-1].folder}"
        )
    return run


def _config(store: Store, folder: Path) -> MatchConfig:
    """Return the config of a stored run. Raises UsageError if no game of it is stored yet."""
    config = store.config()
    if config is None:
        raise UsageError(f"{folder}: no game has been played there yet: play the match first (conform match)")
    return config
