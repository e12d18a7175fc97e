"""Compares two configs by the programs that they start, and by the files that they read."""

from __future__ import annotations

from harness.arena.config.opening_tables import SgfOpenings
from harness.arena.config.tables import EngineTable, MatchConfig

_STARTS = ("command", "args", "env", "inherit_env", "cwd", "sandbox", "gtp", "gtp_game")
"""The keys of `[[engine]]` that say which program is started, with which rights, and what it is sent."""


def first_beyond(config: MatchConfig, named: MatchConfig) -> str:
    """Describe the first program or file that `config` uses and `named` does not; empty if there is none.

    config   stored in a run, which may come from a stranger
    named    the config file that the user names: nothing beyond it may be started or read
    The result completes a sentence about the named config; "its" is what belongs to the run. The names and
    the order of the engines do not matter. An engine that is dropped starts no program.
    """
    known = [_start(engine) for engine in named.engine]
    for engine in config.engine:
        if not engine.dropped and _start(engine) not in known:
            return f"no [[engine]] is started as its engine {engine.name!r} is, {engine.launch().command!r}"
    for pattern in _opening_files(config):
        if pattern not in _opening_files(named):
            return f"no openings come from {pattern!r}, as its openings do"
    return ""


def _start(engine: EngineTable) -> tuple[object, ...]:
    return tuple(getattr(engine, key) for key in _STARTS)


def _opening_files(config: MatchConfig) -> list[str]:
    books = [config.run.openings, *(pair.openings for pair in config.pair)]
    return [pattern for book in books if isinstance(book, SgfOpenings) for pattern in book.files]
