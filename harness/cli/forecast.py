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
    from harness.arena.config.pair_tables import MOST_GAMES
    from harness.arena.config.playable import check_playable
    from harness.arena.run.cost import NoPaceError, measure_paces, seconds_of_game
    from harness.arena.run.runner import wanted_workers
    from harness.gtp import protection

    check_playable(config)
    pairs, left = pairs_left(config, folder)
    workers = wanted_workers(config)
    if not left:
        total = sum(pair.games for pair in pairs)
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
    if any(pair.games == MOST_GAMES for pair in pairs):
        takes = f"about {duration(game_seconds)} for each game; Ctrl-C ends it, or --for, or --max-games"
        games = "games without an end"
    else:
        takes = f"about {duration(left * game_seconds)}"
        games = f"{_games_each(pairs)}: {amount(left, 'game')} to play"
    time = f"time unknown: {unknown}" if unknown else takes
    lines = [f"{amount(len(pairs), 'pair')} of engines, {games}, {workers} at once, {time}"]
    purpose, needed = games_to_decide(config)
    if needed > min(pair.games for pair in pairs):
        longer = game_seconds * sum(max(0, needed - pair.games) for pair in pairs)
        more = "" if unknown else f" (about {duration(longer)} more)"
        lines.append(f"{purpose}, use --games {needed}{more}")
    lines.append(protection([table.launch() for table in config.engine]))
    return "\n".join(lines)


def _games_each(pairs: Sequence[Pairing]) -> str:
    fewest, most = min(pair.games for pair in pairs), max(pair.games for pair in pairs)
    return f"{amount(most, 'game')} each" if fewest == most else f"{fewest:,} to {amount(most, 'game')} each"


def games_to_decide(config: MatchConfig) -> tuple[str, int]:
    """Return a purpose, such as "To show equal bots equal", and the games of a pair that it takes."""
    from harness.arena.config.judging import ParityQuestion, SprtQuestion
    from harness.arena.judge.pairs import hypotheses, parity_levels
    from harness.stats import judge_parity
    from harness.stats.elo import score_of_elo
    from harness.stats.parity import FAIR_VARIANCE
    from harness.stats.sprt import expect

    question = config.judge
    match question:
        case ParityQuestion():
            margin, alpha, beta = parity_levels(question, config.run)
            evidence = judge_parity([], margin=margin, alpha=alpha, beta=beta)
            return f"To show equal bots equal (±{100 * margin:g} %)", 2 * round(evidence.to_equal / 2)
        case SprtQuestion():
            middle = score_of_elo((question.elo0 + question.elo1) / 2)
            pairs = expect(middle, FAIR_VARIANCE, hypotheses(question)).pairs
            return "To end the test, on average at worst", 2 * round(pairs)
        case _:
            return "", 0


def pairs_left(config: MatchConfig, folder: Path) -> tuple[list[Pairing], int]:
    """Return (pairs that play on, number of their games that are not stored yet)."""
    from harness.arena.config.pairs import games_left, pairs_of
    from harness.arena.folder.folder import with_dropped
    from harness.arena.store.store import DATABASE, Store

    names, played = [engine.name for engine in config.players], list[tuple[int, int]]()
    if (folder / DATABASE).is_file():
        with Store.open(folder, read_only=True) as store:
            names = list(dict.fromkeys([*store.engine_names(), *names]))
            played, stored = store.played(), store.config()
            config = config if stored is None else with_dropped(config, stored)
    pairs = [pair for pair in pairs_of(config, names) if not pair.dropped]
    return pairs, games_left(pairs, played)


def duration(seconds: float) -> str:
    """A duration in words, rounded."""
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    minutes = seconds / 60
    return f"{minutes:.0f} min" if minutes < 90 else f"{minutes / 60:.1f} hours"
