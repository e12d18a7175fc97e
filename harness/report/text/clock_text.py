"""Writes the clocks of a match in sentences: the time of each engine, and its losses on time."""

from __future__ import annotations

from collections.abc import Iterator

from harness.arena.config.clock import time_control
from harness.arena.config.tables import MatchConfig
from harness.arena.verdicts import MatchVerdicts
from harness.report.numbers import amount
from harness.report.visible import one_line


def time_losses(verdicts: MatchVerdicts) -> Iterator[str]:
    """Yield a sentence for each bot that lost on time."""
    for row in verdicts.standings:
        if row.time_losses:
            lost = f"{row.time_losses:,} of its {amount(row.games, 'game')}"
            yield f"{one_line(row.bot)} lost {lost} on the clock"


def time_controls(config: MatchConfig) -> Iterator[str]:
    """Yield a sentence for each engine with a clock."""
    for engine in config.engine:
        control = time_control(engine, config.run)
        if control is None or engine.name == config.run.referee:
            continue
        parts = [f"{control.main_time:g} s for its moves" if control.main_time else ""]
        parts.append(f"{control.increment:g} s more after each" if control.increment else "")
        if control.stones:
            parts.append(f"{control.period:g} s of byo-yomi for each {amount(control.stones, 'move')}")
        if control.periods:
            parts.append(f"{amount(control.periods, 'period')} of {control.period:g} s of byo-yomi")
        yield f"{one_line(engine.name)} has {', then '.join(filter(None, parts))}"
