"""Coverage of an exploration."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from harness.explore.game_model import read_line
from harness.explore.walk import Walk


@dataclass
class Coverage:
    """Counts, for a report.

    commands    lines that were sent, by the name of the command
    refusals    lines that a right bot refuses, by the reason
    positions   positions that were searched, by kind
    judged      answers that were held against what is wanted, by kind
    """

    sessions: int = 0
    searches: int = 0
    commands: Counter[str] = field(default_factory=Counter)
    refusals: Counter[str] = field(default_factory=Counter)
    positions: Counter[str] = field(default_factory=Counter)
    judged: Counter[str] = field(default_factory=Counter)

    def by_subject(self) -> dict[str, dict[str, int]]:
        """The counts by subject, the most frequent first; a subject without counts is left out."""
        subjects = {
            "commands": self.commands,
            "refused": self.refusals,
            "positions": self.positions,
            "judged": self.judged,
        }
        return {name: dict(counts.most_common()) for name, counts in subjects.items() if counts}

    def add_session(self, held: Walk) -> None:
        """Count a session."""
        self.sessions += 1
        self.searches += held.searches
        self.judged += held.judged
        self.refusals += held.refusals
        for line in held.lines:
            command = read_line(line)
            if command is not None:
                self.commands[command.name] += 1

    def add_position(self, kind: str, searches: int, judged: Counter[str]) -> None:
        """Count a position."""
        self.positions[kind] += 1
        self.searches += searches
        self.judged += judged

    def add(self, other: Coverage) -> None:
        """Count what another part of the exploration went through."""
        self.sessions += other.sessions
        self.searches += other.searches
        self.commands += other.commands
        self.refusals += other.refusals
        self.positions += other.positions
        self.judged += other.judged
