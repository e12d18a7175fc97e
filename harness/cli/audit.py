"""`conform audit RUN`: compares a stored match with refbot's playouts in the same positions."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from harness.cli.exits import ExitCode, UsageError
from harness.cli.options import Cluster, NoColor, Quiet, console_for
from harness.cli.stopping import signals_stop

if TYPE_CHECKING:
    from harness.arena.config.tables import Amount


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("audit")(audit)


def audit(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="The folder of a run, or its run.db.")],
    positions: Annotated[
        str,
        typer.Option(metavar="N|all|auto", help="Searches to audit; auto takes a tenth of the games' time."),
    ] = "all",
    workers: Annotated[
        int | None, typer.Option(min=1, help="Number of threads (default: one per core).")
    ] = None,
    cluster: Cluster = None,
    no_color: NoColor = False,
    quiet: Quiet = False,
) -> int:
    """Compare the playouts of a stored match with refbot's.

    Moves and playouts of each search are compared with those of refbot in the same position.

    A stopped audit continues when the same command is run again.
    """
    from harness.arena.folder.errors import USER_ERRORS, describe_error

    folder = run.parent if run.is_file() else run
    try:
        return _audit(folder, _amount(positions), workers, cluster, no_color=no_color, quiet=quiet)
    except USER_ERRORS as problem:
        if isinstance(problem, OSError) and problem.filename is None:
            raise  # about no file: main says what this machine lacks, or it is a bug
        raise UsageError(describe_error(problem)) from None


def _audit(
    folder: Path, amount: Amount, workers: int | None, cluster: str | None, *, no_color: bool, quiet: bool
) -> int:
    from harness.arena.folder.audit import audit_run
    from harness.arena.run.coordinator import Stop
    from harness.arena.verdicts import ALL_PHASES
    from harness.cli.watching import audit_progress
    from harness.report.files.match_run import write_run
    from harness.report.text.match_console import show_audit

    console = console_for(no_color=no_color)
    stop = Stop()
    with signals_stop(stop, console.print), audit_progress(console, quiet=quiet) as progress:
        outcome = audit_run(
            folder, amount, write_run, stop=stop, workers=workers, cluster=cluster, handle=progress
        )
    show_audit(console, outcome.verdicts)
    if not outcome.complete:
        console.print(f"stopped; to continue, run conform audit {folder} again")
        return ExitCode.INTERRUPTED
    rows = outcome.verdicts.playouts
    if any(row.differs for row in rows):
        return ExitCode.DEVIATES
    audited = [row for row in rows if row.phase == ALL_PHASES]
    decided = audited and all(row.verdict == row.score_verdict == "equal" for row in audited)
    return ExitCode.CONFORMS if decided else ExitCode.INCONCLUSIVE


def _amount(text: str) -> Amount:
    if text in ("all", "auto"):
        return "all" if text == "all" else "auto"
    if text.isascii() and text.isdigit() and int(text) > 0:
        return int(text)
    raise UsageError(f"--positions expects a number above 0, all or auto, not {text!r}")
