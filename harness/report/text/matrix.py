"""The kill matrix, on the terminal and as docs/kill-matrix.md: which checks catch which deliberate fault.

A kill (`harness.selftest.kill_matrix.Kill`) is the result of the checks on one bot with one fault. Its twins
are other faults with the same effects. A fault of the wire is one in reading or answering commands. A margin
is the deviation from which a bot should not pass a statistical check. `show_matrix` prints the matrix of
`conform selftest`, `as_markdown` writes the page.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
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
from harness.selftest.kill_matrix import Case, Kill, is_of_command, shows_in_searches
from harness.selftest.pairs import PairDiagnosis
from harness.selftest.simulation import RefusalRate, clopper_pearson
from refbot.deviations.faults import FAULTS

MOST_NAMED = 3
"""Checks that a row names, before the number of the others. Chosen: they fit a line."""

CONFIDENCE = 0.95
"""Confidence of the intervals of the rates."""


@dataclass(frozen=True)
class Setting:
    """The conditions under which the matrix was made."""

    checks: int  # their number
    playouts: int  # per search
    budget: str  # of the check of each bot
    seed: int
    hosted: bool = False  # the self-test ran the bots in its own process


@dataclass(frozen=True)
class Matrix:
    """The results of a self-test."""

    kills: Sequence[Kill]  # one for each fault, and one for the right bot, whose fault is ""
    idle: Sequence[str]  # checks that caught no fault; empty for a sample of faults
    refusals: RefusalRate | None  # of simulated right bots; None if none was simulated
    full: bool  # all faults were tried, or all that --only selects; not one of each clause
    setting: Setting
    at_margin: Sequence[PassRate] = ()  # of simulated bots that were off by a whole margin
    compared: Sequence[Kill] = ()  # results at all numbers of playouts; empty if there was one number
    pairs: Sequence[PairDiagnosis] = ()  # of bots with two faults

    @property
    def faults(self) -> list[Kill]:
        """The results for bots with a fault."""
        return [kill for kill in self.kills if kill.fault]

    @property
    def of_commands(self) -> list[Kill]:
        """The results for bots with a fault of an optional command, in the profile gtp."""
        return [kill for kill in self.faults if is_of_command(kill.fault)]

    @property
    def of_reference(self) -> list[Kill]:
        """The results for bots with another fault, in the profile reference."""
        return [kill for kill in self.faults if not is_of_command(kill.fault)]

    @property
    def passed(self) -> bool:
        """True if each fault was caught by a check of its clause, and the right bot by no check."""
        return all(kill.right for kill in self.kills)


RATES: Mapping[str, Callable[[Kill], bool]] = {
    "faults refused": lambda kill: kill.refused,
    "  by a check of the right clause": lambda kill: kill.right,
    "  with the right fault named first": lambda kill: kill.names_fault,
    "  with the right clause named first": lambda kill: kill.names_clause,
    "  the same, with the fault and its twins unknown": lambda kill: kill.names_clause_if_unknown,
}
"""The rates of the summary: label, and which faults count."""


FOUND: Mapping[str, Callable[[Kill], bool]] = {
    "fault": lambda kill: kill.names_fault,
    "clause": lambda kill: kill.names_clause,
    "refused": lambda kill: kill.refused,
}
"""The ways of finding a fault, the best first: it is named first, its clause is, or the bot is refused."""


BY_PLAYOUTS: Mapping[str, Callable[[Kill], bool]] = {
    "refused": FOUND["refused"],
    "clause first": FOUND["clause"],
    "fault first": FOUND["fault"],
    "if unknown": lambda kill: kill.names_clause_if_unknown,
}
"""The rates by the number of playouts: heading, and which faults count."""


HEAD = ("| fault | clause | caught by | behaves like |", "|---|---|---|---|")
"""The head of a Markdown table of faults."""


def show_matrix(console: Console, matrix: Matrix, *, quiet: bool, verbose: bool) -> None:
    """Print a table, the sentences of `summary`, and the tables by the number of playouts (in Markdown).

    The first table has all results of a sample or if `verbose`, else those that went wrong: the fault was not
    caught, or its clause is not named first. `quiet` leaves out the rows of faults that were caught, and of
    a right bot without a failure.
    """
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
        went_well = kill.right and (kill.names_clause or not kill.fault)
        if verbose or not matrix.full or not went_well:
            style = "" if kill.right else "bold red"
            table.add_row(
                kill.fault or "(right bot)", kill.clause, _caught_by(kill), _behaves_like(kill), style=style
            )
    if table.row_count:
        console.print(table)
    for line in summary(matrix):
        console.print(Text(line))
    for line in _playout_tables(matrix.compared):
        console.print(Text(line))


def summary(matrix: Matrix) -> list[str]:
    """The rates, and the wrong results, in sentences."""
    faults, lines = matrix.faults, []
    lines += _rates(matrix.of_reference)
    lines += _headline_rates("faults of the wire", [k for k in faults if FAULTS[k.fault].where == "wire"])
    if matrix.of_commands:
        lines.append(f"faults of optional commands, in the profile gtp: {len(matrix.of_commands)}")
        lines += _rates(matrix.of_commands)
        lines += _headline_rates("faults of optional commands", matrix.of_commands)
    wrong = [kill.fault for kill in faults if not kill.right]
    if wrong:
        lines.append(f"not caught by a check of their clause: {', '.join(wrong)}")
    for kill in matrix.kills:
        if not kill.fault:
            failing = ", ".join(one.check for one in kill.failing)
            lines.append(f"the right bot: {kill.verdict}" + (f", failing {failing}" if failing else ""))
    if matrix.full and matrix.idle:
        lines.append(f"{amount(len(matrix.idle), 'check')} caught nothing: {', '.join(matrix.idle)}")
    if matrix.refusals is not None:
        lines += _refusal_sentences(matrix.refusals)
    if matrix.pairs:
        lines += _pair_sentences(matrix.pairs)
    if matrix.at_margin:
        lines.append(_margin_sentence(matrix.at_margin))
    return lines


def _rates(faults: Sequence[Kill]) -> list[str]:
    """The rates of RATES among these faults; none without faults."""
    if not faults:
        return []
    return [_rate(what, sum(map(is_counted, faults)), len(faults)) for what, is_counted in RATES.items()]


def _refusal_sentences(rate: RefusalRate) -> list[str]:
    """How often simulated right bots were refused, and by which checks."""
    low, high = rate.interval(CONFIDENCE)
    lines = [
        f"right bots refused: {rate.refused} of {rate.runs} simulated checks, "
        f"{low:.2%} to {high:.2%} with {CONFIDENCE:.0%} confidence; promised at most 0.1 %"
    ]
    return lines + ([f"right bots were refused by: {', '.join(rate.by)}"] if rate.by else [])


def _margin_sentence(rates: Sequence[PassRate]) -> str:
    """How often bots passed that were off by a whole margin, and the check that passed most of them."""
    passed, runs = sum(rate.passed for rate in rates), sum(rate.runs for rate in rates)
    worst = max(rates, key=lambda rate: rate.passed / rate.runs)
    return (
        f"{_rate('bots off by a whole margin that passed', passed, runs)}, at {len(rates)} margins; "
        f"most at {worst.check}, {worst.statistic}: {worst.passed} of {worst.runs}; "
        f"promised at most {BETA:.0%}"
    )


def _headline_rates(what: str, faults: Sequence[Kill]) -> list[str]:
    """The rate of right headlines, and how many checks fail; none without faults."""
    if not faults:
        return []
    right = sum(kill.headline_is_right for kill in faults)
    checks, causes = median(len(k.failing) for k in faults), median(len(k.causes) for k in faults)
    return [
        _rate(f"{what} with the right headline", right, len(faults)),
        f"{what}: median number of failing checks {checks:g}, of causes {causes:g}",
    ]


def _pair_sentences(pairs: Sequence[PairDiagnosis]) -> list[str]:
    """The rates for bots with two faults, and the pairs of which the first two causes miss a clause."""
    both = sum(pair.names_both for pair in pairs)
    lines = [_rate("two faults at once, both clauses among the first two causes", both, len(pairs))]
    shown = [pair for pair in pairs if pair.shows_both]
    if shown:
        lines.append(
            _rate("  where a check of each clause failed", sum(p.names_both for p in shown), len(shown))
        )
    missed = [
        f"{' + '.join(p.faults)} ({', '.join(p.named) or 'nothing'})" for p in shown if not p.names_both
    ]
    if missed:
        lines.append(f"  pairs of which a clause is not among them (named instead): {'; '.join(missed)}")
    return lines


def as_markdown(matrix: Matrix) -> str:
    """The matrix as a Markdown page; it has no times, so that all machines write the same page."""
    setting = matrix.setting
    where = "the bots hosted by the self-test itself" if setting.hosted else "each bot a process"
    lines = [
        "# Kill matrix",
        "",
        "Made by `conform selftest --full --write FILE` (`make matrix`); not edited by hand. Each row is the",
        "reference bot with one deliberate fault (`refbot faults` lists what it gets wrong), run through",
        "`conform check`. Checks of the fault's own clause come first.",
        "",
        f"conform {__version__}, {amount(setting.checks, 'check')}, seed {setting.seed}, "
        f"budget {setting.budget}, {setting.playouts:,} playouts a search, {where}. "
        "How each rate is measured: [statistics.md](statistics.md#what-the-self-test-measures).",
        "",
        *(f"- {line.strip()}" for line in summary(matrix)),
        "",
        *HEAD,
    ]
    lines += _rows([kill for kill in matrix.kills if not is_of_command(kill.fault)])
    if matrix.of_commands:
        lines += [
            "",
            "## Faults of optional commands, in the profile gtp",
            "",
            *HEAD,
            *_rows(matrix.of_commands),
        ]
    if tables := _playout_tables(matrix.compared):
        lines += ["", "## By the number of playouts", "", *tables]
    return "\n".join(lines) + "\n"


def _rows(kills: Sequence[Kill]) -> list[str]:
    """Rows of a Markdown table with the columns of HEAD."""
    return [
        f"| {kill.fault or '(right bot)'} | {kill.clause} | {_caught_by(kill)} | {_behaves_like(kill)} |"
        for kill in kills
    ]


def _playout_tables(kills: Sequence[Kill]) -> list[str]:
    """Two Markdown tables: rates by the number of playouts, and the faults not named first at every number.

    Faults of the wire and of commands are left out, since they were checked at one number. Without other
    faults there are no tables.
    """
    numbers = sorted({kill.playouts for kill in kills})
    faults = {kill.case: kill for kill in kills if kill.fault and shows_in_searches(kill.fault)}
    if not faults:
        return []
    right = [kill for kill in kills if not kill.fault]
    lines = [
        "All faults but those of the wire and of optional commands, which no search shows. If unknown: the",
        "fault and its twins are unknown to the diagnosis, and it names the right clause first.",
        "",
        f"| playouts | right bot | {' | '.join(BY_PLAYOUTS)} |",
        "|---" * (len(BY_PLAYOUTS) + 2) + "|",
    ]
    for number in numbers:
        own = [kill for kill in faults.values() if kill.playouts == number]
        counts = (sum(map(is_counted, own)) for is_counted in BY_PLAYOUTS.values())
        verdict = next((kill.verdict for kill in right if kill.playouts == number), "-")
        cells = [f"{number:,}", verdict, *(f"{count} ({count / len(own):.1%})" for count in counts)]
        lines.append(f"| {' | '.join(cells)} |")
    lines += [
        "",
        "The faults that are not named first at every number: their clause is (*clause*), another clause is",
        "(*refused*), or the bot is not refused (*passed*).",
        "",
        f"| fault | {' | '.join(f'{number:,}' for number in numbers)} |",
        "|---" * (len(numbers) + 1) + "|",
    ]
    for fault in dict.fromkeys(kill.fault for kill in faults.values()):
        cells = [_found(faults[Case(fault, number)]) for number in numbers]
        if set(cells) != {"fault"}:
            lines.append(f"| {fault} | {' | '.join(cells)} |")
    return lines


def _found(kill: Kill) -> str:
    """The best way of FOUND in which the fault was found, or "passed"."""
    return next((word for word, is_found in FOUND.items() if is_found(kill)), "passed")


def _caught_by(kill: Kill) -> str:
    """The failing checks: those of the fault's clause, or in brackets those of other clauses."""
    own = [failing.check for failing in kill.failing_of_clause]
    others = [failing.check for failing in kill.failing if failing.check not in own]
    if not own and not others:
        return kill.reason or ("-" if not kill.fault else "nothing")
    named = own[:MOST_NAMED] if own else [f"({check})" for check in others[:MOST_NAMED]]
    more = len(own) + len(others) - len(named)
    return ", ".join(named) + (f" and {more} more" if more else "")


def _behaves_like(kill: Kill) -> str:
    """The first cause and its probability, and the wrong clause that a diagnosis without this fault names."""
    if not kill.causes:
        return "-"
    first = kill.causes[0]
    name = f"clause {first.clause}" if first.kind is not CauseKind.FAULT else first.name
    unknown = "" if kill.names_clause_if_unknown else f" (unknown: {kill.clause_if_unknown or 'nothing'})"
    return f"{name} {first.probability:.2f}{unknown}"


def _rate(what: str, events: int, runs: int) -> str:
    """A rate with its interval, such as "faults refused: 97 of 100 (97.0%, 91.5% to 99.4%)"."""
    low, high = clopper_pearson(events, runs, CONFIDENCE)
    return f"{what}: {events} of {runs} ({events / runs:.1%}, {low:.1%} to {high:.1%})"
