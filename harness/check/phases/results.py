"""The results of a run so far. A failure is reported by the check of its subject, not by its observer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from harness.check.model import REFUSING, Check, Confirmation, Judgement, Level, Outcome, Result
from harness.check.phases.events import CheckEnded, Event, FailureSeen
from harness.check.play_rules import REFERENCE_RULES, PlayRules
from harness.check.procedures.chosen_move import RULE_OF_VIOLATION
from harness.check.stored_records import with_named_records

OVERRULED = frozenset({Outcome.PASS, Outcome.SKIP, Outcome.INCONCLUSIVE})
"""Outcomes of a check that change into a failure when another check observes a violation of its subject."""

CRASH_HINT = "find out why the process ends there, by hand or in a debugger: conform docs howto-debug"
"""The hint after a death of the bot, in any check."""

WEIGHT = {Level.INFO: 0, Level.SHOULD: 1, Level.MUST: 2}

UNKNOWN = frozenset({Outcome.BLOCKED, Outcome.INCONCLUSIVE})
"""Outcomes of an ability's check that block the checks that rely on the ability, as a failure does."""


class Results:
    """The results of all ended checks, by id in `by_check`.

    The observer of a failure may not be its reporter: `Judgement.reported_by` then names another check. The
    observer is blocked, and the reporter fails with the observation, at once or when it has ended. If the
    reporter is not among the selected checks, the observer is only blocked; but if the bot died, the
    observer fails. It also fails itself, and not the reporter, if its level is the lower one.

    An example: the bot refuses `boardsize 9` in the dialogue of `game.capture.stone`. `reported_by` names
    `gtp.setup.size-accepted`. So `game.capture.stone` is blocked, and `gtp.setup.size-accepted` fails, even
    if it passed before.

    A move that breaks a rule by which the bot does not play, such as a pass where it is free to pass, is no
    failure: the observer is skipped.
    """

    def __init__(self, checks: Sequence[Check], rules: PlayRules = REFERENCE_RULES) -> None:
        self._rules = rules
        self.by_check: dict[str, Result] = {}
        self._checks = {check.id: check for check in checks}
        self._observed: dict[str, Result] = {}  # by reporter: the first failure that another check observed
        self._observers: dict[str, set[str]] = {}  # by reporter: ids of all observers
        self._missing: set[str] = set()  # see `missing`; kept, since it is read before each check

    def note(self, result: Result) -> Iterator[Event]:
        """Add a result; yield an event for each new or changed result, and for a failure foreseen."""
        yield from map(CheckEnded, self.settle(result))
        foreseen = self.foreseen(result)
        if foreseen is not None:
            yield FailureSeen(foreseen)

    def settle(self, result: Result) -> list[Result]:
        """Add a result; return the results that are new or changed: of this check, and of its reporter."""
        result = replace(result, judgement=with_named_records(result.judgement))
        result = self._skip_for_own_rules(self._keep_death(result))
        reporter = result.judgement.reported_by
        refused = result.outcome in REFUSING and not self._weighs_less(result.check, reporter)
        result = replace(result, judgement=replace(result.judgement, reported_by=""))
        if not refused or not reporter or reporter == result.check.id:
            return [self._store(self._overrule(result))]
        return [self._store(self._block(result, reporter)), *self._overrule_earlier(reporter)]

    def _block(self, result: Result, reporter: str) -> Result:
        """Record a failure as observed for its reporter; return the blocked result of the observer."""
        self._observers.setdefault(reporter, set()).add(result.check.id)
        if reporter in self._checks:
            failure = replace(result, check=self._checks[reporter], observer=result.check)
            self._observed.setdefault(reporter, failure)
        seen = Judgement(Outcome.BLOCKED, result.judgement.expected, result.judgement.observed)
        no_second = Confirmation.NOT_NEEDED
        return replace(result, judgement=seen, blocked_by=(reporter,), confirmation=no_second)

    def _overrule_earlier(self, reporter: str) -> list[Result]:
        """Replace the result of a reporter that has ended by the observed failure; return the changed result.

        The list is empty if the reporter has not ended, or keeps its result.
        """
        earlier = self.by_check.get(reporter)
        overruled = self._overrule(earlier) if earlier is not None else None
        return [] if overruled is None or overruled is earlier else [self._store(overruled)]

    def _skip_for_own_rules(self, result: Result) -> Result:
        """Return the result as skipped if its failure only breaks a rule by which the bot does not play."""
        judgement = result.judgement
        if result.outcome is not Outcome.FAIL:
            return result
        own_rule = self._rules.unmet(RULE_OF_VIOLATION.get(judgement.reported_by, ()))
        if not own_rule:
            return result
        excuse = f"the bot plays by other rules, {own_rule}: {judgement.observed.splitlines()[0]}"
        judgement = replace(
            judgement, outcome=Outcome.SKIP, observed=excuse, reported_by="", hint="", clause=""
        )
        return replace(result, judgement=judgement)

    def _keep_death(self, result: Result) -> Result:
        """Return the result; a death that no selected check reports becomes a failure of the observer itself.

        No right bot dies. The clause of the death is that of its judgement; else the clause of the check, if
        that is one of GTP; else `gtp`.
        """
        judgement = result.judgement
        if result.outcome is not Outcome.CRASH or judgement.reported_by in self._checks:
            return result
        own = result.check.clause
        clause = judgement.clause or (own if own.startswith("gtp") else "gtp")
        return replace(result, judgement=replace(judgement, reported_by="", clause=clause))

    def foreseen(self, result: Result) -> Result | None:
        """Return the failure that this result was the first to show of a check not ended yet; else None."""
        found = self._observed.get(result.judgement.reported_by)
        if found is None or found.observer is not result.check or found.check.id in self.by_check:
            return None
        return found

    def _weighs_less(self, check: Check, reporter: str) -> bool:
        """Return whether the check has a lower level than the check `reporter`.

        Such a check sends lines that GTP or the specification leaves open: no answer to them refuses a bot.
        """
        other = self._checks.get(reporter)
        return other is not None and WEIGHT[check.level] < WEIGHT[other.level]

    def _store(self, result: Result) -> Result:
        """Store the result, with the hint of its check if the judgement has none; return it."""
        if not result.judgement.hint and result.refuses:
            hint = CRASH_HINT if result.outcome is Outcome.CRASH else result.check.hint
            result = replace(result, judgement=replace(result.judgement, hint=hint))
        self.by_check[result.check.id] = result
        lacks = result.outcome in UNKNOWN or result.refuses
        if lacks and result.confirmation is not Confirmation.UNSTABLE:
            self._missing.add(result.check.id)
        else:
            self._missing.discard(result.check.id)
        return result

    def _overrule(self, result: Result) -> Result:
        """Return the failure that another check observed, in place of the result; else the result itself.

        A blocked result is replaced only if an observer blocks it: otherwise both checks would block each
        other, and no check would report the failure.
        """
        found = self._observed.get(result.check.id)
        if found is None:
            return result
        blocks_each_other = bool(self._observers[result.check.id] & set(result.blocked_by))
        return found if result.outcome in OVERRULED or blocks_each_other else result

    @property
    def unended(self) -> list[Check]:
        """The checks without a result, in their order."""
        return [check for check in self._checks.values() if check.id not in self.by_check]

    @property
    def missing(self) -> frozenset[str]:
        """The ids of the checks that failed, were blocked or are undecided: they block what relies on them.

        Without unstable failures, which do not show that the bot lacks the ability.
        """
        return frozenset(self._missing)

    @property
    def refusing(self) -> frozenset[str]:
        """The ids of the MUST checks that failed."""
        return frozenset(
            result.check.id
            for result in self.by_check.values()
            if result.refuses and result.check.level is Level.MUST
        )

    @property
    def deviates(self) -> bool:
        """True if a MUST has failed."""
        return bool(self.refusing)

    @property
    def failed_clauses(self) -> frozenset[str]:
        """The clauses of the checks that have failed."""
        return frozenset(result.clause for result in self.by_check.values() if result.refuses)
