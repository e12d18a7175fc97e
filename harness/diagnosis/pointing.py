"""What a failure of a check points to: its clause or most clauses, numbers or moves."""

from __future__ import annotations

import re
from collections.abc import Iterable

from harness.check.clauses import CLAUSES, Part
from harness.check.model import Check, Phase, Result

SIZE_OF_ID = re.compile(r"^ref\.\d+x\d+\.")
"""Beginning of the id of a check on a larger board. The id of the 9x9 check begins with `ref.` instead."""

OF_ALL_CLAUSES = ("ref.end.", "ref.midgame.", "ref.empty.", "ref.cap.small-board", "ref.choice.midgame")
"""First parts of the ids of checks whose positions depend on most clauses: their failure points to none."""

OF_ALL_COMMANDS = (
    "gtp.admin.arguments-",
    "gtp.admin.missing-",
    "gtp.admin.wrong-",
    "gtp.kept.",
    "gtp.asked.",
)
"""First parts of the ids of checks that point to no command: each listed command, or each that shows the
game, can make them fail."""


def is_direct(check: Check) -> bool:
    """Return whether a failure of the check points to its clause, rather than to most clauses."""
    if is_random(check) or (check.clause == "gtp" and check.id.startswith(OF_ALL_COMMANDS)):
        return False
    return check.identifies or not on_9x9(check.id).startswith(OF_ALL_CLAUSES)


def most_basic(failing: Iterable[Check]) -> list[Check]:
    """Return the direct checks without those that need all optional commands of another one and further ones.

    A wrong `komi` spoils what `loadsgf` sets up, but not the other way round. `undo` and `ref-playouts`
    count as required: what needs them is of other clauses.
    """
    direct = [check for check in failing if is_direct(check)]
    needed = {
        check.id: frozenset(check.needs.optional_commands) - {"undo", "ref-playouts"} for check in direct
    }
    return [check for check in direct if not any(few < needed[check.id] for few in needed.values())]


def on_9x9(check_id: str) -> str:
    """Return the id of a check without the size of a larger board."""
    return SIZE_OF_ID.sub("ref.", check_id)


def is_random(check: Check) -> bool:
    """Return whether a check generates random cases: it may fail for any fault, so a failure names none."""
    return check.procedure.phase is Phase.EXPLORATION


def is_dialogue(check: Check) -> bool:
    """Return whether a check sends lines of its own: it plans no searches."""
    return check.procedure.search_plan is None


def reads_numbers(check: Check) -> bool:
    """Return whether a check judges ref-nodes and ref-score. The others judge the chosen moves.

    Some of these need the numbers too: they judge only where each playout is a single move.
    """
    return bool(check.requires.commands) and CLAUSES[check.clause].part is not Part.CHOICE


def shows_playouts(check: Check) -> bool:
    """Return whether a failure of the check points to its clause by the numbers of a search."""
    return is_direct(check) and not is_dialogue(check) and reads_numbers(check)


def subject_of(result: Result) -> str:
    """Return the clause of a failure; "choice" for its clauses, the topic of the check for the wire."""
    part = CLAUSES[result.clause].part
    if part is Part.CHOICE:
        return str(part)
    return ".".join(result.check.id.split(".")[:2]) if part is Part.WIRE else result.clause
