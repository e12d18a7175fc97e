"""The result of `conform explore` (generated sessions and positions) for a console and as JSON."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from harness import __version__
from harness.explore.coverage import Coverage
from harness.explore.exploration import MOST_FOUND, Exploration
from harness.gtp import printable_text
from harness.report.numbers import amount, duration_text, listed
from harness.report.quoting import shell_argument
from harness.report.text.console import show_failure
from harness.report.text.failure_text import CommandParts
from harness.report.visible import safe

FORMAT = "conform-exploration/1"
MOST_SHOWN = 12
"""Names in one row of the coverage. Chosen: they fit two lines; the JSON has all."""

NOT_COUNTED = "not seen again in a new process, or a silence while other processes kept the machine busy"
"""Reasons why a deviation is not counted."""


def show_exploration(
    console: Console, exploration: Exploration, seed: int, options: str = "", *, quiet: bool
) -> None:
    """Print each deviation like a failed check, then the coverage, then the verdict.

    If the bot cannot be explored, the reason takes the place of coverage and verdict.

    options   the other options of the command, as in the shell
    quiet     print only the verdict, unless the bot cannot be explored
    """
    if quiet and not exploration.unusable:
        _print_line(console, _verdict(exploration))
        return
    again = f"conform explore {shell_argument(exploration.command)} --seed {seed} {options}".rstrip()
    for result in exploration.results:
        show_failure(console, result, CommandParts(exploration.command, seed, inline=True, again=again))
    if exploration.unusable:
        _print_line(console, f"{_name(exploration)} cannot be explored: {exploration.unusable}")
        if exploration.hint:
            _print_line(console, exploration.hint)
        return
    console.print(Padding(_coverage_table(exploration.coverage), (0, 0, 1, 0)))
    if exploration.unconfirmed:
        ignored = amount(exploration.unconfirmed, "deviation")
        _print_line(console, f"{ignored} not counted: {NOT_COUNTED}")
    _print_line(console, _verdict(exploration))


def progress_text(exploration: Exploration) -> str:
    """The progress of an exploration, in one line."""
    coverage = exploration.coverage
    found = f", {amount(len(exploration.results), 'deviation')}" if exploration.results else ""
    positions = coverage.positions.total()
    return (
        f"exploring, {amount(coverage.sessions, 'session')}, {amount(positions, 'position')}, "
        f"{amount(coverage.searches, 'search')}{found}"
    )


def as_json(exploration: Exploration, seed: int) -> str:
    """The exploration as one JSON document, format `conform-exploration/1`."""
    coverage, abilities = exploration.coverage, exploration.abilities
    data: dict[str, Any] = {
        "format": FORMAT,
        "tool": {"version": __version__},
        "command": exploration.command,
        "name": exploration.name,
        "version": exploration.version,
        "playouts": exploration.count.playouts,
        "seed": seed,
        "seconds": round(exploration.seconds, 3),
        "sizes": list(abilities.sizes) if abilities is not None else [],
        "coverage": {
            "sessions": coverage.sessions,
            "searches": coverage.searches,
            **{
                name: dict(sorted(getattr(coverage, name).items()))
                for name in ("commands", "refusals", "positions", "judged")
            },
        },
        "unconfirmed": exploration.unconfirmed,
        "unusable": exploration.unusable,
        "deviations": [
            {
                "check": result.check.id,
                "clause": result.clause,
                "outcome": str(result.outcome),
                "expected": result.judgement.expected,
                "observed": result.judgement.observed,
                "reproduce": result.reproduce,
                "transcript": result.transcript,
            }
            for result in exploration.results
        ],
    }
    return json.dumps(data, indent=1, ensure_ascii=True) + "\n"


def _verdict(exploration: Exploration) -> str:
    """The verdict on the bot in one line."""
    name, found = _name(exploration), len(exploration.results)
    stopped = ", interrupted" if exploration.interrupted else ""
    after = f"after {duration_text(exploration.seconds)}{stopped}"
    if not found:
        return f"{name}: no deviation found {after}"
    full = f"; it stops at {MOST_FOUND}: explore again when they are mended" if found >= MOST_FOUND else ""
    return f"{name} DEVIATES: {amount(found, 'deviation')} found {after}{full}"


def _name(exploration: Exploration) -> str:
    return printable_text(exploration.name or exploration.command)


def _coverage_table(coverage: Coverage) -> Table:
    """The numbers of sessions and searches, and the most frequent names of each kind."""
    table = Table.grid(padding=(0, 2))
    table.add_column(style="dim")
    table.add_column(overflow="fold")
    table.add_row("sessions", str(coverage.sessions))
    table.add_row("searches", str(coverage.searches))
    for label, counts in (
        ("commands", coverage.commands),
        ("refused", coverage.refusals),
        ("positions", coverage.positions),
        ("judged", coverage.judged),
    ):
        if counts:
            table.add_row(label, Text(_listed(counts)))
    return table


def _listed(counts: Counter[str]) -> str:
    return listed([f"{name} {number}" for name, number in counts.most_common()], MOST_SHOWN, ", and")


def _print_line(console: Console, text: str) -> None:
    console.print(Text(safe(text)), soft_wrap=True)
