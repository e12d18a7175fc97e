"""`conform serve [DIR]`: a live page of what runs and what has run below a folder."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from harness.cli.exits import ExitCode, UsageError
from harness.cli.status import REPORTS, check_folder

ADDRESS = "127.0.0.1"
PORT = 8008
EXTRA = ("starlette", "uvicorn", "anyio", "h11")
"""What the extra `serve` installs."""


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("serve")(serve)


def serve(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A folder of runs and reports.")] = REPORTS,
    address: Annotated[
        str, typer.Option(help="Address to listen on. Only this machine reaches the default.")
    ] = ADDRESS,
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port; 0 takes any that is free.")] = PORT,
) -> int:
    """Serve a live page of matches and checks below a folder. The page is read-only."""
    check_folder(folder)
    try:
        from harness.serve.server import CannotListenError
        from harness.serve.server import serve as run
    except ModuleNotFoundError as missing:
        package = (missing.name or "").partition(".")[0]
        if package not in EXTRA:
            raise
        raise UsageError(
            f"the live page needs {package}, which is not installed: install conform with its extra "
            "serve, or pip install starlette uvicorn; "
            "conform status prints the same as text"
        ) from None
    from harness.serve.hosts import is_loopback

    if not is_loopback(address):
        typer.echo(
            f"warning: everybody who reaches {address} can read the runs, the names and the command lines of "
            "the bots; there is no password and no encryption",
            err=True,
        )
    try:
        run(folder, address, port, lambda url: typer.echo(f"serving {folder} on {url} (Ctrl-C ends)"))
    except CannotListenError as problem:
        raise UsageError(str(problem)) from None
    except KeyboardInterrupt:
        pass  # the way it ends
    return ExitCode.INTERRUPTED
