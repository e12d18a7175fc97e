"""`conform init`: commented match configs to start from."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from harness.cli.exits import ExitCode, UsageError
from harness.files import replaced

FIRST = "quick.toml"
"""The config that the next step names."""


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("init")(init)


def init(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Folder to write into.")] = Path("configs"),
    force: Annotated[bool, typer.Option("--force", help="Overwrite existing files.")] = False,
) -> int:
    """Write commented match configs to start from.

    quick, nightly and gauntlet, and in the folder seeds the matches of the published experiments.
    """
    from harness.arena.config.examples import example_names, example_text

    written = False
    for name in example_names():
        target = folder / name
        if target.exists() and not force:
            typer.echo(f"{target} exists and was left unchanged (--force overwrites it)")
            continue
        try:
            with replaced(target) as file:
                file.write(example_text(name))
        except OSError as error:
            raise UsageError(f"cannot write {target}: {(error.strerror or str(error)).lower()}") from None
        written = True
        typer.echo(f"wrote {target}")
    if written:
        typer.echo(
            f"next: put the command of your bot into a config, then run: conform match {folder / FIRST}"
        )
    return ExitCode.CONFORMS
