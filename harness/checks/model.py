"""What a check is, and what comes out of one: plain data, shared by every family."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from harness.checks.dialogue import Dialogue
    from harness.checks.parity import Contest
    from harness.checks.probe import Probing
    from harness.checks.special import Special


class Level(StrEnum):
    """How much a check weighs: only a failed MUST (or, with --strict, a SHOULD) refuses a bot."""

    MUST = "must"
    SHOULD = "should"
    INFO = "info"


class Outcome(StrEnum):
    """How a check ended."""

    PASS = "pass"
    FAIL = "fail"
    INCONCLUSIVE = "inconclusive"
    SKIP = "skip"
    CRASH = "crash"
    TIMEOUT = "timeout"
    ERROR = "error"


REFUSING = frozenset({Outcome.FAIL, Outcome.CRASH, Outcome.TIMEOUT})
"""Outcomes that speak against the bot."""


@dataclass(frozen=True)
class Judgement:
    """What a judge makes of the observations of one check.

    A statistical judge gives `p_value` (valid at any time) and `proved` and leaves the last word to
    the error budget over all checks, see `harness.checks.budget`; an exact one leaves `p_value` None.
    """

    outcome: Outcome
    expected: str = ""
    observed: str = ""
    hint: str = ""
    numbers: Mapping[str, float] = field(default_factory=dict)
    p_value: float | None = None

    def but(self, outcome: Outcome) -> Judgement:
        """The same judgement with another outcome."""
        return replace(self, outcome=outcome)


@dataclass(frozen=True)
class Check:
    """One requirement: where it stands, how to observe it, how to judge it.

    `kills` names the faults of the registry that this check is there to catch. One that `may_stay_open` is
    another proof of what the others show: undecided, it does not hold up a verdict.
    """

    id: str
    clause: str
    level: Level
    title: str
    procedure: Dialogue | Probing | Special | Contest
    hint: str = ""
    kills: tuple[str, ...] = ()
    may_stay_open: bool = False


@dataclass(frozen=True)
class Result:
    """One check on one bot, ready for a report."""

    check: Check
    judgement: Judgement
    reproduce: str = ""  # lines to paste into a shell
    transcript: str = ""  # the exchange, escaped for a terminal

    @property
    def outcome(self) -> Outcome:
        """How the check ended."""
        return self.judgement.outcome
