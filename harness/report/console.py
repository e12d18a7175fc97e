"""A check on the terminal: a line while it runs, then the failures, the counts, the verdict."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from harness.checks.diagnosis.diagnose import Suspicion
from harness.checks.execution.findings import Findings
from harness.checks.model import REFUSING, Level, Outcome, Phase, Result, Verdict
from harness.report.record import CheckReport

STYLES = {
    Outcome.PASS: "green",
    Outcome.FAIL: "bold red",
    Outcome.CRASH: "bold red",
    Outcome.TIMEOUT: "bold red",
    Outcome.ERROR: "bold magenta",
    Outcome.INCONCLUSIVE: "yellow",
    Outcome.SKIP: "dim",
    Outcome.BLOCKED: "dim",
}
VERDICT_STYLES = {
    "conforms": "bold green",
    "deviates": "bold red",
    "inconclusive": "bold yellow",
    "unusable": "bold magenta",
}
LABEL = 11
SHORT = 200
"""Longest observation that is shown in full where one line must do."""

LONGEST_BY_HAND = 2000
"""Longest line to paste into a shell that is shown."""


def show_result(console: Console, result: Result) -> None:
    """One check, on one line."""
    line = Text.assemble(
        (f"{result.outcome.upper():<13}", STYLES[result.outcome]),
        f"{result.check.id:<34} ",
        (f"{result.check.level.upper():<7}", "dim"),
        result.check.title,
    )
    console.print(line, no_wrap=True, overflow="ellipsis", crop=True)


def show_report(console: Console, report: CheckReport, *, quiet: bool, explain_levels: bool) -> None:
    """Everything that a person wants to know at the end."""
    for findings, verdict, diagnosis in zip(report.findings, report.verdicts, report.diagnoses, strict=True):
        if not quiet:
            _show_failures(console, findings, strict=report.strict, everything=explain_levels)
        _show_verdict(console, findings, verdict, diagnosis, strict=report.strict, quiet=quiet)
    if len(report.findings) > 1 and not quiet:
        _show_matrix(console, report)


def show_failure(console: Console, result: Result, command: str) -> None:
    """One failed check: the clause, expected and observed, what to do, how to see it again."""
    check, judgement = result.check, result.judgement
    console.print(
        Text.assemble(
            (f"{result.outcome.upper():<8}", STYLES[result.outcome]),
            (f"{check.id:<44}", "bold"),
            f"{check.level.upper()}   clause {result.clause}",
        )
    )
    console.print(Padding(Text(check.title), (0, 0, 0, 6)))
    lines = [("expected", judgement.expected), ("observed", judgement.observed), ("hint", judgement.hint)]
    plan = check.procedure.search_plan
    if plan is not None and result.reproduce:
        probe = plan.probe
        lines.insert(0, ("position", f"{probe.occasion}\n{probe.position.draw()}"))
    again = f"conform check {_quoted(command)} --only {check.id}"
    if check.procedure.phase is Phase.MATCH:
        again += " --budget thorough"  # no other has room for it
    lines += [("again", again)]
    table = Table.grid(padding=(0, 0))
    table.add_column(width=LABEL)
    table.add_column(overflow="fold")
    for label, text in lines:
        if text:
            table.add_row(Text(label, style="dim"), Text(_safe(text)))
    console.print(Padding(table, (0, 0, 0, 6)))
    if result.reproduce:
        line = result.reproduce if len(result.reproduce) <= LONGEST_BY_HAND else "see the JSON (--json FILE)"
        # not wrapped, so that it can be copied from the terminal as one line
        console.print(Text.assemble(" " * 6, (f"{'by hand':<{LABEL}}", "dim"), _safe(line)), soft_wrap=True)
    console.print()


def _show_failures(console: Console, findings: Findings, *, strict: bool, everything: bool) -> None:
    weighty = _weighty(strict=strict)
    failures = [result for result in findings.results if result.outcome in REFUSING]
    shown = [result for result in failures if everything or result.check.level in weighty]
    if shown:
        console.print()
    for result, others in _one_a_cause(shown):
        show_failure(console, result, findings.command)
        if others:
            ids = ", ".join(other.check.id for other in others)
            console.print(Padding(Text(f"and {len(others)} more for the same reason: {ids}"), (0, 0, 1, 6)))
    lighter = [result for result in failures if result not in shown]
    for result in lighter:
        console.print(
            Text.assemble(
                ("note  ", "yellow"),
                f"{result.check.id} ({result.check.level.upper()}): {_short(result.judgement.observed)}",
            )
        )
    for outcome, label in ((Outcome.INCONCLUSIVE, "open  "), (Outcome.ERROR, "error ")):
        alike = [result for result in findings.results if result.outcome is outcome]
        for result, others in _one_a_cause(alike):
            more = f" and {len(others)} more" if others else ""
            console.print(
                Text.assemble((label, STYLES[outcome]), f"{result.check.id}{more}: {_price(result)}")
            )


def _one_a_cause(results: Sequence[Result]) -> list[tuple[Result, list[Result]]]:
    """Results that say the same word for word (a command that is missing, say) are shown once."""
    causes: dict[tuple[str, str], list[Result]] = {}
    for result in results:
        judgement = result.judgement
        causes.setdefault((judgement.expected, judgement.observed), []).append(result)
    return [(alike[0], alike[1:]) for alike in causes.values()]


def _price(result: Result) -> str:
    needed = result.judgement.playouts_needed
    more = f"; about {needed:,.0f} more playouts would decide" if needed else ""
    if result.check.procedure.phase is Phase.MATCH:
        more = f"; {result.judgement.hint}"
    return f"{_safe(result.judgement.observed)}{more}"


def _show_verdict(
    console: Console,
    findings: Findings,
    verdict: Verdict,
    diagnosis: Sequence[Suspicion],
    *,
    strict: bool,
    quiet: bool,
) -> None:
    for suspicion in () if quiet else diagnosis:
        known = f"the fault {suspicion.fault} (clause {suspicion.clause}, "
        console.print(
            f"behaves like {known if suspicion.known else 'no known fault ('}"
            f"probability {suspicion.probability:.3f})"
        )
    title = Text.assemble((verdict, VERDICT_STYLES[verdict]), f"  {_safe(findings.command)}")
    if findings.name:
        introduced = " ".join(f"{findings.name} {findings.version}".split())  # a name may have several lines
        title.append(f"  ({_safe(introduced)})")
    console.print(title)
    if findings.unusable:
        console.print(f"  {_safe(findings.unusable)}")
        if findings.hint:
            console.print(f"  {_safe(findings.hint)}")
        return
    if quiet:
        return
    told = ", ".join(f"{times} {kind}" for kind, times in _counted(findings, strict=strict).items() if times)
    count = findings.count
    number = f"{count.playouts} playouts a search ({count.source})" if count.playouts else "unknown playouts"
    console.print(f"  {len(findings.results)} checks: {told}")
    console.print(f"  {findings.searches} searches, {number}, {findings.seconds:.1f} s")
    is_open = any(result.outcome is Outcome.INCONCLUSIVE for result in findings.results)
    if verdict is Verdict.INCONCLUSIVE and is_open:
        console.print("  a larger budget decides more: --budget thorough, or so many seconds")
    budget = findings.budget
    if budget.shares:
        console.print(
            f"  chance of refusing a bot that conforms: at most {budget.alpha:g}, "
            f"split by Holm over {len(budget.shares)} statistical checks; spent {budget.spent:.2g}"
        )


def _weighty(*, strict: bool) -> set[Level]:
    """The levels whose failures refuse a bot."""
    return {Level.MUST, Level.SHOULD} if strict else {Level.MUST}


def _counted(findings: Findings, *, strict: bool) -> dict[str, int]:
    """How many checks ended how; a failure that does not refuse the bot is "noted"."""
    counts: dict[str, int] = {str(outcome): 0 for outcome in Outcome} | {"noted": 0}
    for result in findings.results:
        refuses = result.outcome in REFUSING and result.check.level in _weighty(strict=strict)
        counts[str(result.outcome) if refuses or result.outcome not in REFUSING else "noted"] += 1
    return counts


def _show_matrix(console: Console, report: CheckReport) -> None:
    """Several bots: a row a check, a column a bot."""
    table = Table("check", *(f"bot {number}" for number in range(1, len(report.findings) + 1)))
    outcomes = [{r.check.id: r.outcome for r in findings.results} for findings in report.findings]
    for check in dict.fromkeys(check for known in outcomes for check in known):
        cells = [known.get(check) for known in outcomes]
        if any(cell is not Outcome.PASS for cell in cells):
            table.add_row(check, *(Text(str(c), style=STYLES[c]) if c else Text("-") for c in cells))
    console.print(table)
    for number, findings in enumerate(report.findings, 1):
        console.print(f"bot {number}: {_safe(findings.command)}")


def _quoted(command: str) -> str:
    return f'"{command}"' if " " in command else command


def _short(text: str) -> str:
    line = _safe(text).replace("\n", " ")
    return line if len(line) <= SHORT else f"{line[: SHORT // 2]} … {line[-SHORT // 4 :]}"


def _safe(text: str) -> str:
    """Nothing in it can act on a terminal; line ends stay."""
    return "".join(char if char.isprintable() or char == "\n" else ascii(char)[1:-1] for char in text)
