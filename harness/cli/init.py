"""`conform init`: commented match configs to start from."""

from __future__ import annotations

from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Annotated

import typer

from harness.cli.exits import ExitCode, UsageProblem


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("init")(init)


def init(
    folder: Annotated[Path, typer.Argument(metavar="[DIR]", help="Where they are written.")] = Path(
        "configs"
    ),
    force: Annotated[bool, typer.Option("--force", help="Overwrite files that are there.")] = False,
) -> int:
    """Write commented match configs: quick, nightly, gauntlet."""
    written = []
    for source in sorted(examples(), key=lambda file: file.name):
        target = folder / source.name
        if target.exists() and not force:
            typer.echo(f"{target} is there already and is left alone (--force overwrites it)")
            continue
        try:
            folder.mkdir(parents=True, exist_ok=True)
            target.write_text(source.read_text("utf-8"), encoding="utf-8")
        except OSError as error:
            raise UsageProblem(f"cannot write {target}: {(error.strerror or str(error)).lower()}") from None
        written.append(target)
        typer.echo(f"wrote {target}")
    if written:
        typer.echo(f"next: put your bot into one of them, then conform match {written[-1]}")
    return ExitCode.CONFORMS


def examples() -> list[Traversable]:
    """The configs that come with the package; in a checkout they lie beside it."""
    package = files("harness")
    packed = package.joinpath("configs")
    folder = packed if packed.is_dir() else package.joinpath("../configs")
    return [file for file in folder.iterdir() if file.name.endswith(".toml")]
