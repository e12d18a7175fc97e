"""Consequences: failures that look like a cause of their own, but that an earlier cause makes likely.

`diagnose` finds one cause after the other, and passes each to `add_cause`. There the cause joins the list of
causes, or its failures join an earlier cause that makes them likely. For example, a bot with wrong playouts
also fails checks of the choice, which follow from the results of its playouts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from harness.check.bot.transcript import has_generated_pass, is_silent_after_refusal, sent_words, sizes_in
from harness.check.clauses import CLAUSES, Part
from harness.check.model import Ability, Outcome, Result
from harness.check.procedures.chosen_move import Violation
from harness.check.procedures.reliance import CAPTURE_ABILITIES
from harness.diagnosis.cause import Cause, CauseKind
from harness.diagnosis.effects import fails, share_failing
from harness.diagnosis.pointing import is_dialogue
from harness.diagnosis.signatures import Signature

LEAST_PROBABLE = 0.5
"""A single known fault with a greater probability may be a second cause, even if it shows in dialogues alone.
Chosen: it is then likelier than all others together."""

OFTEN = 0.5
"""A check is expected to fail with a clause if at least this fraction of the clause's known faults fails it.
Chosen: then most bots that get the clause wrong fail it."""

SPOILS_NUMBERS = frozenset({Part.NODES, Part.SCORE, Part.SCORING, Part.PLAYOUT, Part.RULE})
"""Parts whose faults make the numbers of most searches wrong."""

EARLY_PASS = "no-early-pass"
"""The clause of a bot that passes although it has a candidate."""

EYE = "eye"
"""The clause of a bot with a wrong definition of a one-point eye."""

AREA = "area-scoring"
"""The clause of a bot whose score of a board is wrong, in playouts and perhaps in final_score."""

USUAL_SIZES = frozenset({9, 13, 19})
"""Board sizes that have checks of their own. A bot may have only the other sizes wrong."""

ANSWERS_AFTER_REFUSALS = "gtp.frame.every-command-answered"
"""The check that fails if a bot is silent after it has refused a command."""

LEAST_SHOWN = 0.2
"""A bot with a relative of a known fault fails at least this number of checks for each position where the
fault shows in its record. Chosen: with half of the fault, seen by half of the checks, it fails a quarter."""

MANY = 40
"""If a cause explains the wrong numbers of at least this number of searches, a further wrong number is its
consequence. Chosen: about half of the positions."""


def add_cause(
    causes: list[Cause],
    cause: Cause,
    explained: Sequence[Result],
    known: Mapping[str, Signature],
    failing: Sequence[Result],
) -> None:
    """Add a cause to `causes`, or its failures to an earlier cause there whose consequence they are.

    explained   the failures that the cause explains
    known       signatures of the known faults; "" is the right bot
    failing     all failures of the bot, also those that earlier causes explain
    """
    wrong_numbers = {
        r.check.id for r in failing if r.check.procedure.search_plan and r.check.requires.commands
    }
    for place, earlier in enumerate(causes):
        many = len(wrong_numbers.intersection(earlier.explains)) >= MANY
        related = _is_of_same_rule(cause, explained, earlier)
        if related or _is_consequence(cause, explained, earlier, known, many=many):
            together = replace(earlier, explains=(*earlier.explains, *cause.explains))
            if related:  # the bot has a relative of the fault that was named
                together = replace(together, kind=CauseKind.CLAUSE, name=earlier.clause, alike=())
            causes[place] = together
            return
    causes.append(cause)


def _is_of_same_rule(cause: Cause, explained: Sequence[Result], earlier: Cause) -> bool:
    """Return True if the earlier cause is a known fault of the same clause, and a failed search is left.

    The fault does not explain that search: the bot has a relative of the fault.
    """
    if earlier.kind is not CauseKind.FAULT or cause.clause != earlier.clause:
        return False
    return not all(is_dialogue(result.check) for result in explained)


def may_follow(result: Result, clause: str, known: Mapping[str, Signature]) -> bool:
    """Return False if a failure is a wrong choice that cannot follow from a wrong `clause` of another part.

    Where all playouts of a right bot have the same result, wrong playouts have it too, and candidates stay
    equal. The record of a fault of the clause's part may say otherwise: then a choice follows there too.
    """
    plan, part = result.check.procedure.search_plan, CLAUSES[clause].part
    if CLAUSES[result.clause].part is not Part.CHOICE or part is Part.CHOICE:
        return True
    if plan is None or not plan.probe.expected.certain_result:
        return True
    of_part = (own for name, own in known.items() if name and CLAUSES[own.clause].part is part)
    return any(fails(own, result.check) for own in of_part)


def relies_on_missing(explained: Sequence[Result], causes: Sequence[Cause]) -> bool:
    """Return True if all failures are dialogues, and all rely on one ability whose lack is one of the causes.

    A dialogue on a board of an unusual size relies on the ability HAS_ITS_SIZES.
    """
    if not all(is_dialogue(result.check) for result in explained):
        return False
    wrong_sizes = any(cause.evidence == Ability.HAS_ITS_SIZES for cause in causes)
    if wrong_sizes and not any(sizes_in(r.transcript) <= USUAL_SIZES for r in explained):
        return True
    missing = (cause.evidence for cause in causes if cause.kind is CauseKind.ABILITY)
    return any(all(name in result.check.relies_on for result in explained) for name in missing)


def _follows_from(result: Result, earlier: Cause) -> bool:
    """Return True if the clause or the evidence of an earlier cause is known to lead to such a failure."""
    # A bot that passes early also passes where only false eyes are left (it need not take them for eyes), or
    # where no candidate has a visit.
    if earlier.clause == EARLY_PASS and (
        result.check.id == Violation.FALSE_EYE
        or (CLAUSES[result.clause].part is Part.CHOICE and has_generated_pass(result.transcript))
    ):
        return True
    # A wrong definition of an eye is that of genmove too.
    if earlier.clause == EYE and result.check.id in (Violation.EYE, Violation.FALSE_EYE):
        return True
    if earlier.clause == AREA and "final_score" in sent_words(result.transcript):
        return True
    # A bot that loses the command after a refusal is silent to single commands, too.
    if earlier.evidence == ANSWERS_AFTER_REFUSALS:
        return result.outcome is Outcome.TIMEOUT and is_silent_after_refusal(result.transcript)
    # A bot that takes a legal capture for illegal passes where no other move is left.
    if earlier.evidence in CAPTURE_ABILITIES and result.check.id == Violation.PASS:
        return True
    # If a bot answers another move than it makes, the answered move may be illegal.
    return earlier.evidence == Ability.PLAYS_ITS_MOVES and result.check.id in set(Violation)


def _are_choices_that_follow(
    explained: Sequence[Result], earlier: Cause, known: Mapping[str, Signature]
) -> bool:
    """Return True if all failures are wrong choices of moves, and may follow from earlier wrong playouts."""
    if CLAUSES[earlier.clause].part is Part.CHOICE:
        return False
    return all(
        CLAUSES[r.clause].part is Part.CHOICE and may_follow(r, earlier.clause, known) for r in explained
    )


def _are_of_one_function(explained: Sequence[Result], earlier: Cause, known: Mapping[str, Signature]) -> bool:
    """Return True if a bot has one function, a wrong one, for a rule of the game and of its playouts.

    The earlier cause is then the missing ability of the rule. A known fault of the rule must fail all these
    searches, and the bot must fail enough checks for its record (LEAST_SHOWN).
    """
    if earlier.kind is not CauseKind.ABILITY or CLAUSES[earlier.clause].part not in SPOILS_NUMBERS:
        return False
    of_rule = (own for name, own in known.items() if name and own.clause == earlier.clause)
    return any(
        all(fails(own, r.check) for r in explained)
        and len(explained) + len(earlier.explains) >= LEAST_SHOWN * len(own.probes)
        for own in of_rule
    )


def _fails_with_part(result: Result, clause: str, known: Mapping[str, Signature]) -> bool:
    """Return True if a known fault of any clause in the part of `clause` fails the check, by its record.

    A check that compares a bot with itself is failed by no known fault.
    """
    part = CLAUSES[clause].part
    return any(share_failing(name, result.check, known) for name in CLAUSES if CLAUSES[name].part is part)


def _is_consequence(
    cause: Cause, explained: Sequence[Result], earlier: Cause, known: Mapping[str, Signature], *, many: bool
) -> bool:
    """Return True if an earlier cause makes all failures of a cause likely.

    many   the earlier cause explains the wrong numbers of MANY searches or more
    """
    # A missing ability of the earlier clause is a part of the earlier cause. The abilities of the wire and of
    # the commands are independent of each other.
    independent = CLAUSES[cause.clause].part in (Part.WIRE, Part.COMMAND)
    if cause.kind is CauseKind.ABILITY and cause.clause == earlier.clause and not independent:
        return True
    # One wrong choice is likelier than two, unless a known fault is the second.
    parts = {CLAUSES[one.clause].part for one in (cause, earlier)}
    if cause.kind is CauseKind.CLAUSE and parts == {Part.CHOICE}:
        return True
    others = [r for r in explained if not _follows_from(r, earlier)]
    searched = [r for r in others if not is_dialogue(r.check)]
    talked = [r for r in others if is_dialogue(r.check)]
    # A known fault that explains searches is a cause of its own.
    if searched and not (
        cause.kind is CauseKind.CLAUSE
        and (
            (many and _are_choices_that_follow(searched, earlier, known))
            or _are_of_one_function(searched, earlier, known)
        )
    ):
        return False
    return not talked or _dialogues_follow(cause, talked, earlier, known, many=many)


def _dialogues_follow(
    cause: Cause, explained: Sequence[Result], earlier: Cause, known: Mapping[str, Signature], *, many: bool
) -> bool:
    """Return True if an earlier cause makes these failures of dialogues likely; see `_is_consequence`."""
    # A dialogue that relies on a missing ability failed before that ability was seen to be missing.
    if relies_on_missing(explained, [earlier]):
        return True
    if not all(r.check.needs.commands for r in explained):
        return False
    # A dialogue that reads ref-nodes or ref-score sees wrong playouts, whatever it is about.
    share = min(share_failing(earlier.clause, r.check, known) for r in explained)
    spoils = (
        cause.clause != earlier.clause
        and CLAUSES[earlier.clause].part in SPOILS_NUMBERS
        and all(_fails_with_part(r, earlier.clause, known) for r in explained)
    )
    # A single wrong number shows nothing beside the wrong numbers of many positions.
    if spoils and many and len(explained) == 1:
        return True
    # A single probable fault is a cause of its own, unless most faults of the earlier clause explain these
    # failures too. If several faults explain them alike, one fault of the earlier clause is enough.
    if cause.kind is CauseKind.FAULT and not cause.alike and cause.probability > LEAST_PROBABLE:
        return share >= OFTEN
    return spoils or share > 0.0
