"""Finds the next cause of failures that no cause explains yet: the most basic first, then the most probable.

`next_cause` tries in turn: a missing command, a dialogue out of step, a number of playouts that is not the
one that was said, something kept from earlier games, a missing ability that other checks rely on, a known
fault of the likeliest clause, the likeliest clause itself.

The argument `rest` has the failures that no cause explains yet (`left`), the most basic of them (`basic`),
and the clause of each nearly certain fault (`sure`). A fault explains a failure if its record shows it too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from harness.check.clauses import CLAUSES, Part
from harness.check.model import Result
from harness.diagnosis.broken_dialogues import mentions, out_of_step_failures, silent_failures
from harness.diagnosis.cause import Cause, CauseKind, best_evidence, cause_of, clause_explains
from harness.diagnosis.clause_parts import ALSO_FAILING, Pattern, pattern_of
from harness.diagnosis.consequences import may_follow
from harness.diagnosis.earlier_games import is_spoiled, kept_between_games
from harness.diagnosis.likeliest_clause import likeliest_clause
from harness.diagnosis.named_fault import named_fault
from harness.diagnosis.pointing import is_dialogue, is_direct
from harness.diagnosis.spectrum import about
from harness.diagnosis.unexplained import Unexplained
from harness.diagnosis.wrong_number import wrong_number
from harness.gtp import REQUIRED_COMMANDS

LIKELIER = 3.0
"""A missing ability is blamed on another clause if that one is likelier than its own by this factor. Chosen
by hand; how often the diagnosis is right with it: docs/statistics.md, "Clauses"."""


def next_cause(rest: Unexplained) -> Cause:
    """Return the next cause, with those of the failures `rest.left` (not empty) that it explains."""
    cause = (
        _of_missing_commands(rest)
        or _of_lost_step(rest)
        or _of_wrong_number(rest)
        or _of_earlier_games(rest)
        or _of_ability_or_clause(rest)
    )
    # One wrong way to write answers spoils several checks: they have the same hint, and the same cause.
    shown = next(r.judgement for r in rest.left if r.check.id == cause.evidence)
    if not shown.written_wrong:
        return cause
    alike = (r for r in rest.left if r.judgement.written_wrong and r.judgement.hint == shown.hint)
    others = (r.check.id for r in alike if r.check.id not in cause.explains)
    return replace(cause, explains=(*cause.explains, *others))


def _of_missing_commands(rest: Unexplained) -> Cause | None:
    """Return the cause of all failures that name a required command that the bot lacks; None if none does."""
    lacking = rest.findings.lacking
    explained = [r for r in rest.left if mentions(r, lacking)]
    names = " ".join(name for name in REQUIRED_COMMANDS if name in lacking)
    return cause_of(CauseKind.MISSING, names, "gtp", 1.0, explained) if explained else None


def _of_lost_step(rest: Unexplained) -> Cause | None:
    """Return the cause of a bot that does not write one answer to each command; None for another bot."""
    spoiled = silent_failures(rest.left, rest.findings.mute) or out_of_step_failures(rest.left)
    return cause_of(CauseKind.CLAUSE, "gtp", "gtp", 1.0, spoiled, spoiled[0]) if spoiled else None


def _of_wrong_number(rest: Unexplained) -> Cause | None:
    """Return the cause of all failed searches if the bot does not make the number of playouts that was said.

    None, too, if a nearly certain fault of ref-nodes explains that.
    """
    shown = wrong_number(rest.findings)
    searched = [r for r in rest.left if r.check.procedure.search_plan is not None]
    if shown is None or not searched or any(CLAUSES[c].part is Part.NODES for c in rest.sure.values()):
        return None
    return cause_of(CauseKind.PLAYOUTS, str(shown), "ref-nodes", 1.0, searched)


def _of_earlier_games(rest: Unexplained) -> Cause | None:
    """Return the cause of a bot that keeps something from game to game; None for another bot.

    None, too, if a nearly certain fault of another clause explains the failure that shows it.
    """
    kept = kept_between_games(rest.basic, rest.spectrum.deviations)
    if kept is None:
        return None
    if any(clause != kept.clause and rest.explains(name, kept) for name, clause in rest.sure.items()):
        return None
    _, probability = likeliest_clause(rest)
    fault = named_fault(rest, rest.known_of(kept.clause), probability)
    kind, name = (CauseKind.CLAUSE, kept.clause) if fault is None else (CauseKind.FAULT, fault.name)
    return cause_of(kind, name, kept.clause, probability, [r for r in rest.left if is_spoiled(r)], kept)


def _of_ability_or_clause(rest: Unexplained) -> Cause:
    """Return a missing ability that other checks rely on, or else the likeliest clause or its fault."""
    clause, probability = likeliest_clause(rest)
    clause = _spoiling(rest, clause)
    ability = _missing_ability(rest, clause)
    if ability is not None:
        return _of_ability(rest, ability, clause)
    return named_fault(rest, rest.known_of(clause), probability) or _of_clause(rest, clause, probability)


def _spoiling(rest: Unexplained, clause: str) -> str:
    """Return a clause of the score that a failing dialogue shows to be wrong, in place of one of the choice.

    A wrong score spoils choices too. The clause itself is returned if no dialogue shows that, if it is not of
    the choice, or if it has a nearly certain fault.
    """
    if CLAUSES[clause].part is not Part.CHOICE or clause in rest.sure.values():
        return clause
    talked = (r.clause for r in rest.basic if is_dialogue(r.check))
    return next((name for name in talked if CLAUSES[name].part is Part.SCORING), clause)


def _missing_ability(rest: Unexplained, likeliest: str) -> Result | None:
    """Return the failure on which most blocked checks rely; None without one, or if it has another cause.

    likeliest   the likeliest clause: it, or a nearly certain fault, may be why the ability is missing
    """
    blocked = Counter(check for result in rest.findings.results for check in result.blocked_by)
    result = max(rest.basic, key=lambda result: blocked[result.check.id])
    if (
        not blocked[result.check.id]
        or _is_of_sure_fault(rest, result)
        or _is_lost_to(rest, likeliest, result)
    ):
        return None
    return result


def _is_of_sure_fault(rest: Unexplained, result: Result) -> bool:
    """Return True if a nearly certain fault explains the failure, is of its clause, or spoils its part.

    The last two explain the missing ability even if the record of the fault lacks this check. For clauses of
    the protocol, whose faults are unrelated to each other, the first alone counts.
    """
    part = CLAUSES[result.clause].part
    related = part not in (Part.WIRE, Part.COMMAND)
    return any(
        rest.explains(name, result)
        or (related and (clause == result.clause or part in ALSO_FAILING.get(CLAUSES[clause].part, ())))
        for name, clause in rest.sure.items()
    )


def _is_lost_to(rest: Unexplained, clause: str, result: Result) -> bool:
    """Return True if an ability is missing because the bot gets another clause wrong.

    Examples: a bot with a wrong definition of an eye fills eyes by genmove as well as in playouts; a wrong
    ref-score looks as if komi were ignored. The other clause needs two failing checks, and must be LIKELIER.
    """
    if CLAUSES[result.clause].part not in ALSO_FAILING.get(CLAUSES[clause].part, ()):
        return False
    shown = sum(r.refuses and r.clause == clause and is_direct(r.check) for r in rest.findings.results)
    return shown > 1 and rest.ranking[clause] > LIKELIER * rest.ranking[result.clause]


def _of_ability(rest: Unexplained, result: Result, likeliest: str) -> Cause:
    """Return the cause of a missing ability: a known fault if exactly one fits, else the ability itself.

    The checks that could distinguish several faults did not run: they need the ability. If its clause is the
    likeliest clause of all failures, the ability is the first sign of one fault, which explains them.
    """
    check = result.check
    fitting = [
        item
        for item in rest.suspicions
        if item.known
        and rest.explains(item.fault, result)
        and (item.clause == result.clause or item.fault in check.kills)
    ]
    fault = named_fault(rest, fitting, 1.0)
    if fault is not None and not fault.alike and check.id in fault.explains:
        others = (other for other in fault.explains if other != check.id)
        return replace(fault, evidence=check.id, explains=(check.id, *others))
    if CLAUSES[result.clause].part is Part.SCORING and pattern_of(rest.spectrum.deviations) in (
        Pattern.RESULTS,
        Pattern.RESULTS_AND_MOVES,
    ):
        likeliest = result.clause  # a wrong komi may change from search to search, as chance does
    spreads = CLAUSES[check.clause].part is Part.WIRE or likeliest == check.clause
    explained = [
        r for r in rest.left if r is result or (spreads and clause_explains(check.clause, about(r), check))
    ]
    return cause_of(CauseKind.ABILITY, check.id, check.clause, 1.0, explained, result)


def _of_clause(rest: Unexplained, clause: str, probability: float) -> Cause:
    """Return a clause as the cause, by an unknown fault: that of the evidence if its check is direct."""
    own = [r for r in rest.left if r.clause == clause]
    evidence = best_evidence(own or _indirect(rest.left) or rest.left, "")
    check = evidence.check
    clause = evidence.clause if is_direct(check) else clause
    explained = [
        r
        for r in rest.left
        if r is evidence or (clause_explains(clause, about(r), check) and may_follow(r, clause, rest.known))
    ]
    return cause_of(CauseKind.CLAUSE, clause, clause, probability, explained, evidence)


def _indirect(results: Sequence[Result]) -> list[Result]:
    """Return the failures that most clauses can cause."""
    return [result for result in results if not is_direct(result.check)]
