"""Coverage of an exploration (counts of what was tried), and the outcome of one step of it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, fields
from typing import Generic, TypeVar

from harness.explore.walk import Walk
from harness.explore.wanted import read_line

Found_co = TypeVar("Found_co", covariant=True)
"""The kind of deviation: FoundDialogue or FoundPosition."""


@dataclass
class Coverage:
    """Counts of what an exploration tried, for a report.

    sessions    sessions that were held
    searches    searches in sessions and in positions
    commands    commands that were sent in sessions, by name
    refusals    lines that a right bot refuses, by feature; their subject in a report is "refused"
    positions   positions that were searched, by kind
    judged      answers that were compared with a required answer or with a law, by kind
    """

    sessions: int = 0
    searches: int = 0
    commands: Counter[str] = field(default_factory=Counter)
    refusals: Counter[str] = field(default_factory=Counter)
    positions: Counter[str] = field(default_factory=Counter)
    judged: Counter[str] = field(default_factory=Counter)

    def by_subject(self) -> dict[str, dict[str, int]]:
        """Return the counts that have names, by subject, the most frequent first.

        A subject without counts is left out.
        """
        subjects = {
            "commands": self.commands,
            "refused": self.refusals,
            "positions": self.positions,
            "judged": self.judged,
        }
        return {name: dict(counts.most_common()) for name, counts in subjects.items() if counts}

    def add_session(self, walk: Walk) -> None:
        """Count the session of a walk."""
        commands = (command.name for line in walk.lines if (command := read_line(line)) is not None)
        self.add(Coverage(1, walk.searches, Counter(commands), walk.refusals, judged=walk.judged))

    def add(self, other: Coverage) -> None:
        """Add the counts of another part of the exploration."""
        for one in fields(self):
            setattr(self, one.name, getattr(self, one.name) + getattr(other, one.name))


@dataclass(frozen=True)
class Step(Generic[Found_co]):
    """One step of an exploration: the counts of this step, and the deviation that it found, if any.

    unconfirmed   number of deviations that did not come back in a new process
    """

    coverage: Coverage = field(default_factory=Coverage)
    found: Found_co | None = None
    unconfirmed: int = 0
