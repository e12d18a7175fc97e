"""The failures of a bot that no cause explains yet, and what is known about them.

`diagnose` makes an `Unexplained` for each cause that it looks for. `next_cause`, `likeliest_clause` and
`named_fault` take it as their argument `rest`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from harness.check.model import Result
from harness.check.phases.findings import Findings
from harness.diagnosis.clause_ranking import rank_clauses
from harness.diagnosis.effects import explains, explains_failure
from harness.diagnosis.fault_ranking import Suspicion
from harness.diagnosis.pointing import is_direct, is_random, most_basic
from harness.diagnosis.signatures import Signature
from harness.diagnosis.spectrum import Spectrum, spectrum_of

SURE = 0.9
"""A known fault that fits well is nearly certain from this probability on. Chosen by hand; how often the
diagnosis is right with it: docs/statistics.md, "Clauses"."""


def nearly_certain(suspicions: Sequence[Suspicion]) -> dict[str, str]:
    """Return the nearly certain faults among the suspicions: the clause of each, by its name."""
    return {item.fault: item.clause for item in suspicions if item.known and item.probability >= SURE}


@dataclass(frozen=True)
class Unexplained:
    """The failures that no cause explains yet, and the faults that may be their cause.

    findings     about the bot, without the checks that earlier causes explain
    left         the failures that no cause explains yet; never empty
    suspicions   the known faults that may be the next cause, and "something else"; the most probable first
    known        signatures of the faults, by name; "" is the right bot
    failing      all failures of the bot, also of recommendations, and those that a cause explains already
    """

    findings: Findings
    left: Sequence[Result]
    suspicions: Sequence[Suspicion]
    known: Mapping[str, Signature]
    failing: Sequence[Result]

    @cached_property
    def sure(self) -> dict[str, str]:
        """The nearly certain faults: the clause of each, by its name."""
        return nearly_certain(self.suspicions)

    @cached_property
    def basic(self) -> Sequence[Result]:
        """The failures among which the cause is: no random one, and none that a more basic one may spoil.

        If only random ones are left, all of them.
        """
        basic = most_basic(r.check for r in self.left)
        failures = [r for r in self.left if r.check in basic or not is_direct(r.check)]
        return [r for r in failures if not is_random(r.check)] or self.left

    @cached_property
    def spectrum(self) -> Spectrum:
        """The spectrum of the findings: failing and passing checks, and deviations of searches."""
        return spectrum_of(self.findings, self.known[""])

    @cached_property
    def ranking(self) -> Mapping[str, float]:
        """The probability of each clause, if the fault is none of the known ones."""
        return dict(rank_clauses(self.spectrum))

    def explains(self, fault: str, result: Result) -> bool:
        """Return True if a known fault may be the cause of a failure, see `explains_failure`."""
        return explains_failure(self.known[fault], result)

    def known_of(self, clause: str) -> list[Suspicion]:
        """Return the known faults of a clause that fit well, the most probable first."""
        return [item for item in self.suspicions if item.known and item.clause == clause]

    def belongs_to_other(self, fault: Suspicion, result: Result) -> bool:
        """Return True if a failure is of the clause of another nearly certain fault, which fails the check.

        The answers need not be those of the other fault alone, because both faults are at work.
        """
        return result.clause != fault.clause and any(
            clause == result.clause and explains(self.known[name], result.check)
            for name, clause in self.sure.items()
        )
