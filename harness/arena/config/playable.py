"""Checks that a match can be played on this machine, before anything is written."""

from __future__ import annotations

from harness.arena.config.openings import OpeningBooks
from harness.arena.config.tables import EngineTable, MatchConfig
from harness.arena.errors import PlayError
from harness.gtp import Engine, EngineStartError, ShortageError


def check_playable(config: MatchConfig) -> OpeningBooks:
    """Return the openings. Raise PlayError if there is none, or if the program of an engine does not run."""
    books = OpeningBooks(config)
    needed = [engine for engine in config.engine if not engine.dropped]
    wrong = [problem for engine in needed if (problem := _problem_at_start(engine))]
    if wrong:
        raise PlayError("; ".join(wrong))
    return books


def _problem_at_start(table: EngineTable) -> str:
    """Start an engine and kill it. Return why it does not start; empty if it does."""
    engine = Engine(table.launch())
    try:
        engine.start()
    except (EngineStartError, ShortageError) as error:
        return f"engine {table.name!r}: {error}"
    engine.kill()
    return ""
