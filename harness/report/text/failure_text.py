"""One failed check in full: its requirement, the observation, the change to make, and how to see it again."""

from __future__ import annotations

from dataclasses import dataclass

from rich.console import Console, Group
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from harness.check.clauses import CLAUSES
from harness.check.model import Confirmation, Outcome, Phase, Result
from harness.report.records.check import NOTED, ending
from harness.report.text import by_hand
from harness.report.text.playouts import playout_lines
from harness.report.text.undecided import quoted
from harness.report.visible import safe

STYLES = {
    Outcome.PASS: "green",
    Outcome.FAIL: "bold red",
    Outcome.CRASH: "bold red",
    Outcome.TIMEOUT: "bold red",
    Outcome.ERROR: "bold magenta",
    Outcome.INCONCLUSIVE: "yellow",
    Outcome.SKIP: "dim",
    Outcome.BLOCKED: "dim",
    NOTED: "cyan",
}
"""The colour of each ending."""
CONFIRMATIONS = {
    Confirmation.UNSTABLE: "unstable: it did not come back in a new process",
    Confirmation.WITH_HISTORY: "only after the earlier commands of the run",
}
LABEL = 11
"""Columns of a label: "by hand", the longest, with some blanks."""

INDENT = 6
"""Columns before a failure's lines: those of the longest usual ending, with a blank."""

FEW_PLAYOUTS = 4
"""Playouts that are shown beside a position; `conform explain ID --board` shows more of them."""

LONGEST_LINE = 4_000
"""Characters of a line for a shell that is printed: nobody copies a longer one from a terminal."""

MOST_LINES = 12
"""Lines of an expected or observed text; the JSON has all of it."""


@dataclass(frozen=True)
class Setting:
    """Settings that the lines of a report depend on.

    transcripts     the folder of the wire logs, where they were asked for
    inline          print the line for a shell itself, as for every case that an exploration has reduced
    again           the command that shows the failures again, where that is not `conform check --only ID`
    options         the options of the check that its results depend on, as words for a shell
    strict          a failed SHOULD refuses the bot
    """

    command: str
    seed: int = 1
    transcripts: str = ""
    inline: bool = False
    again: str = ""
    options: str = ""
    strict: bool = False


def print_failure(console: Console, result: Result, setting: Setting) -> None:
    """Print a failed check in full. Commands are not wrapped, so that they can be copied as one line."""
    table = Table.grid(padding=(0, 0))
    table.add_column(width=LABEL)
    table.add_column(overflow="fold")
    for label, text in _rows(result):
        table.add_row(Text(label, style="dim"), Text(safe(text)))
    lines = []
    for label, command in _commands(result, setting):
        line = Text(" " * INDENT, no_wrap=True, overflow="ignore").append(f"{label:<{LABEL}}", "dim")
        lines.append(line.append(safe(command).replace("\n", " ")))
    if result.reproduce and len(lines) == 1:
        option = "--json FILE" if setting.inline else "--transcript DIR"
        lines.append(Text(f"{'':{INDENT}}{'by hand':<{LABEL}}{option} writes the lines to send", "dim"))
    parts = (Padding(part, (0, 0, 0, INDENT)) for part in (Text(result.check.title), table))
    console.print(Group(_head(result, strict=setting.strict), *parts, *lines), crop=False)


def _head(result: Result, *, strict: bool) -> Text:
    """The outcome, the check, its level and clause, and where it matters how the failure was confirmed."""
    check, ended = result.check, ending(result, strict=strict)
    line = Text.assemble(
        (f"{ended.upper():<{INDENT}}", STYLES[ended]),
        " " if len(ended) >= INDENT else "",
        (check.id, "bold"),
        f"   {check.level.upper()}   clause {result.clause}",
    )
    if result.confirmation in CONFIRMATIONS:
        line.append(f"   ({CONFIRMATIONS[result.confirmation]})", "yellow")
    return line


def one_line(result: Result, width: int) -> Text:
    """A failure on one line."""
    seen = safe(result.judgement.observed).replace("\n", " ")
    line = Text.assemble((f"{result.outcome:<8}", STYLES[result.outcome]), f"{result.check.id:<26} {seen}")
    line.truncate(max(20, width), overflow="ellipsis")
    return line


def _rows(result: Result) -> list[tuple[str, str]]:
    """The labelled lines of a failure, those without a text left out."""
    check, judgement = result.observed_by, result.judgement
    plan = check.procedure.search_plan
    rows = (
        ("position", f"{plan.probe.occasion}\n{plan.probe.position.draw()}" if plan is not None else ""),
        ("expected", _cut(judgement.expected)),
        ("playouts", expected_playouts(result)),
        ("observed", _cut(judgement.observed)),
        ("change", judgement.hint),
        ("rule", "" if judgement.hint else CLAUSES[result.clause].requirement),
    )
    return [(label, text) for label, text in rows if text]


def expected_playouts(result: Result) -> str:
    """Playouts that a conforming bot makes where the check failed; empty where it asks for no statistics."""
    check = result.observed_by
    plan = check.procedure.search_plan
    if plan is None or not check.requires.commands:
        return ""
    return "\n".join(playout_lines(plan.probe, FEW_PLAYOUTS))


def _commands(result: Result, setting: Setting) -> list[tuple[str, str]]:
    """Commands that show the failure again: labelled lines for a shell."""
    options = f" {setting.options}" if setting.options else ""
    again = setting.again or f"conform check {quoted(setting.command)}{options} {by_hand.selection(result)}"
    if result.observed_by.procedure.phase is Phase.MATCH:
        again += " --budget thorough"  # no other effort plays a match
    hand = by_hand.command_for(result, setting.command, setting.seed, setting.transcripts)
    if setting.inline or result.observed_by.procedure.phase is Phase.EXPLORATION:
        hand = result.reproduce if len(result.reproduce) <= LONGEST_LINE else ""
    return [("again", again), *([("by hand", hand)] if hand else [])]


def _cut(text: str) -> str:
    lines = text.splitlines()
    return text if len(lines) <= MOST_LINES else "\n".join([*lines[:MOST_LINES], "…"])
