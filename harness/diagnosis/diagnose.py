"""Why a bot deviates: its causes in order, each with the check that shows it and the failures it explains."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from harness.check.bot.wording import sent_words
from harness.check.clauses import CLAUSES, Part
from harness.check.model import REFUSING, Check, Level, Outcome, Result, Verdict
from harness.check.phases.findings import Findings
from harness.check.verdict import verdict
from harness.diagnosis.cause import Cause, CauseKind, best_evidence, cause_of, clause_explains
from harness.diagnosis.clause_parts import LOST_TO
from harness.diagnosis.clause_ranking import Spectrum, is_direct, is_random, rank_clauses
from harness.diagnosis.deviations import find_deviations
from harness.diagnosis.effects import explains_failure
from harness.diagnosis.fault_ranking import LEAST_NAMED, Suspicion, most_probable, suspect_faults
from harness.diagnosis.komi_fit import komi_fit
from harness.diagnosis.signatures import Signature, signatures
from harness.gtp import REQUIRED_COMMANDS

# These limits were chosen by hand. How often the diagnosis is right with them: docs/statistics.md, "Clauses".

LIKELIER = 3.0
"""Factor by which another clause must be likelier than that of a missing ability, to be its reason."""

SURE = 0.9
"""A fault at least as probable as this is taken for the reason of what its clause demands."""

FAULT_OF_CLAUSE = 0.5
"""Share of the probability of a clause from which one of its faults is named as the cause."""

ALIKE = 0.5
"""Faults that explain the same are named together if they are at least so probable, relative to the first."""

FEW_OTHERS, MOST_OTHERS = 2, 0.25
"""Failures, and the fraction of them, that are attributed to a fault although its record lacks them."""

LIKE_UNFIT = 0.2
"""Fraction of the probability of a fault that does not fit which goes to its clause; the rest is unknown."""

FRAMING = "gtp.frame."
"""The beginning of the ids of checks about the form of answers."""


@dataclass(frozen=True)
class Diagnosis:
    """The causes, the most basic and most probable first, and the faults that the bot behaves like.

    Both are empty for a bot that does not deviate. Each failing check that refuses the bot is explained by
    exactly one cause.
    """

    causes: tuple[Cause, ...] = ()
    suspicions: tuple[Suspicion, ...] = ()


def diagnose(
    findings: Findings, *, strict: bool = False, known: Mapping[str, Signature] | None = None
) -> Diagnosis:
    """Return the causes of the failures, and at most three known faults, the most probable first.

    `known` are the signatures to compare with, the right bot's ("") among them; without it, all that were
    recorded. Probabilities are those for a bot that does deviate. Faults that no check distinguishes share
    theirs; what is missing to 1 is the share of faults that are not named.
    """
    if verdict(findings, strict=strict) is not Verdict.DEVIATES:
        return Diagnosis()
    known = signatures() if known is None else known
    levels = {Level.MUST, Level.SHOULD} if strict else {Level.MUST}
    left = [r for r in findings.results if r.outcome in REFUSING and r.check.level in levels]
    first = suspect_faults(findings, known)
    suspicions, causes = first, []
    while left:
        cause = _Unexplained(findings, left, suspicions, known).next_cause()
        causes.append(cause)
        left = [result for result in left if result.check.id not in cause.explains]
        findings = _without(findings, cause.explains)
        suspicions = suspect_faults(findings, known) if left else ()
    return Diagnosis(tuple(causes), most_probable(first))


@dataclass(frozen=True)
class _Unexplained:
    """The failures that no cause explains yet (`left`), and the faults that may be the reason."""

    findings: Findings
    left: Sequence[Result]
    suspicions: Sequence[Suspicion]
    known: Mapping[str, Signature]

    def next_cause(self) -> Cause:
        """Return the cause to name next: what other checks rely on comes first."""
        cause = self._of_missing_commands() or self._of_prerequisite_or_clause()
        shown = next(r.judgement for r in self.left if r.check.id == cause.evidence)
        if not shown.written_wrong:
            return cause
        alike = (r for r in self.left if r.judgement.written_wrong and r.judgement.hint == shown.hint)
        others = (r.check.id for r in alike if r.check.id not in cause.explains)
        return replace(cause, explains=(*cause.explains, *others))

    def _of_missing_commands(self) -> Cause | None:
        """Return the cause of all failures in which a command appears that the bot lacks; None if none."""
        lacking = self.findings.lacking
        explained = [r for r in self.left if not lacking.isdisjoint(_words(r))]
        names = " ".join(name for name in REQUIRED_COMMANDS if name in lacking)
        return cause_of(CauseKind.MISSING, names, "gtp", 1.0, explained) if explained else None

    def _of_prerequisite_or_clause(self) -> Cause:
        blocked = Counter(check for result in self.findings.results for check in result.blocked_by)
        prerequisite = max(self.left, key=lambda result: blocked[result.check.id])
        ranking = dict(rank_clauses(spectrum_of(self.findings)))
        clause, probability = self._likeliest_clause(ranking)
        if (
            blocked[prerequisite.check.id]
            and not self._is_of_sure_fault(prerequisite)
            and not self._is_lost_to(clause, prerequisite, ranking)
        ):
            return self._of_ability(prerequisite)
        of_clause = [item for item in self.suspicions if item.known and item.clause == clause]
        fault = self._named_fault(of_clause, probability)
        if fault is not None:
            return fault
        evidence = best_evidence([r for r in self.left if r.clause == clause] or self.left, "")
        clause = evidence.clause  # a clause is named by a failing check of its own
        explained = [
            r for r in self.left if r is evidence or clause_explains(clause, _about(r), evidence.check)
        ]
        return cause_of(CauseKind.CLAUSE, clause, clause, probability, explained, evidence)

    def _is_of_sure_fault(self, result: Result) -> bool:
        """Return True if a failure is about the very clause of a fault that is as good as sure.

        The ability is then lost to that fault, although the record of the fault may not have this check. Not
        so on the wire, where faults of the one clause have nothing to do with each other.
        """
        first = self.suspicions[0]
        sure = first.known and first.probability >= SURE
        return sure and first.clause == result.clause and CLAUSES[first.clause].part is not Part.WIRE

    def _is_lost_to(self, clause: str, result: Result, ranking: Mapping[str, float]) -> bool:
        """Return True if an ability is missing because the bot gets another clause wrong, as its checks show.

        A bot that reads eyes wrongly, for example, fills them by genmove as well as in playouts; and what
        ref-score reports wrongly seems to ignore komi.
        """
        if CLAUSES[result.clause].part not in LOST_TO.get(CLAUSES[clause].part, ()):
            return False
        failing = (r for r in self.findings.results if r.outcome in REFUSING)
        shown = sum(r.clause == clause and is_direct(r.check) for r in failing)
        return shown > 1 and ranking[clause] > LIKELIER * ranking[result.clause]

    def _named_fault(self, suspicions: Sequence[Suspicion], probability: float) -> Cause | None:
        """Return the most probable fault of a clause as a cause; None if it does not stand for the clause.

        Faults that explain the same failures are taken together.
        """
        explained = {
            item.fault: [r for r in self.left if explains_failure(self.known[item.fault], r)]
            for item in suspicions
        }
        shown = (i for i in suspicions if any(not is_random(r.check) for r in explained[i.fault]))
        first = next(shown, None)
        if first is None:
            return None
        alike = [item for item in suspicions if explained[item.fault] == explained[first.fault]]
        if sum(item.probability for item in alike) < max(LEAST_NAMED, FAULT_OF_CLAUSE * probability):
            return None
        failures = self._with_few_others(first.clause, explained[first.fault])
        first, *others = _most_claimed(alike, explained[first.fault])
        cause = cause_of(CauseKind.FAULT, first.fault, first.clause, first.probability, failures)
        return replace(cause, alike=tuple(item.fault for item in others))

    def _with_few_others(self, clause: str, explained: list[Result]) -> list[Result]:
        """Return the failures that a fault was recorded with, and others that its clause reaches, if few."""
        shown = best_evidence(explained, "", clause)
        others = [
            r for r in self.left if r not in explained and clause_explains(clause, r.check, shown.check)
        ]
        few = len(others) <= max(FEW_OTHERS, MOST_OTHERS * len(explained))
        kept = {r.check.id for r in (*explained, *(others if few else ()))}
        return [result for result in self.left if result.check.id in kept]

    def _of_ability(self, result: Result) -> Cause:
        """Return the cause of a missing ability: a known fault if one alone fits, else the ability itself.

        Little else has run that could distinguish several faults, or a fault that nobody knows.
        """
        check = result.check
        fitting = [
            item
            for item in self.suspicions
            if item.known
            and explains_failure(self.known[item.fault], result)
            and (item.clause == result.clause or item.fault in check.kills)
        ]
        fault = self._named_fault(fitting, 1.0)
        if fault is not None and not fault.alike and check.id in fault.explains:
            others = (other for other in fault.explains if other != check.id)
            return replace(fault, evidence=check.id, explains=(check.id, *others))
        is_wire = CLAUSES[check.clause].part is Part.WIRE
        explained = [
            r for r in self.left if r is result or (is_wire and clause_explains(check.clause, r.check, check))
        ]
        return cause_of(CauseKind.ABILITY, check.id, check.clause, 1.0, explained, result)

    def _likeliest_clause(self, ranking: Mapping[str, float]) -> tuple[str, float]:
        """Return the most probable clause: by the known faults, and by the ranking for all other faults."""
        shares: defaultdict[str, float] = defaultdict(float)
        unknown = 0.0
        for item in self.suspicions:
            share = item.probability if item.known else LIKE_UNFIT * item.probability * bool(item.clause)
            unknown += item.probability - share
            if item.clause:
                shares[item.clause] += share
        for clause, probability in ranking.items():
            shares[clause] += unknown * probability
        own = {result.clause for result in self.left}
        return max(shares.items(), key=lambda item: (item[0] in own, item[1]))


def _words(result: Result) -> set[str]:
    """Return the words that were sent and those of the report; of a check of framing, those of `expected`.

    That an answer is well framed can be said of a refusal too, so a command that is missing spoils no such
    check, but it may stand beside what does.
    """
    judgement = result.judgement
    if result.check.id.startswith(FRAMING):
        return set(judgement.expected.split())
    return sent_words(result.transcript).union(judgement.expected.split(), judgement.observed.split())


def _most_claimed(alike: Sequence[Suspicion], explained: Sequence[Result]) -> list[Suspicion]:
    """Among tied faults, keep the likely ones that most of the failing checks name in `kills`."""
    claims = Counter(fault for result in explained for fault in result.check.kills)
    likely = [item for item in alike if item.probability >= ALIKE * alike[0].probability]
    most = max(claims[item.fault] for item in likely)
    return [item for item in likely if claims[item.fault] == most]


def spectrum_of(findings: Findings) -> Spectrum:
    """Return the part of the findings that the ranking of the clauses looks at."""
    weighty = [r for r in findings.results if r.check.level is not Level.INFO]
    certain = {
        series.probe.id
        for series in findings.series
        if series.probe.expected.certain_length and series.probe.expected.mean_length > 1.0
    }
    return Spectrum(
        [_about(r) for r in weighty if r.outcome in REFUSING],
        [r.check for r in weighty if r.outcome is Outcome.PASS],
        find_deviations(findings.series, signatures()[""]),
        frozenset(certain),
        komi_fit(findings.series),
    )


def _about(result: Result) -> Check:
    """Return the check, with the clause that its result is about."""
    return replace(result.check, clause=result.clause)


def _without(findings: Findings, explained: Collection[str]) -> Findings:
    """Return the findings without the failures that a cause explains, and without their searches."""
    results = tuple(r for r in findings.results if r.check.id not in explained)
    plans = [r.check.procedure.search_plan for r in findings.results if r.check.id in explained]
    probes = {plan.probe.id for plan in plans if plan is not None}
    if not any(r.refuses and r.check.procedure.search_plan is not None for r in results):
        return replace(findings, results=results, series=())  # no search needs an explanation any more
    series = tuple(series for series in findings.series if series.probe.id not in probes)
    return replace(findings, results=results, series=series)
