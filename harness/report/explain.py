"""One check in words: the clause, the position, what is expected and why."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from itertools import groupby

from harness.checks.clauses import CLAUSES, Clause
from harness.checks.dialogue import Dialogue
from harness.checks.model import Check
from harness.checks.probe import Probing
from harness.gtp import printable

WIDTH = 100
"""Columns of the sentences; boards and dialogues have their own."""


def explanation(check: Check) -> str:
    """Several lines of plain text."""
    lines = [f"{check.id}   {check.level.upper()}   clause {check.clause}", f"  {check.title}"]
    lines += _clause(CLAUSES[check.clause])
    lines += [f"  {line}" if line else "" for line in _body(check)]
    if check.hint:
        lines += ["", f"  hint: {check.hint}"]
    if check.kills:
        lines += ["", f"  catches the faults: {', '.join(check.kills)}"]
    return "\n".join(lines)


def _clause(clause: Clause) -> list[str]:
    sentence = textwrap.wrap(
        clause.requirement, WIDTH, initial_indent="  ", subsequent_indent="  ", break_on_hyphens=False
    )
    return ["", *sentence, f"  ({clause.source}; {clause.address})"]


def _body(check: Check) -> list[str]:
    procedure = check.procedure
    if isinstance(procedure, Dialogue):
        shown = ["", "the dialogue, and what each answer must be:"]
        for step in procedure.write(9, 0):
            expected = ", then ".join(map(str, step.expect))
            shown.append(f"  {printable(step.send).rstrip():<40} → {expected}")
        return shown
    if isinstance(procedure, Probing):
        probe, wanted = procedure.probe, procedure.probe.expected
        return [
            "",
            f"{probe.occasion}:",
            *probe.position.draw().splitlines(),
            "",
            f"a conforming playout: {wanted.mean_length:.4f} moves (sd {wanted.sd_length:.4f}), "
            f"score {wanted.mean_result:.4f} (sd {wanted.sd_result:.4f}), {wanted.source}",
        ]
    doc = type(procedure).__doc__ or ""
    return ["", doc.splitlines()[0]] if doc else []


def _after(moves: Sequence[tuple[str, str]]) -> str:
    """The moves that lead on from the position drawn; a row of passes is counted."""
    told = []
    for passes, row in groupby(moves, key=lambda move: move[1] == "pass"):
        together = list(row)
        if passes and len(together) > 2:
            told.append(f"{len(together)} passes")
        else:
            told += [f"{colour} {vertex}" for colour, vertex in together]
    return "".join(f", after {words}" for words in told)
