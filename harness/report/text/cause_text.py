"""The causes of failures in words, for the author of a bot: such as a fault or a missing command."""

from __future__ import annotations

from harness.check.bot.refusals import FAULTS_OF_HINTS
from harness.check.clauses import CLAUSES
from harness.check.model import Outcome, Phase, Result
from harness.diagnosis.cause import Cause, CauseKind
from harness.report.numbers import probability_text
from harness.report.records.check import BotReport
from harness.suite.registry import registered
from refbot.deviations.faults import FAULTS

GENERAL = 6
"""With this many failing checks of one clause, the headline is the whole requirement of the clause. Chosen: a
special case of a rule has fewer checks, even with those for the other colour."""

PROBABLE = 0.9
"""Least probability of a fault that heads its cause, and is called probable. Chosen: faults below it were
often relatives of the bot's real fault. The headline is then the requirement that was not met."""

INTERRUPTIONS = {Outcome.CRASH: "crash", Outcome.TIMEOUT: "silence"}
"""By outcome without an answer: the label, which says more than "not met"."""


def cause_label(cause: Cause, evidence: Result) -> str:
    """Return the words before `cause_title`, such as "probable fault" or "missing command".

    If no kind of cause names them, the evidence does: "wrong" if only the form of an answer is wrong, "crash"
    or "silence" without an answer, "wrong answer" in a random session, which shows no requirement, and
    else "not met": the title is then the requirement.
    """
    if cause.kind is CauseKind.MISSING:
        return "missing command"
    if cause.kind is CauseKind.PLAYOUTS:
        return "number of playouts"
    if _names_fault(cause):
        return "probable fault"
    if evidence.judgement.written_wrong:
        return "wrong"
    return INTERRUPTIONS.get(evidence.outcome, "wrong answer" if _is_of_session(evidence) else "not met")


def cause_title(cause: Cause, evidence: Result) -> str:
    """One sentence for a cause: the fault, the missing command, what was observed, or a requirement not met.

    `cause_label` stands before it and says which. `evidence` is the result of the check that shows the cause.
    """
    if _names_fault(cause):
        fault = FAULTS[cause.name]
        # What is wrong in a report is said of the command that reports it.
        subject = f"{fault.clause}: " if fault.where == "report" else ""
        return f"{capital(subject + fault.misconception)}."
    if cause.kind is CauseKind.MISSING:
        names = cause.name.split()
        commands = f"{', '.join(names[:-1])} or {names[-1]}" if names[1:] else names[0]
        return f"There is no {commands} command."
    if cause.kind is CauseKind.PLAYOUTS:
        return f"ref-nodes shows {int(cause.name):,} playouts a search, not the number that was said."
    if evidence.judgement.written_wrong and evidence.judgement.hint in FAULTS_OF_HINTS:
        return FAULTS_OF_HINTS[evidence.judgement.hint]
    if evidence.outcome in INTERRUPTIONS or _is_of_session(evidence):
        return evidence.judgement.observed.partition("\n")[0]
    if evidence.check.procedure.phase is Phase.EXPLORATION or _is_general(cause, evidence):
        # The title of an exploration says how it was found, that of one among many checks says too little.
        return CLAUSES[cause.clause].requirement
    return evidence.check.title


def _is_of_session(evidence: Result) -> bool:
    """Return True for a failure in a random session of GTP: it shows no requirement, only itself."""
    is_exploration = evidence.check.procedure.phase is Phase.EXPLORATION
    return is_exploration and not evidence.check.needs.commands and bool(evidence.judgement.observed)


def headline(rank: str, cause: Cause, evidence: Result) -> str:
    """The cause in one line, after the words for its rank in the report, such as "Start here"."""
    return f"{rank}, {cause_statement(cause, evidence)}"


def cause_statement(cause: Cause, evidence: Result) -> str:
    """The label and the title of a cause, in one line."""
    return f"{cause_label(cause, evidence)}: {cause_title(cause, evidence)}"


def cause_of_each(bot: BotReport) -> dict[str, str]:
    """By the id of a failing check: its cause in one line, unless the line only repeats the check's title."""
    causes: dict[str, str] = {}
    for cause in bot.diagnosis.causes:
        statement = cause_statement(cause, bot.by_id[cause.evidence])
        for check in cause.explains:
            if bot.by_id[check].check.title not in statement:
                causes[check] = statement
    return causes


def _is_general(cause: Cause, evidence: Result) -> bool:
    """Return True if a search shows an unknown fault of a clause, and at least GENERAL checks of it fail.

    The title of one check then says too little: it may be about a special case.
    """
    if cause.kind is not CauseKind.CLAUSE or evidence.check.procedure.search_plan is None:
        return False
    checks = (registered(name) for name in cause.explains)
    own = sum(check is not None and check.clause == cause.clause for check in checks)
    return own >= GENERAL


def _names_fault(cause: Cause) -> bool:
    """Return True if the title describes a known fault: exactly one probable fault explains several failures.

    One failing check does not identify a fault: many faults fail the same check. Few fail the same two.
    """
    is_one_fault = cause.kind is CauseKind.FAULT and not cause.alike
    return is_one_fault and len(cause.explains) > 1 and cause.probability >= PROBABLE


def cause_basis(cause: Cause) -> str:
    """Return a sentence with the reason for the cause, and the command that explains the broken clause."""
    return f"{cause_reason(cause)} ({CLAUSES[cause.clause].explained_by})."


def cause_reason(cause: Cause) -> str:
    """Return the reason for the cause as a sentence without a full stop.

    It has the probability of a known fault, unless only this fault fits and it explains only one check.
    """
    if cause.kind is CauseKind.MISSING:
        return "GTP requires it; what needs it failed or could not be judged"
    if cause.kind is CauseKind.PLAYOUTS:
        return "It shows this wherever all playouts have one length; no other search can be judged"
    if cause.kind is CauseKind.ABILITY:
        return "Other checks rely on this and could not be judged"
    if cause.kind is CauseKind.FAULT:
        likely = f"probability {probability_text(cause.probability)}"
        if not cause.alike and not _names_fault(cause):
            # Unknown faults, too, fail the same one check: it cannot show how likely this fault is.
            fault = f"{cause.name} ({likely})" if cause.explains[1:] else cause.name
            return f"A known fault that would explain it is {fault}: {FAULTS[cause.name].misconception}"
        if cause.alike:
            names = f"{', '.join((cause.name, *cause.alike[:-1]))} and {cause.alike[-1]}"
            return f"Known faults that would explain it are {names} ({likely} each)"
        return f"The bot behaves like the fault {cause.name} ({likely})"
    checks = [registered(name) for name in cause.explains]
    if all(check is not None and check.procedure.phase is Phase.EXPLORATION for check in checks):
        return "Random cases alone show it; they point to this requirement, and to no known fault"
    return "No known fault fits; failures point to this requirement"


def capital(text: str) -> str:
    """The text with a capital letter at its start, unless its first word is a command such as ref-score.

    A word with "_", or with "ref-" at its start, is a command; no text begins with another command.
    """
    first = text.partition(" ")[0]
    return text if "_" in first or first.startswith("ref-") else text[:1].upper() + text[1:]
