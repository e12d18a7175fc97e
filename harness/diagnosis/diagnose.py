"""Diagnosis of a deviating bot: the causes of its failures in order, each with the failures that it explains.

One cause is named at a time, from the sets of one and two known faults (`fault_ranking`) and the clauses
(`clause_ranking`). Its failures are then set aside. After a known fault, the next cause is what joins it
best, by all observations; after another cause, the rest is diagnosed again. A cause is the lack of required
commands, the lack of an ability that other checks need, a known fault, or a clause that the bot gets wrong.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from harness.check.clauses import CLAUSES, Part
from harness.check.model import Level, Result, Verdict
from harness.check.phases.findings import Findings
from harness.check.verdict import verdict
from harness.diagnosis.broken_dialogues import mentions, out_of_step, silences
from harness.diagnosis.cause import Cause, CauseKind, best_evidence, cause_of, clause_explains
from harness.diagnosis.choice_law import signatures_at
from harness.diagnosis.clause_parts import ALSO_FAILING, Pattern, pattern_of
from harness.diagnosis.clause_ranking import rank_clauses
from harness.diagnosis.consequences import add_cause, may_follow, relies_on_missing
from harness.diagnosis.contradiction import foretells_no_failure
from harness.diagnosis.earlier_games import is_spoiled, kept_between_games
from harness.diagnosis.effects import explains, explains_failure
from harness.diagnosis.fault_ranking import LEAST_NAMED, Fit, Suspects, Suspicion, most_claimed, most_probable
from harness.diagnosis.pointing import is_dialogue, is_direct, is_random, most_basic, subject_of
from harness.diagnosis.signatures import Signature, signatures
from harness.diagnosis.spectrum import Spectrum, about, spectrum_of
from harness.gtp import REQUIRED_COMMANDS

# These limits were chosen by hand. How often the diagnosis is right with them: docs/statistics.md, "Clauses".

LIKELIER = 3.0
"""A missing ability is blamed on another clause if that one is likelier than its own by this factor."""

SURE = 0.9
"""A missing ability is blamed on a fault of its clause if the fault has at least this probability."""

AS_LIKELY = 0.99
"""Clauses with this fraction of the probability of the likeliest one, or more, count as equally probable: two
faults that are at work together have the same sum of probabilities."""

FAULT_OF_CLAUSE = 0.5
"""A fault is named in place of its clause if it has at least this share of the clause's probability."""

FEW_OTHERS, MOST_OTHERS = 2, 0.25
"""A fault also gets failures that its record lacks, up to the larger of this number and this fraction of
those in its record."""

LIKE_RELATED, LIKE_UNFIT = 0.5, 0.2
"""If a fault fits nearly, or not, this fraction of its probability counts for its clause."""


@dataclass(frozen=True)
class Diagnosis:
    """The diagnosis of one bot. Both fields are empty for a bot that does not deviate.

    causes       the most basic first, then the most probable; each failing check belongs to exactly one
    suspicions   known faults that the bot behaves like, at most three, the most probable first
    """

    causes: tuple[Cause, ...] = ()
    suspicions: tuple[Suspicion, ...] = ()


def diagnose(
    findings: Findings, *, strict: bool = False, known: Mapping[str, Signature] | None = None
) -> Diagnosis:
    """Return the causes of the failures, and the known faults that the bot behaves like.

    strict  recommendations that are not followed need a cause, too
    known   its keys are the faults to compare with, and "" for the right bot; by default all faults
    Probabilities assume that the bot deviates. Faults that no check can distinguish share their probability.
    That of a fault is of all explanations with it, of one fault or of two: their sum may not be 1.
    """
    if verdict(findings, strict=strict) is not Verdict.DEVIATES:
        return Diagnosis()
    known = _known_at(findings, known)
    levels = {Level.MUST, Level.SHOULD} if strict else {Level.MUST}
    failing = [r for r in findings.results if r.refuses and r.check.level is not Level.INFO]
    left = [result for result in failing if result.check.level in levels]
    suspects, evidence = Suspects(findings, known), findings
    suspicions = first = suspects.rank()
    sure = _sure(first)
    causes: list[Cause] = []
    named: list[str] = []  # known faults among the causes
    while left:
        cause = _Unexplained(findings, left, suspicions, known, failing).next_cause()
        explained = [r for r in left if r.check.id in cause.explains]
        if cause.name in sure and not relies_on_missing(explained, causes):
            causes.append(cause)
        else:
            add_cause(causes, cause, explained, known, failing)
        left = [result for result in left if result.check.id not in cause.explains]
        if not left:
            break
        findings = findings.without(cause.explains)
        if cause.kind is CauseKind.FAULT:
            named.append(cause.name)
        else:
            evidence = evidence.without(cause.explains)
            suspects = Suspects(evidence, known)
        among = {name for name, own in known.items() if name and any(explains_failure(own, r) for r in left)}
        suspicions = suspects.rank(named, among)
    return Diagnosis(tuple(causes), most_probable(first))


def _known_at(findings: Findings, known: Mapping[str, Signature] | None) -> Mapping[str, Signature]:
    """Return the signatures, with the moves that they predict at the bot's number of playouts."""
    every = signatures_at(findings.series[0].playouts) if findings.series else signatures()
    return every if known is None else {name: every[name] for name in known}


def _sure(suspicions: Sequence[Suspicion]) -> dict[str, str]:
    """Return the clauses of the nearly certain faults, by their names."""
    return {item.fault: item.clause for item in suspicions if item.known and item.probability >= SURE}


@dataclass(frozen=True)
class _Unexplained:
    """The failures that no cause explains yet (`left`), and the faults that may be the cause.

    failing     all failures of the bot, also those that a cause explains already, and recommendations
    """

    findings: Findings
    left: Sequence[Result]
    suspicions: Sequence[Suspicion]
    known: Mapping[str, Signature]
    failing: Sequence[Result]

    @cached_property
    def _sure(self) -> dict[str, str]:
        return _sure(self.suspicions)

    @cached_property
    def _basic(self) -> Sequence[Result]:
        """The failures among which the cause is: no random one, and none that a more basic one may spoil."""
        basic = most_basic(r.check for r in self.left)
        failures = [r for r in self.left if r.check in basic or not is_direct(r.check)]
        return [r for r in failures if not is_random(r.check)] or self.left

    @cached_property
    def _spectrum(self) -> Spectrum:
        return spectrum_of(self.findings, self.known[""])

    @cached_property
    def _ranking(self) -> Mapping[str, float]:
        """The probability of each clause, if the fault is none of the known ones."""
        return dict(rank_clauses(self._spectrum))

    def _explains_a_basic(self, fault: str) -> bool:
        return any(explains_failure(self.known[fault], result) for result in self._basic)

    def next_cause(self) -> Cause:
        """Return the next cause: a missing command or ability that other checks rely on comes first."""
        cause = (
            self._of_missing_commands()
            or self._of_lost_step()
            or self._of_earlier_games()
            or self._of_prerequisite_or_clause()
        )
        # One wrong way to write answers spoils several checks: they have the same hint, and the same cause.
        shown = next(r.judgement for r in self.left if r.check.id == cause.evidence)
        if not shown.written_wrong:
            return cause
        alike = (r for r in self.left if r.judgement.written_wrong and r.judgement.hint == shown.hint)
        others = (r.check.id for r in alike if r.check.id not in cause.explains)
        return replace(cause, explains=(*cause.explains, *others))

    def _of_missing_commands(self) -> Cause | None:
        """Return the cause of all failures that mention a command that the bot lacks; None if none does."""
        lacking = self.findings.lacking
        explained = [r for r in self.left if mentions(r, lacking)]
        names = " ".join(name for name in REQUIRED_COMMANDS if name in lacking)
        return cause_of(CauseKind.MISSING, names, "gtp", 1.0, explained) if explained else None

    def _of_lost_step(self) -> Cause | None:
        """Return the cause of a bot that does not write one answer to each command; None for another bot."""
        spoiled = silences(self.left, self.findings.mute) or out_of_step(self.left)
        return cause_of(CauseKind.CLAUSE, "gtp", "gtp", 1.0, spoiled, spoiled[0]) if spoiled else None

    def _of_earlier_games(self) -> Cause | None:
        """Return the cause of a bot that keeps something from game to game; None for another bot."""
        kept = kept_between_games(self._basic, self._spectrum.deviations)
        if kept is None or self._belongs_to_sure_fault(kept):
            return None
        _, probability = self._likeliest_clause()
        fault = self._named_fault(self._known_of(kept.clause), probability)
        kind, name = (CauseKind.CLAUSE, kept.clause) if fault is None else (CauseKind.FAULT, fault.name)
        return cause_of(kind, name, kept.clause, probability, [r for r in self.left if is_spoiled(r)], kept)

    def _belongs_to_sure_fault(self, result: Result) -> bool:
        """Return True if a nearly certain fault of another clause explains the failure."""
        others = (name for name, clause in self._sure.items() if clause != result.clause)
        return any(explains_failure(self.known[name], result) for name in others)

    def _of_prerequisite_or_clause(self) -> Cause:
        blocked = Counter(check for result in self.findings.results for check in result.blocked_by)
        prerequisite = max(self._basic, key=lambda result: blocked[result.check.id])
        clause, probability = self._likeliest_clause()
        clause = self._spoiling(clause)
        if (
            blocked[prerequisite.check.id]
            and not self._is_of_sure_fault(prerequisite)
            and not self._is_lost_to(clause, prerequisite)
        ):
            pattern = pattern_of(self._spectrum.deviations)
            results_alone = pattern in (Pattern.RESULTS, Pattern.RESULTS_AND_MOVES)
            if results_alone and CLAUSES[prerequisite.clause].part is Part.SCORING:
                clause = prerequisite.clause  # a wrong komi may change from search to search, as chance does
            return self._of_ability(prerequisite, clause)
        if (fault := self._named_fault(self._known_of(clause), probability)) is not None:
            return fault
        own = [r for r in self.left if r.clause == clause]
        evidence = best_evidence(own or [r for r in self.left if not is_direct(r.check)] or self.left, "")
        check = evidence.check
        clause = evidence.clause if is_direct(check) else clause
        explained = [
            r
            for r in self.left
            if r is evidence
            or (clause_explains(clause, about(r), check) and may_follow(r, clause, self.known))
        ]
        return cause_of(CauseKind.CLAUSE, clause, clause, probability, explained, evidence)

    def _known_of(self, clause: str) -> list[Suspicion]:
        """Return the known faults of a clause that may be the cause."""
        return [item for item in self.suspicions if item.known and item.clause == clause]

    def _is_of_sure_fault(self, result: Result) -> bool:
        """Return True if a nearly certain fault explains the failure, is of its clause, or spoils its part.

        The last two explain the missing ability even if the record of the fault lacks this check. For clauses
        of the protocol, whose faults are unrelated to each other, the first alone counts.
        """
        part = CLAUSES[result.clause].part
        related = part not in (Part.WIRE, Part.COMMAND)
        return any(
            explains_failure(self.known[name], result)
            or (related and (clause == result.clause or part in ALSO_FAILING.get(CLAUSES[clause].part, ())))
            for name, clause in self._sure.items()
        )

    def _spoiling(self, clause: str) -> str:
        """Return the clause of the score that a dialogue shows to be wrong: it spoils choices too.

        A clause of the choice with a nearly certain fault, and every other clause, is returned as it is.
        """
        if CLAUSES[clause].part is not Part.CHOICE or clause in self._sure.values():
            return clause
        talked = (r.clause for r in self._basic if is_dialogue(r.check))
        return next((name for name in talked if CLAUSES[name].part is Part.SCORING), clause)

    def _spoiling_all(self) -> set[str]:
        """Return the clauses that may explain all failures without a failing check of their own.

        They spoil the parts of all checks that point to one clause, and others failed that depend on most.
        """
        pointing = [CLAUSES[r.clause].part for r in self._basic if is_direct(r.check)]
        if len(pointing) == len(self._basic):
            return set()
        return {name for name in CLAUSES if ALSO_FAILING.get(CLAUSES[name].part, set()).issuperset(pointing)}

    def _is_lost_to(self, clause: str, result: Result) -> bool:
        """Return True if an ability is missing because the bot gets another clause wrong.

        Examples: a bot with a wrong definition of an eye fills eyes by genmove as well as in playouts; a
        wrong ref-score looks as if komi were ignored.
        """
        if CLAUSES[result.clause].part not in ALSO_FAILING.get(CLAUSES[clause].part, ()):
            return False
        shown = sum(r.refuses and r.clause == clause and is_direct(r.check) for r in self.findings.results)
        return shown > 1 and self._ranking[clause] > LIKELIER * self._ranking[result.clause]

    def _named_fault(self, suspicions: Sequence[Suspicion], probability: float) -> Cause | None:
        """Return the most probable of the faults as a cause; None if it is too improbable to be named.

        Faults that explain the same failures count together. `probability` is that of their clause.
        """
        explained = {
            item.fault: [
                r
                for r in self.left
                if explains_failure(self.known[item.fault], r) and not self._belongs_to_other(item, r)
            ]
            for item in suspicions
        }
        seen = (i for i in suspicions if any(not is_random(r.check) for r in explained[i.fault]))
        if (first := next(seen, None)) is None:
            return None
        alike = [item for item in suspicions if explained[item.fault] == explained[first.fault]]
        if sum(item.probability for item in alike) < max(LEAST_NAMED, FAULT_OF_CLAUSE * probability):
            return None
        if self._leaves_as_many_unexplained(first, explained[first.fault]):
            return None
        failures = self._with_few_others(first, explained[first.fault])
        first, *others = most_claimed(alike, explained[first.fault])
        shown = best_evidence(explained[first.fault], first.fault, first.clause)
        cause = cause_of(CauseKind.FAULT, first.fault, first.clause, first.probability, failures, shown)
        return replace(cause, alike=tuple(item.fault for item in others))

    def _leaves_as_many_unexplained(self, fault: Suspicion, explained: Sequence[Result]) -> bool:
        """Return True if a fault leaves as many failures of its subject as it explains certainly unexplained.

        The subject is the clause, or in the clause `gtp` the topic of the check; the choice of a move is one.
        Another fault of the same subject is then likelier than two. All moves that a fault of the choice
        changes are recorded.
        """
        subjects = {subject_of(result) for result in explained}
        others = [r for r in self.failing if r not in explained and subject_of(r) in subjects]
        if CLAUSES[fault.clause].part is Part.CHOICE:
            against = sum(not is_random(result.check) for result in others)
        else:
            against = sum(foretells_no_failure(fault.fault, result) for result in others)
        return against >= len(explained)

    def _like(self, item: Suspicion) -> float:
        """Return the fraction of the probability of a fault that counts for its clause."""
        if item.fit is not Fit.WELL:
            return LIKE_RELATED if item.fit is Fit.NEARLY else LIKE_UNFIT
        if not item.known or item.probability < LEAST_NAMED:
            return 1.0
        own = [r for r in self.failing if explains_failure(self.known[item.fault], r)]
        return LIKE_UNFIT if self._leaves_as_many_unexplained(item, own) else 1.0

    def _belongs_to_other(self, fault: Suspicion, result: Result) -> bool:
        """Return True if a failure is of the clause of another nearly certain fault, which fails the check.

        The answers need not be those of the other fault alone: here both are at work.
        """
        return result.clause != fault.clause and any(
            clause == result.clause and explains(self.known[name], result.check)
            for name, clause in self._sure.items()
        )

    def _with_few_others(self, fault: Suspicion, explained: list[Result]) -> list[Result]:
        """Return the explained failures, and other failures that the clause can cause, if these are few."""
        clause = fault.clause
        shown = best_evidence(explained, "", clause)
        others = [
            r
            for r in self.left
            if r not in explained
            and clause_explains(clause, r.check, shown.check)
            and not self._belongs_to_other(fault, r)
        ]
        few = len(others) <= max(FEW_OTHERS, MOST_OTHERS * len(explained))
        kept = {r.check.id for r in (*explained, *(others if few else ()))}
        return [result for result in self.left if result.check.id in kept]

    def _of_ability(self, result: Result, likeliest: str) -> Cause:
        """Return the cause of a missing ability: a known fault if exactly one fits, else the ability itself.

        The checks that could distinguish several faults did not run: they need the ability. If its clause is
        the likeliest clause of all failures, the ability is the first sign of one fault, which explains them.
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
        spreads = CLAUSES[check.clause].part is Part.WIRE or likeliest == check.clause
        explained = [
            r
            for r in self.left
            if r is result or (spreads and clause_explains(check.clause, about(r), check))
        ]
        return cause_of(CauseKind.ABILITY, check.id, check.clause, 1.0, explained, result)

    def _likeliest_clause(self) -> tuple[str, float]:
        """Return the most probable clause, by the known faults and, for unknown faults, by the ranking."""
        shares: defaultdict[str, float] = defaultdict(float)
        unknown = 0.0
        for item in self.suspicions:
            share = item.probability * self._like(item) * bool(item.clause)
            unknown += item.probability - share
            if item.clause:
                shares[item.clause] += share
        for clause, probability in self._ranking.items():
            shares[clause] += unknown * probability
        fitting = (i for i in self.suspicions if i.clause and i.fit is not Fit.BADLY)
        suspected = (i for i in fitting if i.probability >= LEAST_NAMED)
        own = self._spoiling_all() | {result.clause for result in self._basic}
        own.update(i.clause for i in suspected if i.fault in self._sure or self._explains_a_basic(i.fault))
        possible = {clause: share for clause, share in shares.items() if clause in own} or shares
        # Two faults of an explanation are equally probable: the one whose signs are clearer comes first.
        likeliest = [c for c, share in possible.items() if share >= AS_LIKELY * max(possible.values())]
        return max(((c, shares[c]) for c in likeliest), key=lambda item: (self._ranking[item[0]], item[1]))
