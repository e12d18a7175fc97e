"""The results of a run so far, and what follows from them for the checks that are still to come."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from harness.check.model import Check, Confirmation, Level, Outcome, Result
from harness.check.phases.attribution import Attribution
from harness.check.phases.events import CheckEnded, Event, FailureSeen

UNKNOWN = frozenset({Outcome.BLOCKED, Outcome.INCONCLUSIVE})
"""Outcomes of a check that leave open whether the bot has the ability."""


class Results:
    """The result of each check that has ended."""

    def __init__(self, checks: Sequence[Check]) -> None:
        self.checks = checks
        self.by_check: dict[str, Result] = {}
        self._attribution = Attribution(checks)

    def note(self, result: Result) -> Iterator[Event]:
        """Take a result; the events say which results stand now, and what is foreseen."""
        for settled in self._attribution.settle(result):
            self.by_check[settled.check.id] = settled
            yield CheckEnded(settled)
        foreseen = self._attribution.foreseen(result)
        if foreseen is not None:
            yield FailureSeen(foreseen)

    @property
    def unended(self) -> list[Check]:
        """The checks without a result, in their order."""
        return [check for check in self.checks if check.id not in self.by_check]

    @property
    def missing(self) -> frozenset[str]:
        """The ids of the checks that failed or that nothing is known of: whatever relies on them is blocked.

        A failure that did not come back does not say that the bot lacks the ability.
        """
        return frozenset(
            result.check.id
            for result in self.by_check.values()
            if result.outcome in UNKNOWN
            or (result.refuses and result.confirmation is not Confirmation.UNSTABLE)
        )

    @property
    def deviates(self) -> bool:
        """A MUST has failed."""
        return any(result.refuses and result.check.level is Level.MUST for result in self.by_check.values())

    @property
    def failed_clauses(self) -> frozenset[str]:
        """The clauses of the checks that have failed."""
        return frozenset(result.clause for result in self.by_check.values() if result.refuses)
