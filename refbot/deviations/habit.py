"""The class of harmless habits. The habits themselves are in `refbot.deviations.habits`."""

from __future__ import annotations

from dataclasses import dataclass

from refbot.deviations.switches import Switch


@dataclass(frozen=True, eq=False)
class Habit(Switch):
    """One behaviour that a bot without faults may have."""

    habit: str  # what a bot with this habit does
    imitates: str  # which engines do it, or what kind of program
    open_because: str  # why no rule forbids it
    extension: bool = False  # of a command that only an engine with --extensions has
