"""Forecast of a match's duration, printed before it starts."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from harness.report.numbers import amount, duration_text

if TYPE_CHECKING:
    from harness.arena.config.tables import MatchConfig
    from harness.arena.pairings import Pairing


def forecast(config: MatchConfig, folder: Path) -> str:
    """Return the text before a match: games left, estimated time, advice, and how engines are ended.

    If no game is left, say only why, and what to change. Starts every engine to see that it runs; if games
    are left, starts the first two again for the estimate. Raises EngineStartError and MatchError.
    """
    from harness.arena.config.playable import check_playable
    from harness.arena.run.cost import NoPaceError, measure_paces, seconds_of_game
    from harness.arena.run.runner import wanted_workers
    from harness.gtp import protection

    check_playable(config)
    pairs, left = pairs_left(config, folder)
    if not pairs:
        return (
            "every pair of engines is left out (by skip, or with a dropped engine), so no game is played. "
            "To play, take a pair out of skip, or keep at least two engines in the config"
        )
    if not left:
        total = sum(pair.games for pair in pairs)
        return (
            f"all {amount(total, 'game')} of {folder} are stored, so none is played. "
            "To play other games, name another folder with --out; to play more of them, raise --games"
        )
    workers = wanted_workers(config)
    seconds: float | None = None
    try:
        seconds = seconds_of_game(config, measure_paces(config), workers)
        time = _time(pairs, left, seconds)
    except NoPaceError as problem:
        time = f"time unknown: {problem}"
    return "\n".join(
        [
            f"{amount(len(pairs), 'pair')} of engines, {_games(pairs, left)}, {workers} at once, {time}",
            *_advice(config, pairs, seconds),
            protection([table.launch() for table in config.engine]),
        ]
    )


def _is_endless(pairs: Sequence[Pairing]) -> bool:
    from harness.arena.config.pair_tables import MOST_GAMES

    return any(pair.games == MOST_GAMES for pair in pairs)


def _games(pairs: Sequence[Pairing], left: int) -> str:
    """Return the games of each pair, and the number left to play in all, in words."""
    if _is_endless(pairs):
        return "games without an end"
    fewest, most = min(pair.games for pair in pairs), max(pair.games for pair in pairs)
    each = amount(most, "game") if fewest == most else f"{fewest:,} to {amount(most, 'game')}"
    return f"{each} each: {amount(left, 'game')} to play"


def _time(pairs: Sequence[Pairing], left: int, seconds: float) -> str:
    """Return the estimated time of the games left, in words. `seconds`: that one game adds to the run."""
    if _is_endless(pairs):
        return f"{about(seconds)} for each game; Ctrl-C ends it, or --for, or --max-games"
    return about(left * seconds)


def _advice(config: MatchConfig, pairs: Sequence[Pairing], seconds: float | None) -> list[str]:
    """Return a line with the number of games that decide a pair; no line if each pair has as many.

    `seconds`: that one game adds to the run; None if not known.
    """
    purpose, needed = games_to_decide(config)
    if needed <= min(pair.games for pair in pairs):
        return []
    more = sum(max(0, needed - pair.games) for pair in pairs)
    time = "" if seconds is None else f" ({about(more * seconds)} more)"
    return [f"{purpose}, use --games {needed}{time}"]


def games_to_decide(config: MatchConfig) -> tuple[str, int]:
    """Return a purpose, and the games it takes for a pair: ("To show equal bots equal (±3 %)", 1758).

    Return ("", 0) for a question that no number of games is sure to decide.
    """
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
            return "To end the test (on average, in the worst case)", 2 * round(pairs)
        case _:
            return "", 0


def pairs_left(config: MatchConfig, folder: Path) -> tuple[list[Pairing], int]:
    """Return (pairs that are not dropped, number of their games that are not stored yet)."""
    from harness.arena.config.pairs import count_games_left, pairs_of
    from harness.arena.folder.folder import with_dropped
    from harness.arena.store.store import DATABASE, Store

    names, played = [engine.name for engine in config.players], list[tuple[int, int]]()
    if (folder / DATABASE).is_file():
        with Store.open(folder, read_only=True) as store:
            names = list(dict.fromkeys([*store.engine_names(), *names]))
            played, stored = store.played(), store.config()
            config = config if stored is None else with_dropped(config, stored)
    pairs = [pair for pair in pairs_of(config, names) if not pair.dropped]
    return pairs, count_games_left(pairs, played)


def about(seconds: float) -> str:
    """Return an estimated time in words, such as "about 40 s", never less than a second."""
    return f"about {duration_text(max(1.0, seconds))}"
