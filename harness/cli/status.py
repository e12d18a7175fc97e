"""`conform status` lists the runs and checks in a folder and below; `conform serve` shows them as a page."""

from __future__ import annotations

import json
import shutil
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from harness.cli.exits import ExitCode, UsageError
from harness.cli.paths import REPORTS

if TYPE_CHECKING:
    from harness.serve.reading import Reading

FORMAT = "conform-status-list/1"
NEWEST = 20
"""Number of entries that `status` prints without --all. Chosen: they fit on a screen."""
ADDRESS = "127.0.0.1"
"""The address of `serve`. Chosen: only this machine reaches it."""
PORT = 8008
"""The port of `serve`. Chosen: every user may listen there, and few programs do."""
EXTRA = ("starlette", "uvicorn", "anyio", "h11")
"""The packages that the extra `serve` installs."""


def status(
    folder: Annotated[
        Path, typer.Argument(metavar="DIR", help="A folder of runs and reports, or of one run.")
    ] = REPORTS,
    as_json: Annotated[bool, typer.Option("--json", help="Print everything as JSON.")] = False,
    everything: Annotated[
        bool, typer.Option("--all", help=f"Print all entries, not only the {NEWEST} newest.")
    ] = False,
    problems: Annotated[
        bool,
        typer.Option("--problems", help="Print, of all entries, what was stopped, given up or is damaged."),
    ] = False,
) -> int:
    """Print what runs and what has run below a folder."""
    readings, others = read_newest(folder, None if everything or as_json or problems else NEWEST)
    total = len(readings)
    if problems:
        readings = [reading for reading in readings if reading.troubled]
    if as_json:
        typer.echo(json.dumps(_json_data(folder, readings), indent=1))
        return ExitCode.CONFORMS
    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else None
    for line in _lines(folder, readings, width, others) if readings or not total else ():
        typer.echo(line)
    if problems and total:
        typer.echo(_count_of_problems(readings, total))
    return ExitCode.CONFORMS


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
        pass  # Ctrl-C ends the server, and so does SIGTERM, without this exception
    return ExitCode.INTERRUPTED


def read_newest(folder: Path, most: int | None = None) -> tuple[list[Reading], int]:
    """Read the runs and checks below a folder: running ones first, then the newest. Raises UsageError.

    Return (readings, number of runs and checks that were not read). `most`: limit of the readings; None: no
    limit.
    """
    from harness.serve.index import RunIndex
    from harness.serve.places import Finder
    from harness.serve.reading import Reader

    check_folder(folder)
    places = Finder(folder).find().values()
    readings = Reader(RunIndex()).newest(places, len(places) if most is None else most)
    return readings, len(places) - len(readings) if most is not None else 0


def check_folder(folder: Path) -> None:
    """Raise UsageError unless the folder exists."""
    if not folder.is_dir():
        raise UsageError(
            f"{folder} is not a folder: give the folder of your runs; conform match makes {REPORTS}/"
        )


def _lines(folder: Path, readings: list[Reading], width: int | None, others: int = 0) -> Iterator[str]:
    """The lines of the readings. `others`: the number of entries that are not among them."""
    from harness.report.text.status_text import run_tables, shown

    if not readings:
        place = shown(str(folder))
        yield (
            f"nothing has run below {place}: conform match writes runs into {REPORTS}/, "
            "conform check --json FILE a report into FILE"
        )
        return
    for reading in readings:
        yield from _entry(reading, width)
    if others:
        yield f"{_entries(others)} not shown; --all prints them, --problems what was stopped or is damaged"
    if len(readings) == 1 and (run := readings[0].run) is not None:
        yield from run_tables(run, width)


def _count_of_problems(readings: list[Reading], total: int) -> str:
    """The number of entries in each state that is a problem, in one line."""
    from harness.report.status.phase import COMPLETE

    states = Counter(
        "with a damaged status.json" if reading.phase is COMPLETE else reading.phase.word
        for reading in readings
    )
    found = ", ".join(f"{number:,} {state}" for state, number in states.most_common()) or "no problem"
    return f"{found}, of {_entries(total)}"


def _entries(number: int) -> str:
    """The number with its noun: "1 entry", "12 entries"."""
    return f"{number:,} entr{'y' if number == 1 else 'ies'}"


def _entry(reading: Reading, width: int | None) -> Iterator[str]:
    """The lines of one run, check or report."""
    from harness.report.text.status_text import check_sentences, entry, report_sentences, run_sentences, shown

    sentences: list[str] = []
    if reading.run is not None:
        sentences = run_sentences(reading.run, reading.phase)
    elif reading.check is not None:
        sentences = check_sentences(reading.check, reading.phase)
    elif reading.reports:
        sentences = report_sentences(reading.reports)
    if reading.problem:
        sentences.append(shown(reading.problem))
    yield from entry(reading.phase, reading.place.title, sentences, width)


def _json_data(folder: Path, readings: list[Reading]) -> dict[str, Any]:
    """The readings as plain data, in the format FORMAT."""
    return {
        "format": FORMAT,
        "folder": str(folder),
        "entries": [
            {
                "kind": str(reading.place.kind),
                "path": str(reading.place.path),
                "state": reading.phase.word,
                "problem": reading.problem or None,
                "run": reading.run.model_dump() if reading.run is not None else None,
                "check": reading.check.model_dump() if reading.check is not None else None,
                "verdicts": [
                    {"bot": report.name or report.command, "verdict": report.verdict}
                    for report in reading.reports
                ],
            }
            for reading in readings
        ],
    }
