"""The keys of a clock in `[run]` and `[[engine]]`, and the time control that they make for an engine."""

from __future__ import annotations

from typing import Annotated, Protocol, Self

from pydantic import Field, model_validator

from harness.arena.clock import TimeControl
from harness.arena.config.base import ConfigTable, Seconds, SecondsOrZero

CLOCK_KEYS = ("main_time", "increment", "byoyomi")
"""The keys of a clock."""
MOST_COUNTED = 1_000
"""Most stones or periods of byo-yomi. Chosen: more than any game has moves of a side on usual boards."""


class Byoyomi(ConfigTable):
    """`byoyomi`: what follows after the main time, either `stones` in each `time`, or `periods` of `time`."""

    time: Seconds = Field(description="Time of a period.")
    stones: int | None = Field(
        default=None,
        ge=1,
        le=MOST_COUNTED,
        description="Canadian: this number of moves must be made in each period.",
    )
    periods: int | None = Field(
        default=None,
        ge=1,
        le=MOST_COUNTED,
        description="Japanese: number of periods. A move within a period does not use it up.",
    )

    @model_validator(mode="after")
    def _is_of_one_kind(self) -> Self:
        if (self.stones is None) == (self.periods is None):
            raise ValueError("needs either stones (Canadian) or periods (Japanese)")
        return self


MainTime = Annotated[SecondsOrZero | None, Field(description="Time of a side for all its moves in a game.")]
Increment = Annotated[
    SecondsOrZero | None, Field(description="Time that is added after each move of a side.")
]
ByoyomiKey = Annotated[
    Byoyomi | None,
    Field(description="Byo-yomi after the main time: `{ time, stones }` or `{ time, periods }`."),
]


class ClockKeys(Protocol):
    """A table with the keys of a clock."""

    @property
    def main_time(self) -> float | None:
        """Seconds of a side for all its moves; None if the key is missing."""

    @property
    def increment(self) -> float | None:
        """Seconds that are added after each move of a side; None if the key is missing."""

    @property
    def byoyomi(self) -> Byoyomi | None:
        """The overtime after the main time; None if the key is missing."""


def time_control(engine: ClockKeys, run: ClockKeys) -> TimeControl | None:
    """Return the time control of an engine, whose keys replace those of `[run]`; None without a clock.

    An increment alone makes no clock: the reader of configs refuses it without a main time.
    """
    main_time = run.main_time if engine.main_time is None else engine.main_time
    increment = run.increment if engine.increment is None else engine.increment
    byoyomi = run.byoyomi if engine.byoyomi is None else engine.byoyomi
    if main_time is None and byoyomi is None:
        return None
    return TimeControl(
        main_time=main_time or 0.0,
        increment=increment or 0.0,
        period=byoyomi.time if byoyomi else 0.0,
        stones=(byoyomi.stones or 0) if byoyomi else 0,
        periods=(byoyomi.periods or 0) if byoyomi else 0,
    )
