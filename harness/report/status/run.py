"""The status of a run: the file `status.json` in its folder, which `conform status` and `conform serve` read.

The process that plays the run replaces the whole file about once a second. So readers never see half a file,
and they need not open the store. The file may come from anybody: the models below validate it.
"""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from pydantic import Field, ValidationError

from harness.arena.config.judging import ParityQuestion
from harness.arena.config.tables import MatchConfig
from harness.arena.store.rows import StoredEngine, StoredEvent, question_changes
from harness.arena.verdicts import EMPTY_BOARD, MatchVerdicts
from harness.files import os_reason, read_file, replaced, timestamp
from harness.go import MAX_SIZE
from harness.report.errors import StatusFileError
from harness.report.status.moment import RunMoment, RunState, TrailPoint
from harness.report.status.record import Count, Record, Writer, as_text, this_process

FILE = "status.json"
FORMAT = "conform-status/1"
MOST_BYTES = 4_000_000
"""Largest status file that is read, in bytes. Chosen: four times the status of a run with 1,000 pairs."""
MOST_EVENTS = 100
"""Events in the status, the newest ones; all are in the store. Chosen: a page lists no more."""


class BotRow(Record):
    """A bot in the standings. A figure is None if it is not finite; the score also without games."""

    rank: Count
    bot: str
    games: Count
    points: float
    score: float | None
    elo: float | None
    elo_low: float | None
    elo_high: float | None
    voids: Count
    failures: dict[str, Count]  # reason: number of games
    reported: str  # name and version
    command: str


class PairRow(Record):
    """A pair of bots. `PairParity` explains the figures; scores are 0 to 1.

    `trail` has (games, score, low, high) as the games grew; see `TrailPoint`.
    """

    bot_a: str
    bot_b: str
    games: Count
    score_a: float
    low: float
    high: float
    margin: float
    proved_margin: float
    verdict: Literal["equal", "different", "undecided", "passed", "failed", "stronger", "weaker"]
    games_needed: float | None  # estimate; None: more games would not decide
    wins: Count = 0  # games of the first bot, as in parity.csv
    draws: Count = 0
    losses: Count = 0
    pair_counts: str = ""
    elo: float | None = None  # None for a figure that is not finite
    elo_error: float | None = None
    elo_low: float | None = None
    elo_high: float | None = None
    los: float = 0.5
    llr: float | None = None  # of an SPRT
    llr_low: float | None = None
    llr_high: float | None = None
    pair: Count = 0  # its number
    conditions: str = ""  # of its games, where they differ from those of the run
    trail: tuple[tuple[Count, float, float, float], ...] = ()


class PlayoutRow(Record):
    """The mean playout length of a bot in one phase of the games, in moves, compared with the reference.

    `low` and `high` bound the deviation. The only phase is "empty board", unless there was an audit, in which
    the reference searches the positions of the games.
    """

    bot: str
    phase: str = EMPTY_BOARD
    playouts: Count
    nodes_per_playout: float
    reference: float
    low: float | None
    high: float | None
    verdict: Literal["equal", "different", "undecided"]


class BoardRow(Record):
    """The position of a game in play, as a worker process last sent it."""

    worker: Count
    game_id: str
    black: str
    white: str
    size: int = Field(ge=2, le=MAX_SIZE)
    move: Count
    last: str  # the last move, such as "bE5"
    stones: str = Field(max_length=MAX_SIZE**2)  # by row from A1: `.` empty, `X` black, `O` white
    at: str
    clocks: str = Field(default="", max_length=200)  # the time left to both sides, in words


class GameRow(Record):
    """A finished game."""

    game_id: str
    black: str
    white: str
    result: str
    reason: str
    moves: Count
    finished: str


class EventRow(Record):
    """An event of the run."""

    at: str
    kind: str
    text: str


class RunStatus(Record):
    """A run at one moment. Times are in ISO 8601."""

    format: Literal["conform-status/1"] = "conform-status/1"
    kind: Literal["match"] = "match"
    writer: Writer | None  # None: the status was made from the store
    state: RunState  # "playing" as long as the process works, during an audit too
    doing: str = Field(default="", max_length=100)  # the work of the process while no game is in play
    started: str  # when the process started
    at: str  # when the status was written
    monotonic: float | None = None  # the same, by the monotonic clock of the writer's machine
    name: str
    size: Count
    komi: float
    margin: float
    done: Count
    total: Count
    rate: float  # games per second
    seconds_left: float | None  # estimate
    benched: dict[str, str]  # by bot that gets no more games: the reason
    judged: Count  # games behind the verdicts
    sound: bool  # no bot failed or differs from the reference; no verdict on a pair is in verdicts.AGAINST
    decided: bool  # no pair that plays further games is undecided
    question: str = ParityQuestion().sentence  # the question that the pairs answer, in words
    question_changes: tuple[str, ...] = ()  # made when results were known, as "after 8 games: …"
    bots: tuple[BotRow, ...]
    pairs: tuple[PairRow, ...]
    playouts: tuple[PlayoutRow, ...]
    boards: tuple[BoardRow, ...]
    recent: tuple[GameRow, ...]  # the newest first
    events: tuple[EventRow, ...]


def write_status(moment: RunMoment, folder: Path) -> None:
    """Replace the status of the run in `folder`. Raises OSError."""
    with replaced(folder / FILE) as file:
        file.write(as_text(status_of(moment)))


def status_of(moment: RunMoment) -> RunStatus:
    """The status of a run that this process plays."""
    progress, playing = moment.progress, moment.state == "playing"
    left = progress.seconds_left if playing and not moment.doing else None
    boards = sorted(progress.boards.items()) if playing else ()
    return RunStatus(
        writer=this_process(),
        state=moment.state,
        doing=moment.doing,
        started=moment.started,
        at=timestamp(),
        monotonic=time.monotonic(),
        done=progress.done,
        total=progress.total,
        rate=round(progress.rate, 6),
        seconds_left=None if left is None else round(left, 1),
        benched=dict(progress.benched),
        boards=tuple(BoardRow(worker=worker, **vars(board)) for worker, board in boards),
        recent=tuple(
            GameRow(
                game_id=summary.game.id,
                black=summary.game.black,
                white=summary.game.white,
                result=summary.ending.result,
                reason=summary.ending.reason,
                moves=summary.move_count,
                finished=summary.finished,
            )
            for summary in moment.recent
        ),
        **config_fields(moment.config, moment.events),
        **verdict_fields(moment.verdicts, moment.config, moment.engines, moment.trails),
    )


def config_fields(config: MatchConfig, events: Sequence[StoredEvent]) -> dict[str, Any]:
    """The fields of a status that come from the config of the run, and its newest events."""
    return {
        **{name: getattr(config.run, name) for name in ("name", "size", "komi", "margin")},
        "question": config.judge.sentence,
        "question_changes": question_changes(events),
        "events": tuple(EventRow(**event._asdict()) for event in events[-MOST_EVENTS:]),
    }


def verdict_fields(
    verdicts: MatchVerdicts | None,
    config: MatchConfig,
    engines: Sequence[StoredEngine],
    trails: Mapping[int, Sequence[TrailPoint]],
) -> dict[str, Any]:
    """The fields of a status that come from the verdicts; `trails` is by number of the pair."""
    if verdicts is None:
        return {"judged": 0, "sound": True, "decided": False, "bots": (), "pairs": (), "playouts": ()}
    reported = {e.name: f"{e.reported_name or ''} {e.reported_version or ''}".strip() for e in engines}
    return {
        "judged": verdicts.games,
        "sound": verdicts.sound,
        "decided": verdicts.decided,
        "bots": tuple(
            BotRow(
                **_json_numbers(vars(row)),
                failures={way: count for way, count in verdicts.failures[row.bot].items() if count},
                reported=reported.get(row.bot, ""),
                command=config.engines[row.bot].launch().command,
            )
            for row in verdicts.standings
        ),
        "pairs": tuple(
            PairRow(
                **_json_numbers(vars(row)),
                trail=tuple(
                    (point.games, round(point.score, 4), round(point.low, 4), round(point.high, 4))
                    for point in trails.get(row.pair, ())
                ),
            )
            for row in verdicts.parity
        ),
        "playouts": tuple(PlayoutRow(**_json_numbers(vars(row))) for row in verdicts.playouts),
    }


def read_status(path: Path) -> bytes | None:
    """The bytes of a status file; None if it does not exist. Raises StatusFileError."""
    try:
        text = read_file(path, most=MOST_BYTES + 1)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise StatusFileError(f"{path} cannot be read: {os_reason(error)}") from None
    if len(text) > MOST_BYTES:
        raise StatusFileError(f"{path} is larger than any status, so it is not read; delete it")
    return text


def parse_run_status(text: bytes) -> RunStatus:
    """The status of a run from the bytes of its file. Raises StatusFileError."""
    try:
        return RunStatus.model_validate_json(text)
    except ValidationError:
        raise StatusFileError(
            f"{FILE} is damaged or of another version, so it is not read: run.db is; delete {FILE}"
        ) from None


def _json_numbers(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Round the floats among the fields to six decimals. NaN and infinities become None: JSON has none."""
    return {
        name: (round(value, 6) if math.isfinite(value) else None) if isinstance(value, float) else value
        for name, value in fields.items()
    }
