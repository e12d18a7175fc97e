"""Dialogues that may leave the bot in an unknown state: after the searches."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from harness.check.model import Check
from harness.check.phases.context import Context
from harness.check.phases.events import Event
from harness.check.phases.examination import examine


@dataclass(frozen=True)
class FinalChecks:
    """Each check asks its lines and judges the answers."""

    checks: Sequence[Check]

    name = "final checks"

    def run(self, context: Context) -> Iterator[Event]:
        """Examine one check after the other."""
        for check in self.checks:
            yield from examine(context, check)
