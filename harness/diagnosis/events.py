"""The event of a cause: a run of checks is diagnosed when it has ended."""

from __future__ import annotations

from dataclasses import dataclass

from harness.check.phases.events import Event
from harness.diagnosis.cause import Cause


@dataclass(frozen=True)
class CauseFound(Event):
    """A cause of the failures became known, the one to look at first before the others."""

    cause: Cause
