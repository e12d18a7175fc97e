"""`conform verify RUN`: plays the stored games of a match again with the referee."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from harness.cli.exits import ExitCode, UsageError
from harness.cli.options import NoColor, Quiet
from harness.report.numbers import amount

MOST_SHOWN = 20
"""Games with contradictions that are printed."""


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("verify")(verify)


def verify(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="The folder of a run, or its run.db.")],
    no_color: NoColor = False,
    quiet: Quiet = False,
) -> int:
    """Play the games of a stored match again with the referee.

    Moves, captures and results are compared on two boards that share no code.

    Exit code 0: everything agrees; 1: a game contradicts itself or the config; 2: the run is damaged or
    cannot be read.
    """
    from harness.arena.folder.errors import USER_ERRORS, describe_error
    from harness.arena.judge.verification import verify_games
    from harness.arena.store.store import DATABASE, Store
    from harness.gtp import printable

    folder = run.parent if run.name == DATABASE else run
    games = moves = captures = wrong = 0
    try:
        with Store.open(folder, read_only=True) as store:
            config = store.config()
            if config is None:
                raise UsageError(f"{folder}: no game has been played there yet")
            for game in verify_games(store, config):
                games, moves, captures = games + 1, moves + game.moves, captures + game.captures
                wrong += bool(game.contradictions)
                if game.contradictions and wrong <= MOST_SHOWN and not quiet:
                    typer.echo(printable(f"{game.game_id}: {'; '.join(game.contradictions)}".encode()))
    except USER_ERRORS as problem:
        raise UsageError(describe_error(problem)) from None
    if not quiet:
        moved = f"{amount(moves, 'move')}, {amount(captures, 'captured stone')}"
        typer.echo(f"{amount(games, 'game')}, {moved} played again")
    if wrong:
        typer.echo(f"{amount(wrong, 'game')} with contradictions to the rules or the config; expected none")
        return ExitCode.DEVIATES
    typer.echo(
        "every move is legal, every result follows from the moves, and every game is one of the schedule"
    )
    return ExitCode.CONFORMS
