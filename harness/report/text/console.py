"""The report of a check on a terminal: the verdict, the cause, what else failed, what is open."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from harness.check.model import REFUSING, Level, Outcome, Result, Verdict
from harness.check.phases.findings import Findings
from harness.diagnosis.cause import Cause
from harness.report.numbers import amount
from harness.report.records.check import CheckReport
from harness.report.tables import LEAST_FOLDED, Column, FittingTable, in_rows
from harness.report.text.cause_text import cause_basis, headline
from harness.report.text.counts import count_lines, ending, note_text, weighty
from harness.report.text.failure_text import INDENT, STYLES, Setting, one_line, print_failure
from harness.report.text.undecided import open_lines
from harness.report.visible import safe
from harness.suite.known_failures import refusing

VERDICT_STYLES = {
    "conforms": "bold green",
    "deviates": "bold red",
    "inconclusive": "bold yellow",
    "unusable": "bold magenta",
    "interrupted": "bold yellow",
}
UNTOLD = "put {playouts} into the command line of the bot, or leave --playouts out"
"""What to do if a bot makes another number of playouts than was given."""

MOST_IN_FULL = 5
"""Failures that are shown in full unless everything is asked for: one for each cause."""

MOST_FOLDED = 3
"""Further failures of one cause that get a line each."""

MOST_CAUSES = 12
"""Causes beyond those in full that get a line each."""

COLUMN_OF_BOT = 15
"""Characters of a column with the outcomes of a bot, the longest of which is "inconclusive"."""

MOST_NAMED = 6
MOST_OPEN = 3


def show_result(console: Console, result: Result, *, strict: bool) -> None:
    """Print one check on one line, a skipped one with the reason. A terminal cuts it; a file has it whole."""
    ended = ending(result, strict=strict)
    skipped = result.outcome is Outcome.SKIP and result.judgement.observed
    line = Text.assemble(
        (f"{ended.upper():<13}", STYLES[ended]),
        f"{result.check.id:<34} ",
        (f"{result.check.level.upper():<7}", "dim"),
        safe(skipped) if skipped else result.check.title,
    )
    if console.is_terminal:
        console.print(line, no_wrap=True, overflow="ellipsis", crop=True)
    else:
        console.print(line, soft_wrap=True)


def show_report(console: Console, report: CheckReport, *, quiet: bool, explain_levels: bool) -> None:
    """Everything that a person wants to know at the end; `explain_levels` shows all failures in full."""
    several, settings = len(report.findings) > 1, report.settings
    for number, (findings, verdict, diagnosis) in enumerate(
        zip(report.findings, report.verdicts, report.diagnoses, strict=True), 1
    ):
        _show_headline(console, findings, verdict, report)
        if quiet:
            continue
        if findings.count.source == "given" and findings.count.reason:
            _print(console, f"{findings.count.reason}: {UNTOLD}", 2)
            console.print()
        folder = settings.transcripts + (f"/bot-{number}" if several and settings.transcripts else "")
        setting = Setting(
            findings.command, settings.seed, folder, options=settings.options, strict=settings.strict
        )
        _show_causes(console, findings, diagnosis.causes, setting, everything=explain_levels)
        _show_errors(console, findings)
        _show_notes(console, findings, setting, strict=settings.strict, everything=explain_levels)
        _show_open(console, findings, settings.options)
        _show_counts(console, findings, strict=settings.strict, everything=explain_levels)
        if several:
            console.print()
    if several and not quiet:
        _show_matrix(console, report)


def show_failure(console: Console, result: Result, setting: Setting) -> None:
    """One failed check in full."""
    print_failure(console, result, setting)
    console.print()


def _show_headline(console: Console, findings: Findings, verdict: Verdict, report: CheckReport) -> None:
    word = "interrupted" if findings.interrupted else str(verdict)
    title = Text.assemble((word, VERDICT_STYLES[word]), f"  {safe(findings.command)}")
    if findings.name:
        introduced = " ".join(f"{findings.name} {findings.version}".split())  # a name may have several lines
        title.append(f"  ({safe(introduced)})")
    failed = refusing(findings.results, strict=report.settings.strict)
    if report.settings.known is not None and failed:
        listed = sum(result.check.id in report.settings.known for result in failed)
        title.append(f", {listed} of {amount(len(failed), 'failure')} in the list of known failures")
    console.print(title)
    if findings.unusable:
        _print(console, findings.unusable, 2)
        if findings.hint:
            _print(console, findings.hint, 2)
    elif findings.interrupted:
        failures = sum(result.refuses and result.check.level is Level.MUST for result in findings.results)
        found = f"{failures} MUST checks had failed" if failures else "nothing wrong had been found"
        _print(console, f"The run was interrupted; {found} until then.", 2)


# Causes and failures


def _show_causes(
    console: Console, findings: Findings, causes: Sequence[Cause], setting: Setting, *, everything: bool
) -> None:
    by_id = {result.check.id: result for result in findings.results}
    shown = causes if everything else causes[:MOST_IN_FULL]
    for number, cause in enumerate(shown, 1):
        evidence = by_id[cause.evidence]
        console.print()
        place = "Start here" if number == 1 else f"Cause {number} of {len(causes)}"
        console.print(Text(headline(place, cause, evidence), "bold"))
        _print(console, cause_basis(cause), 2)
        print_failure(console, evidence, setting)
        others = [by_id[check] for check in cause.explains if check != cause.evidence]
        blocked = [r for r in findings.results if cause.evidence in r.blocked_by]
        if everything:
            for other in others:
                console.print()
                print_failure(console, other, setting)
        else:
            _show_folded(console, others)
        if blocked:
            depend = "1 check depends" if len(blocked) == 1 else f"{len(blocked)} checks depend"
            were = "was" if len(blocked) == 1 else "were"
            _print(console, f"{depend} on this check and {were} not judged: {_ids(blocked)}", INDENT)
    rest = causes[len(shown) :]
    if rest:
        console.print()
        console.print(Text(f"{len(rest)} more causes (-v shows them in full):", style="bold"))
        for cause in rest[:MOST_CAUSES]:
            _line(console, by_id[cause.evidence])
        if len(rest) > MOST_CAUSES:
            _print(console, f"and {len(rest) - MOST_CAUSES} more", INDENT)
    if causes:
        console.print()


def _show_folded(console: Console, others: Sequence[Result]) -> None:
    """The further failures of a cause: some with a line each, the number of the others."""
    if not others:
        return
    _print(console, f"The same cause explains {_failures(len(others))}:", INDENT)
    for other in others[:MOST_FOLDED]:
        _line(console, other)
    if len(others) > MOST_FOLDED:
        _print(console, f"and {len(others) - MOST_FOLDED} more (-v shows them)", INDENT)


def _line(console: Console, result: Result) -> None:
    console.print(Padding(one_line(result, console.width - INDENT), (0, 0, 0, INDENT)))


def _failures(number: int) -> str:
    return amount(number, "more failure")


def _show_errors(console: Console, findings: Findings) -> None:
    """Checks that could not be made, with the reason; those with the same reason together."""
    errors = [result for result in findings.results if result.outcome is Outcome.ERROR]
    for alike in _by_reason(errors):
        judgement = alike[0].judgement
        what = f"{_ids(alike)}: {judgement.observed}"
        console.print(Text.assemble(("ERROR ", STYLES[Outcome.ERROR]), safe(what).replace("\n", " ")))
        if judgement.hint:
            _print(console, judgement.hint, INDENT)
    if errors:
        _print(console, "What was observed before is kept: --json FILE writes it.", INDENT)


def _by_reason(results: Sequence[Result]) -> list[list[Result]]:
    groups: dict[tuple[str, str], list[Result]] = {}
    for result in results:
        groups.setdefault((result.judgement.observed, result.judgement.hint), []).append(result)
    return list(groups.values())


def _show_notes(
    console: Console, findings: Findings, setting: Setting, *, strict: bool, everything: bool
) -> None:
    """Failures that do not refuse the bot."""
    heavy = weighty(strict=strict)
    lighter = [r for r in findings.results if r.outcome in REFUSING and r.check.level not in heavy]
    if everything:
        for result in lighter:
            show_failure(console, result, setting)
        return
    for level in Level:
        noted = [result for result in lighter if result.check.level is level]
        if noted:
            _entry(console, "note", f"{note_text(level, len(noted))}: {_ids(noted)} (-v shows them)")


def _show_open(console: Console, findings: Findings, options: str) -> None:
    if findings.busy:
        _entry(
            console,
            "note",
            "other processes kept the machine busy; repeat the check on an idle machine if it was silent",
        )
    lines = open_lines(findings, options)
    for line in lines[:MOST_OPEN]:
        _entry(console, "open", line)
    if len(lines) > MOST_OPEN:
        _entry(console, "open", f"{len(lines) - MOST_OPEN} more reasons: --json FILE writes all of them")


def _show_counts(console: Console, findings: Findings, *, strict: bool, everything: bool) -> None:
    if findings.unusable:
        return
    for line in count_lines(findings, strict=strict, everything=everything):
        _print(console, line, 2)


def _show_matrix(console: Console, report: CheckReport) -> None:
    """Several bots: a row for each check that one of them does not pass, a column a bot, last their verdicts.

    Bots for which there is no room get a table of their own.
    """
    outcomes = [
        {r.check.id: ending(r, strict=report.settings.strict) for r in findings.results}
        for findings in report.findings
    ]
    checks = dict.fromkeys(check for known in outcomes for check in known)
    shown = [check for check in checks if any(known.get(check) != Outcome.PASS for known in outcomes)]
    for places in in_rows(len(outcomes), console.width - LEAST_FOLDED, COLUMN_OF_BOT):
        table = FittingTable(
            "", Column("check", folded=True), *(Column(f"bot {place + 1}") for place in places)
        )
        for check in shown:
            cells = [outcomes[place].get(check) for place in places]
            table.add_row(check, *(Text(cell, STYLES[cell]) if cell else "-" for cell in cells))
        verdicts = [str(report.verdicts[place]) for place in places]
        table.add_row(
            Text("verdict", "bold"), *(Text(verdict, VERDICT_STYLES[verdict]) for verdict in verdicts)
        )
        console.print(table)
    for number, findings in enumerate(report.findings, 1):
        _print(console, f"bot {number}: {findings.command}", 0)


def _entry(console: Console, label: str, text: str) -> None:
    line = Text.assemble((f"{label:<{INDENT}}", "yellow"), safe(text).replace("\n", " "))
    console.print(line, soft_wrap=label == "open")  # it ends with a command, to be copied as one line


def _print(console: Console, text: str, indent: int) -> None:
    console.print(Padding(Text(safe(text)), (0, 0, 0, indent)))


def _ids(results: Sequence[Result]) -> str:
    ids = ", ".join(result.check.id for result in results[:MOST_NAMED])
    return ids + (f" and {len(results) - MOST_NAMED} more" if len(results) > MOST_NAMED else "")
