"""The kill matrix: on the terminal, and as docs/kill-matrix.md."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from rich.console import Console
from rich.text import Text

from harness import __version__
from harness.check.judges.moments import BETA
from harness.diagnosis.cause import CauseKind
from harness.report.numbers import amount
from harness.report.tables import Column, FittingTable
from harness.selftest.at_margin import PassRate
from harness.selftest.kill_matrix import Kill
from harness.selftest.simulation import RefusalRate, clopper_pearson
from refbot.deviations.faults import FAULTS

MOST_NAMED = 3
"""Checks that are named for a fault; how many more there are is said."""

CONFIDENCE = 0.95


@dataclass(frozen=True)
class Setting:
    """Under which conditions the matrix was made."""

    checks: int
    playouts: int  # a search
    seconds: float  # for the searches of each bot
    seed: int
    hosted: bool = False  # the bots' servers were talked to without processes


@dataclass(frozen=True)
class Matrix:
    """Everything that a self-test found out."""

    kills: Sequence[Kill]
    idle: Sequence[str]  # checks that killed nothing; empty for a sample of faults
    refusals: RefusalRate | None
    full: bool
    setting: Setting
    at_margin: Sequence[PassRate] = ()

    @property
    def faults(self) -> list[Kill]:
        """The runs with a fault."""
        return [kill for kill in self.kills if kill.fault]

    @property
    def passed(self) -> bool:
        """Every fault caught by a check of its clause, the right bot by none."""
        return all(kill.right for kill in self.kills)


def show_matrix(console: Console, matrix: Matrix, *, quiet: bool, verbose: bool) -> None:
    """Print the table, unless `quiet`, then the rates. A fault that went wrong is shown in any case."""
    table = FittingTable(
        "",
        Column("fault", folded=True),
        Column("clause", folded=True, rank=1),
        Column("caught by", folded=True),
        Column("behaves like", folded=True),
    )
    for kill in matrix.kills:
        if quiet and kill.right:
            continue
        if verbose or not matrix.full or not kill.right or not (kill.diagnosed or not kill.fault):
            style = "" if kill.right else "bold red"
            table.add_row(kill.fault or "(right bot)", kill.clause, _caught(kill), _like(kill), style=style)
    if table.row_count:
        console.print(table)
    for line in summary(matrix):
        console.print(Text(line))


def summary(matrix: Matrix) -> list[str]:
    """The rates in sentences."""
    faults = matrix.faults
    lines = []
    if faults:
        lines = [
            _rate("faults refused", sum(kill.refused for kill in faults), len(faults)),
            _rate("  by a check of the right clause", sum(kill.right for kill in faults), len(faults)),
            _rate("  with the right fault named first", sum(k.named for k in faults), len(faults)),
            _rate("  with the right clause named first", sum(k.diagnosed for k in faults), len(faults)),
            _rate("  the same, with the fault and its twins unknown", _found(faults), len(faults)),
            *_about_headlines(faults),
        ]
    wrong = [kill.fault for kill in faults if not kill.right]
    if wrong:
        lines.append(f"not caught by a check of their clause: {', '.join(wrong)}")
    for kill in matrix.kills:
        if not kill.fault:
            failing = ", ".join(failing.check for failing in kill.failing)
            lines.append(f"the right bot: {kill.verdict}" + (f", failing {failing}" if failing else ""))
    if matrix.full and matrix.idle:
        lines.append(f"{amount(len(matrix.idle), 'check')} caught nothing: {', '.join(matrix.idle)}")
    if matrix.refusals is not None:
        rate = matrix.refusals
        low, high = rate.interval(CONFIDENCE)
        lines.append(
            f"right bots refused: {rate.refused} of {rate.runs} simulated checks, "
            f"{low:.2%} to {high:.2%} with {CONFIDENCE:.0%} confidence; promised at most 0.1 %"
        )
        if rate.by:
            lines.append(f"right bots were refused by: {', '.join(rate.by)}")
    if matrix.at_margin:
        lines.append(_about_margins(matrix.at_margin))
    return lines


def _about_margins(rates: Sequence[PassRate]) -> str:
    """How many bots passed though one mean was off by its whole margin."""
    passed, runs = sum(rate.passed for rate in rates), sum(rate.runs for rate in rates)
    worst = max(rates, key=lambda rate: rate.passed / rate.runs)
    return (
        f"{_rate('bots off by a whole margin that passed', passed, runs)}, at {len(rates)} margins; "
        f"most at {worst.check}, {worst.statistic}: {worst.passed} of {worst.runs}; "
        f"promised at most {BETA:.0%}"
    )


def as_markdown(matrix: Matrix) -> str:
    """The matrix as a page; nothing in it depends on the machine."""
    setting = matrix.setting
    lines = [
        "# Kill matrix",
        "",
        "Made by `make matrix` (`conform selftest --full --write FILE`); not edited by hand. Each row is the",
        "reference bot with one deliberate fault (`refbot faults` lists what it gets wrong), run through",
        "`conform check`. Checks of the fault's own clause come first.",
        "",
        f"conform {__version__}, {amount(setting.checks, 'check')}, seed {setting.seed}, "
        f"budget {setting.seconds:g} s, {setting.playouts:,} playouts a search, {_where(setting)}. "
        "How each rate is measured: [statistics.md](statistics.md#what-the-self-test-measures).",
        "",
        *(f"- {line.strip()}" for line in summary(matrix)),
        "",
        "| fault | clause | caught by | behaves like |",
        "|---|---|---|---|",
    ]
    for kill in matrix.kills:
        cells = (kill.fault or "(right bot)", kill.clause, _caught(kill), _like(kill))
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _where(setting: Setting) -> str:
    return "the bots hosted by the self-test itself" if setting.hosted else "each bot a process"


def _caught(kill: Kill) -> str:
    """The failing checks, those of the right clause first."""
    own = [failing.check for failing in kill.by_clause]
    others = [failing.check for failing in kill.failing if failing.check not in own]
    if not own and not others:
        return kill.reason or ("-" if not kill.fault else "nothing")
    named = own[:MOST_NAMED] if own else [f"({check})" for check in others[:MOST_NAMED]]
    more = len(own) + len(others) - len(named)
    return ", ".join(named) + (f" and {more} more" if more else "")


def _like(kill: Kill) -> str:
    """The first cause, with its probability, and the clause that is named without knowledge of the fault."""
    if not kill.causes:
        return "-"
    first = kill.causes[0]
    name = f"clause {first.clause}" if first.kind is not CauseKind.FAULT else first.name
    blind = "" if kill.found_without else f" (unknown: {kill.left_out or 'nothing'})"
    return f"{name} {first.probability:.2f}{blind}"


def _found(faults: Sequence[Kill]) -> int:
    return sum(kill.found_without for kill in faults)


def _about_headlines(faults: Sequence[Kill]) -> list[str]:
    """How right the headline is for faults of the wire, and how many checks they fail."""
    wire = [kill for kill in faults if FAULTS[kill.fault].where == "wire"]
    if not wire:
        return []
    failing = median(len(kill.failing) for kill in wire)
    causes = median(len(kill.causes) for kill in wire)
    return [
        _rate("faults of the wire with the right headline", sum(kill.headed for kill in wire), len(wire)),
        f"faults of the wire: median number of failing checks {failing:g}, of causes {causes:g}",
    ]


def _rate(what: str, events: int, runs: int) -> str:
    low, high = clopper_pearson(events, runs, CONFIDENCE)
    return f"{what}: {events} of {runs} ({events / runs:.1%}, {low:.1%} to {high:.1%})"
