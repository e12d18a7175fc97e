"""The report of a check on a terminal: verdict, causes with their failures, notes, undecided checks."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from harness.check.model import Level, Outcome, Result
from harness.check.phases.findings import Findings
from harness.diagnosis.cause import Cause
from harness.report.numbers import amount, listed
from harness.report.records.check import BotReport, CheckReport, ending
from harness.report.tables import LEAST_FOLDED, Column, FittingTable, in_rows
from harness.report.text.cause_text import cause_basis, cause_title, headline
from harness.report.text.compared_text import compared_text, untested_text
from harness.report.text.counts import count_lines, note_text
from harness.report.text.failure_text import INDENT, STYLES, CommandParts, one_line, print_failure
from harness.report.text.known_text import AS_EXPECTED, by_novelty, headline_with_known
from harness.report.text.profile_text import profile_text
from harness.report.text.undecided import open_lines
from harness.report.visible import safe

VERDICT_STYLES = {
    AS_EXPECTED: "bold green",
    "conforms": "bold green",
    "deviates": "bold red",
    "inconclusive": "bold yellow",
    "unusable": "bold magenta",
    "interrupted": "bold yellow",
}
OTHER_NUMBER = {
    "given": "put {playouts} into the command line of the bot, or leave --playouts out",
    "asked": "correct what the bot answers to ref-playouts, or give the number by --playouts",
}
"""By source of the number of playouts: the advice if the bot makes another number than was said."""

MOST_IN_FULL = 2
"""Causes that are shown in full without -v, with one failure each. Chosen: they fill a screen.

If there are more, the first is shown in full and each other in a line: the report still fits a screen.
"""

MOST_FOLDED = 3
"""Further failures of one cause that get a line each without -v. Chosen: enough to see a pattern."""

MOST_CAUSES = 6
"""Further causes that get a line each. Chosen: half a screen."""

COLUMN_OF_BOT = 15
"""Characters of a column with the endings of one bot; the longest is "inconclusive"."""

MOST_NAMED = 3
"""Checks that one line names. Chosen: with its sentence they fit two lines of 80 characters."""

LONGEST_HEADLINE = 150
"""Characters of a headline. Chosen: two lines; one line if it only repeats the observation below."""

MOST_OPEN = 3
"""Reasons for undecided checks that get a line each. Chosen: each fills two lines; the JSON has all."""


def show_result(console: Console, result: Result, *, strict: bool) -> None:
    """Print one check on one line, with the reason if it was skipped. Only a terminal cuts the line."""
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


def show_report(console: Console, report: CheckReport, *, quiet: bool, everything: bool) -> None:
    """Print each bot's report.

    quiet        print only the verdicts, and why a bot is unusable
    everything   print all failures in full, and explain the counts (-v)
    """
    bots, settings = report.bots, report.settings
    for bot in bots:
        _show_headline(console, bot, quiet=quiet)
        if quiet:
            continue
        findings, folder = bot.findings, settings.transcripts
        count = findings.count
        if count.shown is not None:  # the bot makes another number of playouts than was said
            _print(console, f"{count.reason}: {OTHER_NUMBER[count.source]}", 2)
            console.print()
        if len(bots) > 1 and folder:
            folder += f"/bot-{bot.number}"
        parts = CommandParts(
            findings.command, settings.seed, folder, options=settings.options, strict=settings.strict
        )
        _show_causes(console, bot, parts, everything=everything)
        _show_errors(console, findings)
        _show_notes(console, bot, parts, everything=everything)
        _show_open(console, findings, settings.options)
        if not findings.unusable:
            if line := untested_text(bot.compared, findings.count.playouts):
                _print(console, line, 2)
            for line in count_lines(bot, everything=everything):
                _print(console, line, 2)
        if len(bots) > 1:
            console.print()
    if len(bots) > 1 and not quiet:
        _show_matrix(console, bots)


def show_failure(console: Console, result: Result, parts: CommandParts) -> None:
    """Print one failed check in full, and an empty line."""
    print_failure(console, result, parts)
    console.print()


def _show_headline(console: Console, bot: BotReport, *, quiet: bool) -> None:
    """Print the verdict, and what qualifies it; `quiet`: one line, and the reason if the bot is unusable."""
    findings, settings = bot.findings, bot.settings
    word, known = headline_with_known(findings, settings.known, strict=settings.strict)
    title = Text.assemble((word, VERDICT_STYLES[word]), f"  {safe(findings.command)}")
    if findings.name:
        introduced = " ".join(f"{findings.name} {findings.version}".split())  # a name may have several lines
        title.append(f"  ({safe(introduced)})")
    console.print(title.append(known), soft_wrap=quiet)
    if not quiet and (line := profile_text(findings)):
        _print(console, line, 2)
    if findings.unusable:
        _print(console, findings.unusable, 2)
        if findings.hint:
            _print(console, findings.hint, 2)
    elif findings.interrupted and not quiet:
        number = sum(result.refuses and result.check.level is Level.MUST for result in findings.results)
        found = f"{amount(number, 'MUST check')} had failed" if number else "no MUST check had failed"
        _print(console, f"The run was interrupted; {found} until then.", 2)


# Causes and failures


def _show_causes(console: Console, bot: BotReport, parts: CommandParts, *, everything: bool) -> None:
    """Print the first causes in full, and the others and the known failures in a line each.

    `everything`: print all causes in full, with all their failures.
    """
    causes, known = by_novelty(bot.diagnosis.causes, bot.settings.known)
    shown = causes if everything or len(causes) <= MOST_IN_FULL else causes[:1]
    for number, cause in enumerate(shown, 1):
        rank = "Start here" if number == 1 else f"Cause {number} of {len(causes)}"
        _show_cause(console, bot, cause, rank, parts, everything=everything)
    if rest := causes[len(shown) :]:
        console.print()
        console.print(Text(f"{amount(len(rest), 'more cause')} (-v shows them in full):", style="bold"))
        _show_lines(console, "", [bot.by_id[cause.evidence] for cause in rest], MOST_CAUSES)
    if everything:
        for cause in known:
            _show_cause(console, bot, cause, "Known", parts, everything=True)
    elif known:
        ids = dict.fromkeys(check for cause in known for check in cause.explains)
        console.print()
        title = f"{amount(len(ids), 'known failure')} (-v shows them in full):"
        console.print(Text(title, style="bold"))
        _show_lines(console, "", [bot.by_id[check] for check in ids], MOST_CAUSES)
    if causes or known:
        console.print()
        _print(console, compared_text(bot.compared), 2)


def _show_cause(
    console: Console, bot: BotReport, cause: Cause, rank: str, parts: CommandParts, *, everything: bool
) -> None:
    """Print one cause: its headline after its `rank`, its evidence in full, and what else it explains."""
    evidence = bot.by_id[cause.evidence]
    title = headline(rank, cause, evidence)
    shown_title = Text(title, "bold")
    is_repeated = cause_title(cause, evidence) in evidence.judgement.observed
    shown_title.truncate(console.width if is_repeated else LONGEST_HEADLINE, overflow="ellipsis")
    console.print()
    console.print(shown_title)
    _print(console, cause_basis(cause), 2)
    print_failure(console, evidence, parts, titled=evidence.check.title not in title)
    others = [bot.by_id[check] for check in cause.explains if check != cause.evidence]
    if everything:
        for other in others:
            console.print()
            print_failure(console, other, parts)
    elif others:
        more = f"The same cause explains {amount(len(others), 'more failure')}:"
        _show_lines(console, more, others, MOST_FOLDED, " (-v shows them)")
    if blocked := [r for r in bot.findings.results if cause.evidence in r.blocked_by]:
        depend = "1 check depends" if len(blocked) == 1 else f"{len(blocked)} checks depend"
        were = "was" if len(blocked) == 1 else "were"
        _print(console, f"{depend} on it and {were} not judged: {_ids(blocked)}", INDENT)


def _show_lines(console: Console, title: str, results: Sequence[Result], most: int, hint: str = "") -> None:
    """Print the title, a line for each of the first `most` results, and the number of the others."""
    if title:
        _print(console, title, INDENT)
    for result in results[:most]:
        console.print(Padding(one_line(result, console.width - INDENT), (0, 0, 0, INDENT)))
    if len(results) > most:
        _print(console, f"and {len(results) - most} more{hint}", INDENT)


def _show_errors(console: Console, findings: Findings) -> None:
    """Print the checks that ended by an error of the harness, grouped by the error."""
    by_reason: dict[tuple[str, str], list[Result]] = {}
    for result in findings.results:
        if result.outcome is Outcome.ERROR:
            reason = result.judgement.observed, result.judgement.hint
            by_reason.setdefault(reason, []).append(result)
    for (observed, hint), alike in by_reason.items():
        what = safe(f"{_ids(alike)}: {observed}").replace("\n", " ")
        console.print(Text.assemble(("ERROR ", STYLES[Outcome.ERROR]), what))
        if hint:
            _print(console, hint, INDENT)
    if by_reason:
        _print(console, "What was observed before is kept: --json FILE writes it.", INDENT)


def _show_notes(console: Console, bot: BotReport, parts: CommandParts, *, everything: bool) -> None:
    """Print the failures that do not refuse the bot: a line for each level, or `everything` in full."""
    if everything:
        for result in bot.notes:
            show_failure(console, result, parts)
        return
    for level in Level:
        noted = [result for result in bot.notes if result.check.level is level]
        if noted:
            _print_entry(console, "note", f"{note_text(level, len(noted))}: {_ids(noted)} (-v shows them)")


def _show_open(console: Console, findings: Findings, options: str) -> None:
    """Print a note if the machine was busy, and the first reasons why checks are undecided.

    options   those of the command line that the results depend on
    """
    if findings.busy:
        _print_entry(
            console,
            "note",
            "other processes kept the machine busy; if the bot was silent, check it again on an idle machine",
        )
    lines = open_lines(findings, options)
    for line in lines[:MOST_OPEN]:
        _print_entry(console, "open", line)
    if len(lines) > MOST_OPEN:
        _print_entry(
            console, "open", f"{len(lines) - MOST_OPEN} more reasons: --json FILE writes all of them"
        )


def _show_matrix(console: Console, bots: Sequence[BotReport]) -> None:
    """Print a row for each check that some bot does not pass, a column for each bot, and a row of verdicts.

    Bots that do not fit the width are in further tables.
    """
    checks = dict.fromkeys(check for bot in bots for check in bot.by_id)
    endings = {c: [bot.ending(bot.by_id[c]) if c in bot.by_id else "" for bot in bots] for c in checks}
    for columns_here in in_rows(len(bots), console.width - LEAST_FOLDED, COLUMN_OF_BOT):
        columns = (Column(f"bot {number + 1}") for number in columns_here)
        table = FittingTable("", Column("check", folded=True), *columns)
        for check, ended in endings.items():
            if any(how != Outcome.PASS for how in ended):
                cells = (ended[number] for number in columns_here)
                table.add_row(check, *(Text(how, STYLES[how]) if how else "-" for how in cells))
        verdicts = (str(bots[number].verdict) for number in columns_here)
        cells_of_verdicts = (Text(verdict, VERDICT_STYLES[verdict]) for verdict in verdicts)
        table.add_row(Text("verdict", "bold"), *cells_of_verdicts)
        console.print(table)
    for bot in bots:
        _print(console, f"bot {bot.number}: {bot.findings.command}", 0)


def _print_entry(console: Console, label: str, text: str) -> None:
    """Print a text with a label. Its further lines are indented; a command stays in one piece."""
    first, *more = text.splitlines() or [""]
    console.print(Text.assemble((f"{label:<{INDENT}}", "yellow"), safe(first)))
    for line in more:
        is_command = line.startswith("conform ")
        console.print(Text(" " * INDENT + safe(line)), soft_wrap=is_command)


def _print(console: Console, text: str, indent: int) -> None:
    console.print(Padding(Text(safe(text)), (0, 0, 0, indent)))


def _ids(results: Sequence[Result]) -> str:
    return listed([result.check.id for result in results], MOST_NAMED)
