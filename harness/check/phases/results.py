"""The results of a run so far: an observation is reported by the check that it is about."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from harness.check.model import REFUSING, Check, Confirmation, Judgement, Level, Outcome, Result
from harness.check.phases.events import CheckEnded, Event, FailureSeen

OVERRULED = frozenset({Outcome.PASS, Outcome.SKIP, Outcome.INCONCLUSIVE})
"""Outcomes of a check that a violation of its subject, observed by another check, overrules."""

CRASH_HINT = "find out why the process ends there, by hand or in a debugger: conform docs howto-debug"
"""The hint about a death, whatever the check asks for."""

WEIGHT = {Level.INFO: 0, Level.SHOULD: 1, Level.MUST: 2}

UNKNOWN = frozenset({Outcome.BLOCKED, Outcome.INCONCLUSIVE})
"""Outcomes of a check that leave open whether the bot has the ability."""


class Results:
    """The result of each check that has ended, by its id. An observation goes to the check that it is about.

    A check that observed the violation of another subject is blocked by the check of that subject, and that
    check fails with the observation, now or when it is done. An observation about a check that was not
    selected only blocks, unless it is the death of the bot.
    """

    def __init__(self, checks: Sequence[Check]) -> None:
        self.by_check: dict[str, Result] = {}
        self._checks = {check.id: check for check in checks}
        self._found: dict[str, Result] = {}  # what other checks observed, by the check that it is about
        self._finders: dict[str, set[str]] = {}  # the checks that observed it

    def note(self, result: Result) -> Iterator[Event]:
        """Take a result; the events say which results stand now, and what is foreseen."""
        yield from map(CheckEnded, self.settle(result))
        foreseen = self.foreseen(result)
        if foreseen is not None:
            yield FailureSeen(foreseen)

    def settle(self, result: Result) -> list[Result]:
        """The results that stand now: that of the check itself, and of the check that it is about."""
        result = self._own_death(result)
        about = result.judgement.reported_by
        refused = result.outcome in REFUSING and not self._weighs_less(result.check, about)
        result = replace(result, judgement=replace(result.judgement, reported_by=""))
        if not refused or not about or about == result.check.id:
            return [self._settle(self._overruled(result))]
        seen = Judgement(Outcome.BLOCKED, result.judgement.expected, result.judgement.observed)
        no_second = Confirmation.NOT_NEEDED
        blocked = replace(result, judgement=seen, blocked_by=(about,), confirmation=no_second)
        settled = [self._settle(blocked)]
        self._finders.setdefault(about, set()).add(result.check.id)
        if about in self._checks:
            self._found.setdefault(about, replace(result, check=self._checks[about], observer=result.check))
        earlier = self.by_check.get(about)
        if earlier is not None:
            overruled = self._overruled(earlier)
            settled += [self._settle(overruled)] if overruled is not earlier else []
        return settled

    def _own_death(self, result: Result) -> Result:
        """A death fails the check that met it where the check that would report it was not selected.

        No right bot dies, whatever the check asks for.
        """
        judgement = result.judgement
        if result.outcome is not Outcome.CRASH or judgement.reported_by in self._checks:
            return result
        return replace(result, judgement=replace(judgement, reported_by="", clause=judgement.clause or "gtp"))

    def foreseen(self, result: Result) -> Result | None:
        """The failure of a check that has not been made yet, which this result shows; None without one."""
        found = self._found.get(result.judgement.reported_by)
        if found is None or found.observer is not result.check or found.check.id in self.by_check:
            return None
        return found

    def _weighs_less(self, check: Check, about: str) -> bool:
        """Return whether the check weighs less than the one that its observation is about.

        Such a check sends what GTP or the specification leaves open, so an answer to it refuses no bot.
        """
        other = self._checks.get(about)
        return other is not None and WEIGHT[check.level] < WEIGHT[other.level]

    def _settle(self, result: Result) -> Result:
        """The result with the hint of its check, where it has none of its own."""
        if not result.judgement.hint and result.refuses:
            hint = CRASH_HINT if result.outcome is Outcome.CRASH else result.check.hint
            result = replace(result, judgement=replace(result.judgement, hint=hint))
        self.by_check[result.check.id] = result
        return result

    def _overruled(self, result: Result) -> Result:
        """Return the result, overruled where another check observed its cause.

        A blocked check is overruled only where it is blocked by the check that observed its violation: else
        the two would block each other, and nothing would be reported.
        """
        found = self._found.get(result.check.id)
        if found is None:
            return result
        locked = bool(self._finders[result.check.id] & set(result.blocked_by))
        return found if result.outcome in OVERRULED or locked else result

    @property
    def unended(self) -> list[Check]:
        """The checks without a result, in their order."""
        return [check for check in self._checks.values() if check.id not in self.by_check]

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
