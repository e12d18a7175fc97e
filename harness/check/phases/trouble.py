"""How often a bot died or was silent in a run, and when the run gives up."""

from __future__ import annotations

from dataclasses import dataclass

from harness.check.model import Outcome

MOST_SILENCES = 3
"""Number of checks in which the bot may be silent before the run gives up: each costs a time limit."""

MOST_DEATHS = 12
"""Number of checks in which the bot may die before the run gives up: each costs a start."""


@dataclass
class Trouble:
    """The failures of the bot's process so far.

    cannot_start   why no process could be started again; empty while one can be
    """

    silences: int = 0
    deaths: int = 0
    cannot_start: str = ""

    def count(self, outcome: Outcome) -> None:
        """Count a confirmed failure, if the bot died or was silent."""
        self.silences += outcome is Outcome.TIMEOUT
        self.deaths += outcome is Outcome.CRASH

    @property
    def silences_left(self) -> int:
        """Number of further silences after which the run gives up."""
        return MOST_SILENCES - self.silences

    @property
    def given_up(self) -> str:
        """Why nothing more is tried; empty while the run goes on."""
        if self.cannot_start:
            return f"the bot could not be started again: {self.cannot_start}"
        if self.silences >= MOST_SILENCES or self.deaths >= MOST_DEATHS:
            return f"the bot died in {self.deaths} checks before this one and was silent in {self.silences}"
        return ""
