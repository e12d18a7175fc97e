"""Progress of a run, computed from its events."""

from __future__ import annotations

from dataclasses import dataclass, replace

from harness.check.model import Level, Result
from harness.check.phases.events import (
    CheckEnded,
    CheckRepeated,
    CheckStarted,
    Event,
    ProfileChosen,
    RunStarted,
    SearchesMade,
)


@dataclass(frozen=True)
class Progress:
    """Progress of a run.

    doing             present activity, in a few words
    searches          number of searches made so far; 0 in any other activity
    decided           number of checks with a result, or that need no more searches
    total             number of checks of the profile of the bot; 0 until the profile is known
    failures          number of MUST checks that failed so far
    seconds_left      estimate of the time until every check is decided; None if not known
    seconds_allowed   time until the searches end, decided or not; None if not known
    """

    doing: str = "starting"
    searches: int = 0
    decided: int = 0
    total: int = 0
    failures: int = 0
    seconds_left: float | None = None
    seconds_allowed: float | None = None


class ProgressMeter:
    """Updates `progress` by the events of one run."""

    def __init__(self) -> None:
        self.progress = Progress()
        self._results: dict[str, Result] = {}

    def handle(self, event: Event) -> bool:
        """Take an event; return True if `progress` was updated. A result counts at the next update."""
        match event:
            case RunStarted():
                self._results.clear()
                self.progress = Progress()
            case ProfileChosen(checks=checks):
                self.progress = replace(self.progress, total=len(checks))
            case CheckStarted(check=check):
                self._show(check.id)
            case CheckRepeated(check=check):
                self._show(f"{check.id} failed and is repeated in a new process")
            case SearchesMade():
                self._show("searching", event.searches, event.decided)
                left, allowed = event.seconds_left, event.seconds_allowed
                self.progress = replace(self.progress, seconds_left=left, seconds_allowed=allowed)
            case CheckEnded(result=result):
                self._results[result.check.id] = result
                return False
            case _:
                return False
        return True

    def _show(self, doing: str, searches: int = 0, more: int = 0) -> None:
        """Update `progress`. `more`: number of checks that are decided, but have no result yet."""
        failures = sum(r.refuses and r.check.level is Level.MUST for r in self._results.values())
        decided = min(self.progress.total, len(self._results) + more)
        self.progress = Progress(doing, searches, decided, self.progress.total, failures)
