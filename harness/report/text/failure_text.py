"""One failed check in full: what was expected, what was observed, the change to make, how to see it again."""

from __future__ import annotations

from dataclasses import dataclass

from rich.console import Console, Group
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from harness.check.clauses import CLAUSES
from harness.check.model import Check, Confirmation, Outcome, Phase, Result
from harness.check.search_plan import SearchPlan
from harness.report.quoting import shell_argument
from harness.report.records.check import NOTED, ending
from harness.report.text import by_hand
from harness.report.text.playouts import drawn_probe, playout_lines
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
"""By ending of a check (its outcome, or "noted"): the style of rich."""
LABEL = 11
"""Width of the column of labels, such as "by hand"."""

INDENT = 6
"""Indentation of a failure's lines: the width of "CRASH" with a blank."""

FEW_PLAYOUTS = 4
"""Playouts that are listed with a position; `conform explain ID --board` lists more."""

LONGEST_LINE = 4_000
"""Longest shell line that is printed, in characters. Chosen: nobody copies more from a terminal."""

MOST_LINES = 12
"""Lines of an expected or observed text that are printed; the JSON has the whole text."""


@dataclass(frozen=True)
class CommandParts:
    """The parts of a command that the printed commands repeat.

    command      starts the bot
    seed         the seed of the run
    transcripts  the folder of the wire logs (`--transcript`); empty without the option
    inline       print the shell line with all GTP lines, as for the reduced cases of an exploration
    again        the command that shows the failures again; empty for `conform check --only ID`
    options      the options that the results depend on, as in the shell
    strict       a failed SHOULD refuses the bot
    """

    command: str
    seed: int = 1
    transcripts: str = ""
    inline: bool = False
    again: str = ""
    options: str = ""
    strict: bool = False


def print_failure(console: Console, result: Result, parts: CommandParts, *, titled: bool = True) -> None:
    """Print a failed check in full, with its requirement if `titled`.

    Commands are not wrapped, so that they can be copied as one line.
    """
    table = Table.grid(padding=(0, 0))
    table.add_column(width=LABEL)
    table.add_column(overflow="fold")
    for label, text in _rows(result):
        table.add_row(Text(label, style="dim"), Text(safe(text)))
    lines = []
    for label, command in _commands(result, parts):
        line = Text(" " * INDENT, no_wrap=True, overflow="ignore").append(f"{label:<{LABEL}}", "dim")
        lines.append(line.append(safe(command).replace("\n", " ")))
    if result.reproduce and len(lines) == 1:  # no line "by hand"
        option = "--json FILE" if parts.inline else "--transcript DIR"
        how = f"the line above with {option} writes the lines to send"
        lines.append(Text(f"{'':{INDENT}}{'by hand':<{LABEL}}{how}", "dim"))
    title = (Text(result.check.title),) if titled else ()
    indented = (Padding(part, (0, 0, 0, INDENT)) for part in (*title, table))
    console.print(Group(_head(result, strict=parts.strict), *indented, *lines), crop=False)


def _head(result: Result, *, strict: bool) -> Text:
    """The ending, the check, its level and clause, and a note if the failure was not simply confirmed."""
    check, ended = result.check, ending(result, strict=strict)
    line = Text.assemble(
        (f"{ended.upper():<{INDENT}}", STYLES[ended]),
        " " if len(ended) >= INDENT else "",
        (check.id, "bold"),
        f"   {check.level.upper()}   clause {result.clause}",
    )
    if came_back := how_it_came_back(result):
        line.append(f"   ({came_back})", "yellow")
    return line


def how_it_came_back(result: Result) -> str:
    """Say that a failure needs earlier commands, or that it did not always come back; else empty."""
    seen, tried = result.sightings
    if result.confirmation is Confirmation.UNSTABLE:
        return f"unstable: it came back in {seen} of {tried} tries"
    notes = []
    if result.confirmation is Confirmation.WITH_HISTORY:
        notes.append("only after the earlier commands that are printed")
    if result.sightings.is_intermittent:
        notes.append(f"it came back in {seen} of {tried} tries")
    return "; ".join(notes)


def one_line(result: Result, width: int) -> Text:
    """The outcome, the check and the observation of a failure on one line, cut at `width` characters.

    It has room for 20 characters in any case. A board below the first line of an observation is left out.
    """
    seen = safe(result.judgement.observed.partition("\n")[0])
    line = Text.assemble((f"{result.outcome:<8}", STYLES[result.outcome]), f"{result.check.id:<26} {seen}")
    line.truncate(max(20, width), overflow="ellipsis")
    return line


def _rows(result: Result) -> list[tuple[str, str]]:
    """(label, text) of each part of a failure; parts without a text are left out."""
    check, judgement = result.observed_by, result.judgement
    plan = check.procedure.search_plan
    rows = (
        ("position", _position(check, plan) if plan is not None else ""),
        ("expected", _cut(judgement.expected)),
        ("playouts", expected_playouts(result)),
        ("observed", _cut(judgement.observed)),
        ("change", judgement.hint),
        ("rule", "" if judgement.hint else CLAUSES[result.clause].requirement),
    )
    return [(label, text) for label, text in rows if text]


def _position(check: Check, plan: SearchPlan) -> str:
    """The searched position in words, and its drawing below."""
    probe = drawn_probe(check, plan)
    turned = "" if probe is plan.shown else " (the bot got it turned)"
    return f"{probe.occasion}{turned}\n{probe.position.draw()}"


def expected_playouts(result: Result) -> str:
    """Playouts of a conforming bot at the position of the failure, as text.

    Empty unless the check searches a position and reads ref-nodes or ref-score.
    """
    check = result.observed_by
    plan = check.procedure.search_plan
    if plan is None or not check.requires.commands:
        return ""
    return "\n".join(playout_lines(drawn_probe(check, plan), FEW_PLAYOUTS))


def _commands(result: Result, parts: CommandParts) -> list[tuple[str, str]]:
    """(label, command) of each shell command that shows the failure again.

    "again" checks again with conform; "by hand" sends the lines to the bot, and is left out if the line would
    be too long, or if only `--transcript` writes it.
    """
    needs_history = result.confirmation is Confirmation.WITH_HISTORY
    again = parts.again or again_command(result, parts.command, parts.options)
    explores = result.observed_by.procedure.phase is Phase.EXPLORATION
    if parts.inline or explores or (needs_history and not parts.transcripts):
        hand = result.reproduce if len(result.reproduce) <= LONGEST_LINE else ""
    else:
        hand = by_hand.command_for(result, parts.command, parts.seed, parts.transcripts)
    return [("again", again), *([("by hand", hand)] if hand else [])]


def again_command(result: Result, command: str, options: str) -> str:
    """The command `conform check` that shows a failure again.

    `command` starts the bot; `options` are those that the results depend on, as in the shell.
    """
    # Alone, a check does not show what needs earlier lines; a whole check sends them again.
    needs_history = result.confirmation is Confirmation.WITH_HISTORY
    selected = "" if needs_history else by_hand.selection(result)
    # No other effort plays a match.
    budget = "--budget thorough" if result.observed_by.procedure.phase is Phase.MATCH else ""
    return " ".join(filter(None, ["conform check", shell_argument(command), options, selected, budget]))


def _cut(text: str) -> str:
    """The first MOST_LINES lines of a text."""
    lines = text.splitlines()
    return text if len(lines) <= MOST_LINES else "\n".join([*lines[:MOST_LINES], "…"])
