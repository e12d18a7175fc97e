"""Time controls, and the clock of one side in one game. A clock is given times, and measures none."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Self

from harness.arena.records import ClockReading
from harness.gtp import Colour

KATA = "kata-time_settings"
"""A command of engines that read decimals and know increments."""
_CONTROL = re.compile(
    r"(?P<main>\d+(?:\.\d+)?)"
    r"(?:\+(?P<stones>[1-9]\d*)/(?P<canadian>[\d.]+)"
    r"|\+(?P<periods>[1-9]\d*)x(?P<japanese>[\d.]+)"
    r"|\+(?P<increment>[\d.]+))?",
    re.ASCII,
)


@dataclass(frozen=True)
class TimeControl:
    """The time that a side has in a game, in seconds.

    main_time   for all moves. As text: "60"
    increment   added after each move. As text: "60+2"
    period      length of a period of byo-yomi, after the main time; 0: there is no byo-yomi
    stones      Canadian byo-yomi: moves to make in each period; else 0. As text: "60+5/30", 5 moves in 30 s
    periods     Japanese byo-yomi: number of periods; else 0. As text: "60+5x30", 5 periods of 30 s
    """

    main_time: float = 0.0
    increment: float = 0.0
    period: float = 0.0
    stones: int = 0
    periods: int = 0

    def __str__(self) -> str:
        ending = f"+{_plain(self.increment)}" if self.increment else ""
        if self.stones:
            ending = f"+{self.stones}/{_plain(self.period)}"
        if self.periods:
            ending = f"+{self.periods}x{_plain(self.period)}"
        return f"{_plain(self.main_time)}{ending}"

    @property
    def overtime(self) -> str:
        """The time after the main time, in the words of SGF files; empty if there is none."""
        if self.stones:
            return f"{self.stones}/{_plain(self.period)} Canadian"
        if self.periods:
            return f"{self.periods}x{_plain(self.period)} byo-yomi"
        return f"{_plain(self.increment)} fischer" if self.increment else ""

    @classmethod
    def parse(cls, text: str) -> Self:
        """The time control of a text such as `str` writes. Raises ValueError for a text of another form."""
        found = _CONTROL.fullmatch(text)
        if found is None:
            raise ValueError(f"{text!r} is not a time control")
        return cls(
            main_time=float(found["main"]),
            increment=float(found["increment"] or 0),
            period=float(found["canadian"] or found["japanese"] or 0),
            stones=int(found["stones"] or 0),
            periods=int(found["periods"] or 0),
        )


def _plain(seconds: float) -> str:
    return f"{seconds:.6f}".rstrip("0").rstrip(".")


class Clock:
    """The time that a side has left. `spend` takes the time of a command; `end_move` follows each move.

    Canadian byo-yomi: a period ends with its last stone. Japanese: a move within a period keeps the period.
    """

    def __init__(self, control: TimeControl) -> None:
        self._control = control
        self._main = control.main_time
        self._period = control.period  # left of the current period; the first begins after the main time
        self._count = control.stones or control.periods  # stones left in the period, or periods left

    @classmethod
    def at(cls, control: TimeControl, shown: ClockReading) -> Self:
        """Return a clock with this time control that shows `shown`, as if time had been spent."""
        clock = cls(control)
        if shown.counted:
            clock._main, clock._period, clock._count = 0.0, shown.seconds, shown.counted
        else:
            clock._main = shown.seconds
        return clock

    @property
    def left(self) -> float:
        """Seconds until the flag falls. Not positive: it has fallen."""
        # Japanese: the periods after the current one. Canadian: no further period without its stones.
        later = (self._count - 1) * self._control.period if self._control.periods else 0.0
        return self._main + self._period + later

    @property
    def in_byoyomi(self) -> bool:
        """True if the main time is over, and byo-yomi follows."""
        return self._main <= 0 < self._control.period

    def spend(self, seconds: float) -> None:
        """Take time from the clock: first from the main time, then from the periods of byo-yomi."""
        from_main = min(seconds, self._main)
        self._main -= from_main
        self._period -= seconds - from_main
        while self._control.periods and self._period <= 0 < self._count - 1:  # the next period begins
            self._count -= 1
            self._period += self._control.period

    def end_move(self) -> None:
        """Count a move that was made in time."""
        self._main += self._control.increment
        if not self.in_byoyomi:
            return
        if self._control.stones:
            self._count -= 1
            if self._count:
                return
            self._count = self._control.stones
        self._period = self._control.period

    def reading(self, move: int) -> ClockReading:
        """Return the display of the clock after move number `move`."""
        if self.in_byoyomi:
            return ClockReading(move, self._period, self._count)
        return ClockReading(move, self._main, 0)

    # --- in GTP --------------------------------------------------------------------------------------------

    def settings(self, commands: frozenset[str]) -> Iterator[str]:
        """Yield the command that sets the time for a game; nothing if the engine lists none of them.

        60 s and 5 periods of 30 s are "kata-time_settings byoyomi 60 30 5", or the same with kgs-, or only
        roughly "time_settings 60 30 1". Only kata- has the increment, and times that are not rounded up.

        commands   those that the engine lists
        """
        control = self._control
        main, period = math.ceil(control.main_time), math.ceil(control.period)
        if KATA in commands:  # the only one with decimals and with an increment
            kind = "fischer" if control.increment else self._kind
            numbers = [control.main_time, *([control.increment] if control.increment else [])]
            numbers += [control.period, control.periods or control.stones] if control.period else []
            yield f"{KATA} {kind} {' '.join(map(_plain, numbers))}"
        elif "kgs-time_settings" in commands and (control.periods or "time_settings" not in commands):
            byoyomi = f" {period} {control.periods or control.stones}" if control.period else ""
            yield f"kgs-time_settings {self._kind} {main}{byoyomi}"
        elif "time_settings" in commands:
            # A Japanese period is a Canadian period of one stone; the engine does not hear of the others.
            yield f"time_settings {main} {period} {1 if control.periods else control.stones}"

    @property
    def _kind(self) -> str:
        """The name of the byo-yomi in time commands of engines that know several kinds."""
        return "byoyomi" if self._control.periods else "canadian" if self._control.stones else "absolute"

    def time_left(self, colour: Colour, commands: frozenset[str]) -> Iterator[str]:
        """Yield "time_left COLOUR SECONDS STONES", rounded down; nothing if the engine does not list it.

        STONES is 0 in the main time; in byo-yomi, the stones left in the period, or the periods left: 1 if
        the engine knows Canadian byo-yomi alone (see `settings`).
        """
        if "time_left" not in commands:
            return
        shown = self.reading(0)
        count = shown.counted
        if count and self._control.periods and commands.isdisjoint({KATA, "kgs-time_settings"}):
            count = 1  # `settings` gave this engine periods of one stone
        # GTP has whole seconds, and engines refuse others; those that list KATA read decimals.
        hundredths = math.floor(100 * shown.seconds)
        seconds = f"{hundredths / 100:.2f}" if KATA in commands else f"{hundredths // 100}"
        yield f"time_left {colour} {seconds} {count}"
