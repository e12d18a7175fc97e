"""A cause of failures: its kind, its name, the failure that shows it best, and all that it explains.

`diagnose` makes causes with `cause_of`. `best_evidence` chooses the failure that a report shows first.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from harness.check.bot.transcript import exchanges_in
from harness.check.clauses import CLAUSES, Part
from harness.check.model import Check, Confirmation, Level, Result
from harness.check.phases.events import Event
from harness.diagnosis.pointing import is_direct, is_random, reads_numbers, shows_playouts
from harness.gtp import command_words

# The order in which failures are shown as evidence. UNSTABLE is left out: such a check is inconclusive.
_BEST_FIRST = (
    Confirmation.CONFIRMED,
    Confirmation.NOT_NEEDED,
    Confirmation.WITH_HISTORY,
    Confirmation.NOT_TRIED,
)


class CauseKind(StrEnum):
    """Kind of a cause."""

    MISSING = "missing"  # required commands are missing
    PLAYOUTS = "playouts"  # the bot makes another number of playouts than it was said to make
    ABILITY = "ability"  # an ability that other checks need is missing
    FAULT = "fault"  # a known fault
    CLAUSE = "clause"  # a clause of the specification, by an unknown fault


@dataclass(frozen=True)
class Cause:
    """One cause of failures.

    name          by kind: the missing commands with blanks between them, the number of playouts that the
                  bot makes, the id of the check of the ability, the fault, or the clause
    clause        the clause that the bot gets wrong; "gtp" for missing commands, "ref-nodes" for PLAYOUTS
    probability   that this is the cause, from 0 to 1, if the bot deviates
    evidence      id of the failing check to look at first
    explains      ids of the failing checks that the cause explains, with the evidence first
    alike         for a known fault: other known faults that explain the same failures
    """

    kind: CauseKind
    name: str
    clause: str
    probability: float
    evidence: str
    explains: tuple[str, ...]
    alike: tuple[str, ...] = ()


@dataclass(frozen=True)
class CauseFound(Event):
    """A cause became known. The causes come in the order in which to look at them."""

    cause: Cause


@dataclass(frozen=True)
class CauseSuspected(Event):
    """A cause of the failures so far, named before the run has ended. A later cause may replace it.

    evidence    the result of the check `cause.evidence`
    """

    cause: Cause
    evidence: Result


def clause_explains(clause: str, check: Check, evidence: Check) -> bool:
    """Return True if an unknown fault of a clause may make `check` fail; `evidence`: the check that shows it.

    A wrong protocol or optional command reaches the checks of one topic. A wrong clause of another part
    reaches the checks of the clause, and random checks or searches as far as the part does: a wrong ref-nodes
    those that read numbers, a wrong choice those that judge moves, a lost match none. A wrong rule of the
    game reaches random checks, and searches only if `evidence` judges their numbers. Other parts reach all.
    """
    part = CLAUSES[clause].part
    if part in (Part.WIRE, Part.COMMAND):  # the topic of `gtp.frame.id-echo` is `gtp.frame.id`
        return check.clause == clause and check.id.split("-", 1)[0] == evidence.id.split("-", 1)[0]
    if check.clause == clause:
        return True
    if check.procedure.search_plan is None and not is_random(check):
        return False
    if part in (Part.NODES, Part.CHOICE):
        return reads_numbers(check) if part is Part.NODES else not reads_numbers(check)
    if part is Part.GAME:
        return is_random(check) or shows_playouts(evidence)
    return part is not Part.MATCH


def cause_of(
    kind: CauseKind,
    name: str,
    clause: str,
    probability: float,
    explained: Sequence[Result],
    evidence: Result | None = None,
) -> Cause:
    """Return a cause of the `explained` failures; by default, `evidence` is the best one among them."""
    shown = evidence or best_evidence(explained, name if kind is CauseKind.FAULT else "", clause)
    others = [result.check.id for result in explained if result is not shown]
    return Cause(kind, name, clause, min(1.0, probability), shown.check.id, (shown.check.id, *others))


def best_evidence(results: Sequence[Result], fault: str, clause: str = "") -> Result:
    """Return the failure that shows a cause best: of its clause, of a high level, direct, exact, and simple.

    results   the failures to choose from; the first of equally good ones is returned
    fault     a known fault: a check that lists it in `kills` is better than one that lists none. Worst is one
              that lists other faults alone, because its hint is about them. Empty for an unknown fault
    clause    the clause of the cause; empty: failures of all clauses are equally good
    The simplest failure needs the fewest kinds of commands, then the shortest playouts, then the fewest
    abilities, then the fewest lines: a bot that lacks a rule altogether shows it in the most basic position.
    """
    return min(
        results,
        key=lambda r: (
            bool(clause) and r.clause != clause,
            list(Level).index(r.check.level),
            not is_direct(r.check),
            is_random(r.check),
            r.judgement.p_value is not None,
            _made_for_others(r.check, fault),
            _BEST_FIRST.index(r.confirmation),
            _kinds_of_commands(r),
            _playout_length(r.check),
            len(r.check.relies_on),
            len(exchanges_in(r.transcript)),
        ),
    )


def _made_for_others(check: Check, fault: str) -> int:
    """Return 0 if `kills` of the check has the fault (or no fault is given), 1 if it is empty, else 2."""
    return 0 if not fault or fault in check.kills else 1 + bool(check.kills)


def _kinds_of_commands(result: Result) -> int:
    """Return the number of different commands that were sent; each board size counts as a command."""
    sent = [words for line, _ in exchanges_in(result.transcript) if (words := command_words(line))]
    sizes = {words[1] for words in sent if words[0] == b"boardsize" and len(words) > 1}
    return len({words[0] for words in sent} - {b"boardsize"}) + len(sizes)


def _playout_length(check: Check) -> float:
    """Return the number of moves that every playout at the probe of a check has; infinite if lengths differ.

    0 for a check without a probe.
    """
    plan = check.procedure.search_plan
    if plan is None:
        return 0.0
    expected = plan.probe.expected
    return float(expected.mean_length) if expected.certain_length else math.inf
