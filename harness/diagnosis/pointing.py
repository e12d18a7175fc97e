"""Kinds of checks, by the clauses that a failure points to and by what is judged; the subject of a failure.

A direct check is about one clause: `ref.eye.corner` fails if the definition of an eye is wrong. An indirect
check fails with most clauses: `ref.midgame…` compares whole playouts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from harness.check.clauses import CLAUSES, Part
from harness.check.model import Check, Phase, Result

SIZE_OF_ID = re.compile(r"^ref\.\d+x\d+\.")
"""Beginning of the id of a check on a larger board. The id of the 9x9 check begins with `ref.` instead."""

OF_ALL_CLAUSES = ("ref.end.", "ref.midgame.", "ref.empty.", "ref.cap.small-board", "ref.choice.midgame")
"""First parts of the ids of indirect checks: their positions depend on most clauses."""

OF_ALL_COMMANDS = (
    "gtp.admin.arguments-",
    "gtp.admin.missing-",
    "gtp.admin.wrong-",
    "gtp.kept.",
    "gtp.asked.",
)
"""First parts of the ids of checks of the clause `gtp` that are indirect too: each command that the bot
lists, or each that shows the game, can make them fail."""


def is_direct(check: Check) -> bool:
    """Return True if a failure of the check points to its clause; False if most clauses can cause it."""
    if is_random(check) or (check.clause == "gtp" and check.id.startswith(OF_ALL_COMMANDS)):
        return False
    return check.identifies or not on_9x9(check.id).startswith(OF_ALL_CLAUSES)


def most_basic(failing: Iterable[Check]) -> list[Check]:
    """Return the direct checks among `failing` that no other one of them may spoil, in their order.

    A check may spoil another one that needs all its optional commands (perhaps none), and more: a wrong
    `komi` spoils what `loadsgf` sets up, but not the other way round. `undo` and `ref-playouts` count as
    required commands, because the checks that need them are about other clauses.
    """
    direct = [check for check in failing if is_direct(check)]
    needed = {
        check.id: frozenset(check.needs.optional_commands) - {"undo", "ref-playouts"} for check in direct
    }
    return [check for check in direct if not any(few < needed[check.id] for few in needed.values())]


def on_9x9(check_id: str) -> str:
    """Return the id of the same check on 9x9: `ref.eye.corner` for `ref.13x13.eye.corner`."""
    return SIZE_OF_ID.sub("ref.", check_id)


def is_random(check: Check) -> bool:
    """Return True if a check generates random cases: it may fail for any fault, so a failure names none."""
    return check.procedure.phase is Phase.EXPLORATION


def is_dialogue(check: Check) -> bool:
    """Return True if a check sends lines of its own: it plans no searches."""
    return check.procedure.search_plan is None


def reads_numbers(check: Check) -> bool:
    """Return True if a check judges ref-nodes or ref-score: it requires them, and is not of the choice.

    Checks of the choice judge moves. Some require the numbers, to know if a playout is a single move.
    """
    return bool(check.requires.commands) and CLAUSES[check.clause].part is not Part.CHOICE


def shows_playouts(check: Check) -> bool:
    """Return True if a check is direct, and judges ref-nodes and ref-score of searches."""
    return is_direct(check) and not is_dialogue(check) and reads_numbers(check)


def subject_of(result: Result) -> str:
    """Return what a failure is about: its clause, or "choice" for all clauses of the choice of a move.

    For the clause `gtp` it is the topic of the check: the first two words of its id, such as "gtp.frame".
    """
    part = CLAUSES[result.clause].part
    if part is Part.CHOICE:
        return "choice"
    return ".".join(result.check.id.split(".")[:2]) if part is Part.WIRE else result.clause
