"""Forecast of a match's duration, printed before it starts."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from harness.report.numbers import amount

if TYPE_CHECKING:
    from harness.arena.config.tables import MatchConfig


def forecast(config: MatchConfig, folder: Path) -> str:
    """The text before a match: games left, estimated time, games that decide a pair, how engines are ended.

    Starts the first two engines for the estimate. Raises EngineStartError and MatchError.
    """
    from harness.arena.config.playable import check_playable
    from harness.arena.pairings import pairings
    from harness.arena.run.cost import NoPaceError, measure_paces, seconds_of_game
    from harness.arena.run.runner import wanted_workers
    from harness.gtp import protection
    from harness.stats import judge_parity

    check_playable(config)
    run = config.run
    pairs = len(pairings([engine.name for engine in config.players], run.format))
    left, workers = games_left(config, folder, pairs), wanted_workers(config)
    if not left:
        return (
            f"all {amount(run.games * pairs, 'game')} of {folder} are stored, so none is played. "
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
        f"{amount(pairs, 'pair')} of engines, {amount(run.games, 'game')} each: "
        f"{amount(left, 'game')} to play, {workers} at once, "
        + (f"time unknown: {unknown}" if unknown else f"about {duration(left * game_seconds)}")
    ]
    if needed > run.games:
        longer = game_seconds * (needed - run.games) * pairs
        lines.append(
            f"To show equal bots equal (±{100 * run.margin:g} %), use --games {needed}"
            + ("" if unknown else f" (about {duration(longer)} more)")
        )
    lines.append(protection([table.launch() for table in config.engine]))
    return "\n".join(lines)


def games_left(config: MatchConfig, folder: Path, pairs: int) -> int:
    """The number of games of a run that are not stored yet."""
    from harness.arena.store.store import DATABASE, Store

    total = pairs * config.run.games
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
