"""The GTP lines and shell commands that show a failure by hand, without `conform check`."""

from __future__ import annotations

from harness.check.model import REFUSING, Check, Confirmation, Result
from harness.check.procedures.dialogue import SYMMETRIES, Dialogue
from harness.report.quoting import shell_argument

QUIT = b"quit\n"
SIZE = 9
"""Board size of the lines: the usual one of the checks."""
QUESTIONS = (b"ref-nodes\n", b"ref-score\n")
"""The lines after a search, which ask for its playouts."""


def lines_of(check: Check, seed: int) -> tuple[bytes, ...] | None:
    """The lines of one search of a check, or of its dialogue, without `quit`; None for any other procedure.

    The lines of most others depend on the answers of the bot. `seed`, the seed of the run, selects the
    symmetry of the board under which a dialogue is played.
    """
    plan = check.procedure.search_plan
    if plan is not None:
        return (*plan.shown.setup(), plan.shown.question(), *QUESTIONS)
    if isinstance(check.procedure, Dialogue):
        return check.procedure.lines(SIZE, seed % SYMMETRIES)
    return None


def command_for(result: Result, command: str, seed: int, transcripts: str = "") -> str:
    """A shell command that shows a failure; empty if no lines show it, or only `--transcript` writes them.

    `command` starts the bot. `transcripts` is the folder of `--transcript`; empty without the option.
    """
    if not result.reproduce:
        return ""
    if transcripts:
        return f"sh {shell_argument(f'{transcripts}/{script_name(result)}')}"
    if _explain_shows(result, seed):
        option = (
            "" if seed == 1 or result.observed_by.procedure.search_plan is not None else f" --seed {seed}"
        )
        return f"conform explain {result.observed_by.id} --gtp{option} | {result.shell_line or command}"
    return ""


def selection(result: Result) -> str:
    """Return the options that run the failed check, and the check that observed it: "--only A --only B"."""
    checks = dict.fromkeys((result.check.id, result.observed_by.id))
    return " ".join(f"--only {check}" for check in checks)


def script_name(result: Result) -> str:
    """The file name of the script of `script_of`."""
    return f"{result.check.id}.sh"


def script_of(result: Result) -> str | None:
    """A shell script that shows a failure, or sends the lines of an unstable one; None without either."""
    failed = result.outcome in REFUSING or result.confirmation is Confirmation.UNSTABLE
    if not failed or not result.reproduce:
        return None
    title = f"# {result.check.id}: {result.check.title}"
    return f"#!/bin/sh\n{title}\n{result.reproduce}\n"


def _explain_shows(result: Result, seed: int) -> bool:
    """Return True if `conform explain --gtp` prints lines that show the failure."""
    lines = lines_of(result.observed_by, seed)
    if lines is None or result.confirmation is Confirmation.WITH_HISTORY:
        return False
    plan = result.observed_by.procedure.search_plan
    if plan is not None:
        return plan.shown is plan.probe
    return b"".join(lines).startswith(b"".join(result.lines))
