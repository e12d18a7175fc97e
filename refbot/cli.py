"""The command `refbot`: the engine, and the tools around its playouts.

Heavy imports stand inside the commands, so that help and the engine's first answers come at once.
"""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from typing import Annotated, NoReturn

import typer

from refbot.faults import FAULTS, UnknownFaultError, checked

USAGE_ERROR = 2

app = typer.Typer(
    name="refbot",
    help="The reference bot: a GTP engine, and the fastest uniform playouts on a CPU.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,  # rich costs more time than the whole help
    pretty_exceptions_enable=False,
)

Size = Annotated[int, typer.Option(min=2, max=25, help="Board size.")]
Komi = Annotated[float, typer.Option(help="Points for White.")]
Seed = Annotated[
    int | None, typer.Option(min=0, help="Makes a run repeatable; without it every run differs.")
]
Threads = Annotated[int, typer.Option(min=1, help="Threads that play.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")]


@app.command()
def gtp(
    playouts: Annotated[int, typer.Option(min=1, help="Playouts a search.")] = 1000,
    seed: Seed = None,
    size: Size = 9,
    komi: Komi = 7.5,
    threads: Threads = 1,
    fault: Annotated[
        list[str] | None, typer.Option(help="Break one clause; see `refbot faults`. Repeatable.")
    ] = None,
) -> None:
    """Speak GTP on standard input and output. Without options: exactly the specification."""
    from refbot.gtp import Server, Session, Settings, run

    try:
        faults = checked(fault or [])
    except UnknownFaultError as error:
        _refuse(str(error))
    run(Server(Session(Settings(size, komi, playouts, seed, threads, faults))))


@app.command()
def faults(as_json: AsJson = False) -> None:
    """List the deliberate faults."""
    if as_json:
        _say(json.dumps([asdict(fault) for fault in FAULTS.values()], ensure_ascii=False, indent=1))
        return
    width = max(map(len, FAULTS))
    for clause in dict.fromkeys(fault.clause for fault in FAULTS.values()):
        _say(f"{clause}")
        for fault in FAULTS.values():
            if fault.clause == clause:
                _say(f"  {fault.name:{width}}  {fault.misconception}")


def _say(text: str) -> None:
    print(text)  # noqa: T201 - a command's result


def _refuse(message: str) -> NoReturn:
    print(f"refbot: {message}", file=sys.stderr)  # noqa: T201 - the one line a user's mistake gets
    raise typer.Exit(USAGE_ERROR)


def main() -> None:
    """The entry point."""
    app()


if __name__ == "__main__":
    main()
