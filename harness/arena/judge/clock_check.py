"""Compares the stored clocks of a game with its time controls, and with the times of its searches."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from harness.arena.clock import Clock, TimeControl
from harness.arena.config.clock import time_control
from harness.arena.config.tables import MatchConfig
from harness.arena.records import ClockReading
from harness.arena.store.rows import StoredClocks, StoredGame, StoredSearch
from harness.gtp import Colour

ROUNDING = 1e-6
"""Seconds by which stored times may differ through rounding. Chosen: a million times below a second."""
_SIDES: tuple[tuple[Colour, str], ...] = (("b", "Black"), ("w", "White"))


def clock_contradictions(
    game: StoredGame, clocks: StoredClocks | None, searches: Sequence[StoredSearch], config: MatchConfig
) -> Iterator[str]:
    """Yield a sentence for each contradiction about the clocks of a game. `clocks`: None if no side has one.

    Without clocks, the config is not compared: only a loss on time is a contradiction.
    """
    if clocks is None:
        if game.reason == "time":
            yield "the reason is time, but no side has a clock"
        return
    for colour, side in _SIDES:
        control = clocks.control(colour)
        engine = config.engines[game.black if colour == "b" else game.white]
        wanted = time_control(engine, config.run)
        if str(control) != str(wanted):
            yield f"{side} has the clock {control or 'none'}, the config gives {wanted or 'none'}"
        elif control is not None:
            own = [search for search in searches if search.colour == colour]
            # The search of a move that came too late is stored, and its move is no move of the game.
            late = own.pop() if own and game.reason == "time" and own[-1].move > game.move_count else None
            yield from _about_readings(control, side, own, clocks)
            if late is not None and game.result[:1] == side[:1]:
                yield f"move {late.move}: {side} was late, and has won on time"
        elif game.reason == "time" and game.result[:1] != side[:1]:
            yield f"{side} lost on time, but has no clock"


def _about_readings(
    control: TimeControl, side: str, searches: Sequence[StoredSearch], clocks: StoredClocks
) -> Iterator[str]:
    """Yield the contradictions between the readings of a side's clock and the times of its searches.

    Stops after the first search without a reading or without time. The clock may show less time than the
    searches leave, because other commands take time too.
    """
    shown = {reading.move: reading for reading in clocks.readings}
    before = Clock(control)
    for search in searches:
        reading: ClockReading | None = shown.get(search.move)
        if reading is None:
            yield f"move {search.move}: the clock of {side} has no reading"
            return
        before.spend(search.seconds)
        if before.left <= 0:
            yield f"move {search.move}: the clock of {side} was over, and the game went on"
            return
        before.end_move()
        after = Clock.at(control, reading)
        if after.left > before.left + ROUNDING:
            yield f"move {search.move}: the clock of {side} shows {reading.seconds:.3f} s, which is too much"
        before = after
