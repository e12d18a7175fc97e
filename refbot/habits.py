"""Harmless habits: what real engines do where GTP and the specification leave it open. One registry.

A bot with a habit breaks no rule, so a habit is no fault; but some controllers have trouble with it. A new
habit is one entry here and one branch where the rule lives: `if Habits.ID_GLUED in switches`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from refbot.switches import Switch, UnknownSwitchError, looked_up, members


@dataclass(frozen=True, eq=False)
class Habit(Switch):
    """One thing that a right bot may do."""

    habit: str  # what a bot with this habit does
    open_because: str  # why no rule forbids it
    imitates: str  # which engines do it


class Habits:
    """Every habit."""

    SLOW_START = Habit(
        "the first answer comes after 20 seconds",
        "nothing is said about time",
        "Leela Zero and AQ, which tune themselves at start",
    )
    LEADING_BLANK_UNANSWERED = Habit(
        "a line that starts with a blank gets no answer",
        "the draft does not say what a blank before the first word means",
        "oakfoam, Pachi",
    )
    BLANKS_KEPT_APART = Habit(
        "two blanks make an empty argument",
        "the draft separates words by one blank and does not mention several",
        "oakfoam, KataGo, minizero",
    )
    ID_GLUED = Habit(
        "5name is the id 5 and the command name",
        "no name of a command starts with a digit",
        "michi, michi-c2",
    )
    ID_ALONE_UNANSWERED = Habit(
        "a line with only an id gets no answer",
        "a line without a command is no command",
        "GNU Go",
    )
    ID_CLAMPED = Habit(
        "an id above 2^31 - 1 is answered as 2^31 - 1",
        "an id is at most 2^31 - 1",
        "Leela",
    )
    EXTRA_ARGUMENT_REFUSED = Habit(
        "a command without arguments refuses to have any",
        "the draft does not say what happens to more arguments than a command needs",
        "Fuego, gogui-dummy",
    )
    LONG_LINE_SPLIT = Habit(
        "a line of more than 1,000 bytes is several",
        "no length of a line is promised",
        "GNU Go; Pachi from 4,096 bytes on",
    )
    END_OF_INPUT_IGNORED = Habit(
        "the process lives on after its input has ended",
        "only quit is said to end the process",
        "a read whose result is not tested",
    )
    LAST_LINE_LOST = Habit(
        "a last line without its line feed is not obeyed",
        "a command ends with a line feed",
        "michi-c2; loops over lines",
    )
    KNOWN_COMMAND_NEEDS_ARGUMENT = Habit(
        "known_command fails without an argument",
        "a missing argument is a syntax error; that the command never fails is said of its use with one",
        "Pachi, Fuego, KataGo",
    )
    PLAY_ANSWERS_TEXT = Habit(
        "play answers true",
        "a controller has no use for the text of a success without a result",
        "minigo; minizero's boardsize shows the board",
    )


HABITS: dict[str, Habit] = members(Habit, Habits)
"""Every habit by its name."""


class UnknownHabitError(UnknownSwitchError):
    """A habit that the registry does not have."""

    def __init__(self, name: str) -> None:
        super().__init__("habit", name, HABITS)


def checked_habits(names: Iterable[str | Habit]) -> frozenset[Habit]:
    """The habits of these names. Raises UnknownHabitError for the first unknown name."""
    return looked_up(names, HABITS, UnknownHabitError)
