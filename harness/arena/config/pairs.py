"""The pairs of a match, from its config."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from harness.arena.config.pair_tables import MOST_GAMES
from harness.arena.config.tables import MatchConfig, RunTable
from harness.arena.pairings import Pairing, pairings


def pairs_of(config: MatchConfig, engines: Sequence[str]) -> list[Pairing]:
    """The pairs of a match with their games. `engines`: in the order in which they were added to the run."""
    if config.pair:
        pairs = [Pairing(number, table.black, table.white) for number, table in enumerate(config.pair, 1)]
    else:
        pairs = pairings(engines, config.run.format, config.run.gauntlet_seeds)
    runs = [config.run_of(pair.number) for pair in pairs]
    return [
        replace(
            pair,
            games=run.games or MOST_GAMES,  # without an end: more than are ever played
            fixed=run.colours == "fixed",
            dropped=_is_dropped(pair, config),
        )
        for pair, run in zip(pairs, runs, strict=True)
    ]


def players_of_pairs(config: MatchConfig, engines: Sequence[str]) -> dict[int, frozenset[str]]:
    """By number of a pair, the names of its engines. `engines`: in the order in which they were added."""
    return {pair.number: frozenset((pair.first, pair.second)) for pair in pairs_of(config, engines)}


def _is_dropped(pair: Pairing, config: MatchConfig) -> bool:
    """Return True if a pair plays no further games: an engine was dropped, or `skip` names the pair."""
    names = {pair.first, pair.second}
    dropped = (engine.name for engine in config.engine if engine.dropped)
    return not names.isdisjoint(dropped) or any(names == set(skipped) for skipped in config.run.skip)


def count_all_games(
    config: MatchConfig, engines: Sequence[str], played: Iterable[tuple[int, int]] = ()
) -> int:
    """Count the games of a match; 0 if it has no games, or no end. A dropped pair has its stored games.

    played   (pair, number) of the stored games
    """
    going_on = {pair.number: pair.games for pair in pairs_of(config, engines) if not pair.dropped}
    if any(not config.run_of(number).games for number in going_on):
        return 0
    return sum(going_on.values()) + sum(pair not in going_on for pair, _ in played)


def count_games_left(pairs: Iterable[Pairing], played: Iterable[tuple[int, int]]) -> int:
    """Count the games of these pairs that are not stored. `played`: (pair, number) of the stored games."""
    games = {pair.number: pair.games for pair in pairs}
    return sum(games.values()) - sum(number <= games.get(pair, 0) for pair, number in played)


def conditions_of(config: MatchConfig, pair: int) -> str:
    """The conditions of a pair's games that differ from `[run]`, in words; empty if none does."""
    run, own = config.run, config.run_of(pair)
    words = [f"{own.size}x{own.size}"] if own.size != run.size else []
    words += [f"komi {own.komi:g}"] if own.komi != run.komi else []
    handicap, usual = _handicap(own), _handicap(run)
    words += [handicap] if handicap != usual else []
    words += [f"openings {own.openings.kind}"] if own.openings != run.openings else []
    words += [f"{own.colours} colours"] if own.colours != run.colours else []
    return ", ".join(words)


def _handicap(run: RunTable) -> str:
    """The handicap of games in words."""
    if not run.handicap:
        return "no handicap"
    style = "free " if run.handicap_style == "free" else ""
    bonus = f", bonus {run.handicap_bonus}" if run.handicap_bonus != "none" else ""
    return f"{style}handicap {run.handicap}{bonus}"
