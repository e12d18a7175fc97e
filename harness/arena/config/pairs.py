"""The pairs of a match, from its config."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from harness.arena.config.tables import MatchConfig
from harness.arena.pairings import Pairing, pairings


def pairs_of(config: MatchConfig, engines: Sequence[str]) -> list[Pairing]:
    """The pairs of a match with their games. `engines`: in the order in which they were added to the run."""
    if config.pair:
        pairs = [Pairing(number, table.black, table.white) for number, table in enumerate(config.pair, 1)]
    else:
        pairs = pairings(engines, config.run.format, config.run.gauntlet_seeds)
    runs = [config.run_of(pair.number) for pair in pairs]
    return [
        replace(pair, games=run.games, fixed=run.colours == "fixed")
        for pair, run in zip(pairs, runs, strict=True)
    ]


def all_games(config: MatchConfig, engines: Sequence[str]) -> int:
    """The number of games of a match."""
    return sum(pair.games for pair in pairs_of(config, engines))


def conditions_of(config: MatchConfig, pair: int) -> str:
    """The conditions of a pair's games that differ from `[run]`, in words; empty if none does."""
    run, own = config.run, config.run_of(pair)
    words = [f"{own.size}x{own.size}"] if own.size != run.size else []
    words += [f"komi {own.komi:g}"] if own.komi != run.komi else []
    words += [f"handicap {own.handicap}"] if own.handicap != run.handicap else []
    words += [f"openings {own.openings.kind}"] if own.openings != run.openings else []
    words += [f"{own.colours} colours"] if own.colours != run.colours else []
    return ", ".join(words)
