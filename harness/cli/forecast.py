"""Forecast of a match's duration, printed before it starts."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from harness.report.numbers import amount

if TYPE_CHECKING:
    from harness.arena.config.tables import MatchConfig
    from harness.arena.pairings import Pairing


def forecast(config: MatchConfig, folder: Path) -> str:
    """The text before a match: games left, estimated time, games that decide a pair, how engines are ended.

    Starts the first two engines for the estimate. Raises EngineStartError and MatchError.
    """
    from harness.arena.config.pairs import pairs_of
    from harness.arena.config.playable import check_playable
    from harness.arena.run.cost import NoPaceError, measure_paces, seconds_of_game
    from harness.arena.run.runner import wanted_workers
    from harness.gtp import protection
    from harness.stats import judge_parity

    check_playable(config)
    run = config.run
    pairs = pairs_of(config, list(config.engines))
    total = sum(pair.games for pair in pairs)
    left, workers = games_left(config, folder), wanted_workers(config)
    if not left:
        return (
            f"all {amount(total, 'game')} of {folder} are stored, so none is played. "
            "To play other games, name another folder with --out; to play more of them, raise --games"
        )
    unknown = ""
    game_seconds = 0.0
    try:
        game_seconds = seconds_of_game(config, measure_paces(config), workers)
    except NoPaceError as problem:
        unknown = str(problem)
    enough = judge_parity([], margin=run.margin, alpha=run.alpha, beta=run.beta).to_equal
    needed = 2 * round(enough / 2)
    lines = [
        f"{amount(len(pairs), 'pair')} of engines, {_games_each(pairs)}: "
        f"{amount(left, 'game')} to play, {workers} at once, "
        + (f"time unknown: {unknown}" if unknown else f"about {duration(left * game_seconds)}")
    ]
    fewest = min(pair.games for pair in pairs)
    if needed > fewest:
        longer = game_seconds * sum(max(0, needed - pair.games) for pair in pairs)
        lines.append(
            f"To show equal bots equal (±{100 * run.margin:g} %), use --games {needed}"
            + ("" if unknown else f" (about {duration(longer)} more)")
        )
    lines.append(protection([table.launch() for table in config.engine]))
    return "\n".join(lines)


def _games_each(pairs: Sequence[Pairing]) -> str:
    fewest, most = min(pair.games for pair in pairs), max(pair.games for pair in pairs)
    return f"{amount(most, 'game')} each" if fewest == most else f"{fewest:,} to {amount(most, 'game')} each"


def games_left(config: MatchConfig, folder: Path) -> int:
    """The number of games of a run that are not stored yet."""
    from harness.arena.config.pairs import all_games
    from harness.arena.store.store import DATABASE, Store

    total = all_games(config, list(config.engines))
    if not (folder / DATABASE).is_file():
        return total
    with Store.open(folder, read_only=True) as store:
        return max(0, total - len(store.played()))


def duration(seconds: float) -> str:
    """A duration in words, rounded."""
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    minutes = seconds / 60
    return f"{minutes:.0f} min" if minutes < 90 else f"{minutes / 60:.1f} hours"
