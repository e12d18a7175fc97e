"""The events of a match as lines of `conform-events/1`.

For example, `PhaseStarted` is {"event":"phase-started","at":1.2,"phase":"games"}.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from harness.arena.folder.errors import USER_ERRORS, describe_error
from harness.arena.records import GameSummary
from harness.arena.run.events import (
    EngineFailed,
    Event,
    GameEnded,
    GameStarted,
    MatchEnded,
    MatchFailed,
    MatchJudged,
    MatchStarted,
    NoticeGiven,
    PairDecided,
    PhaseStarted,
    ProgressMade,
    SearchesAudited,
)
from harness.arena.verdicts import MatchVerdicts, PairParity
from harness.report.records.events import EventLines


def match_lines(lines: EventLines) -> Callable[[Event], None]:
    """Return a handler that writes a line for each event of one match."""

    def handle(event: Event) -> None:
        name, fields = LINES[type(event)]
        lines.add(name, fields(event))
        if isinstance(event, MatchFailed):  # the command raises the same error and writes no further line
            lines.end()

    return handle


def _match_started(event: MatchStarted) -> dict[str, Any]:
    """The fields of "match-started"."""
    run = event.config.run
    return {
        "folder": str(event.folder),
        "name": run.name,
        "size": run.size,
        "komi": run.komi,
        "engines": [
            {"name": table.name, "command": table.launch().command} for table in event.config.players
        ],
        "games": event.total,
        "stored": event.stored,
    }


def _game_started(event: GameStarted) -> dict[str, Any]:
    game = event.game
    return {"game": game.id, "black": game.black, "white": game.white}


def _game_ended(event: GameEnded) -> dict[str, Any]:
    """The fields of "game-ended"."""
    summary = event.summary
    winner = summary.ending.winner
    return {
        "game": summary.game.id,
        "black": summary.game.black,
        "white": summary.game.white,
        "result": summary.ending.result,
        "winner": None if winner is None else summary.game.engine(winner),
        "reason": summary.ending.reason,
        "moves": summary.move_count,
        "finished": summary.finished,
    }


def _engine_failed(event: EngineFailed) -> dict[str, Any]:
    """The fields of "engine-failed"."""
    summary: GameSummary = event.summary
    return {
        "engine": event.engine,
        "game": summary.game.id,
        "reason": summary.ending.reason,
        "detail": summary.ending.detail,
        "in_a_row": event.in_a_row,
    }


def _parity(row: PairParity) -> dict[str, Any]:
    """The fields about one pair."""
    return {
        "pair": row.pair,
        "bot_a": row.bot_a,
        "bot_b": row.bot_b,
        "games": row.games,
        "score_a": round(row.score_a, 6) if row.games else None,
        "low": round(row.low, 6),
        "high": round(row.high, 6),
        "verdict": row.verdict,
    }


def _progress_made(event: ProgressMade) -> dict[str, Any]:
    """The fields of "progress-made"."""
    left = event.seconds_left
    return {
        "done": event.done,
        "games": event.total,
        "moves": event.moves_here,
        "seconds_left": None if left is None else round(left, 1),
        "benched": sorted(event.benched),
    }


def _judged(verdicts: MatchVerdicts) -> dict[str, Any]:
    """The fields about the verdicts on a match."""
    return {
        "games": verdicts.games,
        "sound": verdicts.sound,
        "decided": verdicts.decided,
        "pairs": [_parity(row) for row in verdicts.parity],
    }


def _match_failed(event: MatchFailed) -> dict[str, Any]:
    """The fields of "match-failed"."""
    error = event.error
    if isinstance(error, KeyboardInterrupt):
        return {"reason": "interrupted"}
    if isinstance(error, USER_ERRORS):
        return {"reason": describe_error(error)}
    return {"reason": f"internal error: {type(error).__name__}: {error}"}


LINES: Mapping[type[Event], tuple[str, Callable[[Any], dict[str, Any]]]] = {
    MatchStarted: ("match-started", _match_started),
    PhaseStarted: ("phase-started", lambda e: {"phase": e.name}),
    GameStarted: ("game-started", _game_started),
    GameEnded: ("game-ended", _game_ended),
    EngineFailed: ("engine-failed", _engine_failed),
    NoticeGiven: ("notice-given", lambda e: {"kind": e.kind, "text": e.text, "engine": e.engine or None}),
    PairDecided: ("pair-decided", lambda e: _parity(e.parity)),
    MatchJudged: ("match-judged", lambda e: _judged(e.verdicts)),
    ProgressMade: ("progress-made", _progress_made),
    SearchesAudited: (
        "searches-audited",
        lambda e: {"activity": e.activity, "done": e.done, "planned": e.planned},
    ),
    MatchEnded: (
        "match-ended",
        lambda e: {
            **_judged(e.verdicts),
            "complete": e.complete,
            "benched": list(e.benched),
            "left": e.left,
        },
    ),
    MatchFailed: ("match-failed", _match_failed),
}
"""By event class: the name of the line, and a function that makes its fields beside the name and the time."""
