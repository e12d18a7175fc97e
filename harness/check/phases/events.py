"""The events that a run of checks yields.

The order: RunStarted, BotIdentified, ProfileChosen; for a slow bot, PlayoutsFound and TimeForecast; then for
each phase PhaseStarted and the events of its checks (CheckStarted, CheckRepeated, FailureSeen, CheckEnded,
…); at the end RunEnded. After an interrupt, CheckEnded comes for each check without a result.

Before BotIdentified, a bot that cannot be used and the end of the time lead to RunEnded at once; an interrupt
is raised, without RunEnded. The events of a check on a cluster are those of `events_of`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from harness.check.bot.introduction import Introduction
from harness.check.model import Check, Result
from harness.check.phases.findings import Findings
from harness.check.phases.playout_count import PlayoutCount
from harness.check.play_rules import PlayRules
from harness.check.profile import Profile


@dataclass(frozen=True)
class Event:
    """Something that became known in a run."""


@dataclass(frozen=True)
class RunStarted(Event):
    """The run begins, and waits for the first answer of the bot."""

    command: str
    checks: Sequence[Check]


@dataclass(frozen=True)
class BotIdentified(Event):
    """The bot has answered the first questions."""

    introduction: Introduction


@dataclass(frozen=True)
class ProfileChosen(Event):
    """The run has chosen the profile and the rules that the bot is checked against.

    checks   those of the run that belong to the profile; the others are left out
    """

    profile: Profile
    rules: PlayRules
    checks: Sequence[Check]


@dataclass(frozen=True)
class PhaseStarted(Event):
    """A phase of the run begins."""

    name: str


@dataclass(frozen=True)
class CheckStarted(Event):
    """One check begins to observe the bot."""

    check: Check


@dataclass(frozen=True)
class CheckRepeated(Event):
    """A MUST check has failed for the first time; it is repeated in a new process."""

    check: Check


@dataclass(frozen=True)
class PlayoutsFound(Event):
    """The run has looked for the number of playouts per search; it may still be unknown."""

    count: PlayoutCount


@dataclass(frozen=True)
class TimeForecast(Event):
    """The searches of a slow bot do not fit the time of the run. Known after its first searches.

    search_seconds  duration of one search of the empty board
    playouts        per search; None if not known
    wanted          number of such searches that take as long as all searches of the run
    seconds         time limit of the run
    """

    search_seconds: float
    playouts: int | None
    wanted: float
    seconds: float


@dataclass(frozen=True)
class FindingsSoFar(Event):
    """New checks have failed: in the phase that has just ended, or in the searches that still go on."""

    findings: Findings


@dataclass(frozen=True)
class SearchesMade(Event):
    """Progress of the searches.

    searches          number made so far, at all probes
    decided           number of checks that need no more searches
    seconds_left      estimate of the time until all checks are decided; None if not known
    seconds_allowed   time until the searches end, by the time limit of the run; None if not known
    """

    searches: int
    decided: int
    seconds_left: float | None
    seconds_allowed: float | None = None


@dataclass(frozen=True)
class FailureSeen(Event):
    """A check that has not ended will fail, unless a repetition shows no failure; `CheckEnded` follows."""

    result: Result


@dataclass(frozen=True)
class CheckEnded(Event):
    """The result of a check. A later one of the same check replaces it."""

    result: Result


@dataclass(frozen=True)
class RunEnded(Event):
    """The last event. If the time was up before BotIdentified, its results had no CheckEnded."""

    findings: Findings
