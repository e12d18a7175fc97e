"""What the store writes of a game, made by the worker that played it: one coordinator serves many workers."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import blake2b
from typing import Any, NamedTuple

from harness.arena.records import GameRecord, Setup
from harness.arena.store.checksums import row_texts
from harness.arena.store.schema import SEARCH

SEARCH_VALUES = len(SEARCH.columns) - 1
"""Values of a search, without the key of its game."""


class GameRows(NamedTuple):
    """The rows of one game in each table, without the key of the game.

    All values are as SQLite returns them: REAL as float, and no negative zero.
    """

    game: tuple[Any, ...]
    searches: tuple[Any, ...]  # SEARCH_VALUES values for each, one after another
    failure: tuple[Any, ...] | None
    programs: tuple[str | None, str | None] | None
    setup: Setup | None
    duration: tuple[float] | None
    texts: Mapping[str, str]  # by table, the `row_texts`

    @property
    def game_id(self) -> str:
        """The id of the game."""
        return str(self.game[0])

    @classmethod
    def of(cls, record: GameRecord) -> GameRows:
        """The rows of a record."""
        game = _game_row(record)
        searches = [
            (move, colour, vertex, nodes, None if score is None else score + 0.0, seconds + 0.0)
            for move, colour, vertex, nodes, score, seconds in record.searches
        ]
        failure = None
        if record.failure is not None:
            f = record.failure
            failure = f.offender, f.command, f.exit, f.reproduce, f.transcript, f.other_transcript, f.stderr
        programs = None if record.programs == (None, None) else record.programs
        duration = None if record.duration is None else (record.duration + 0.0,)
        texts = {
            "game": row_texts([game]),
            "search": row_texts(searches),
            "failure": row_texts([failure] if failure else []),
            "game_program": row_texts([programs] if programs else []),
            "game_setup": row_texts([record.setup] if record.setup else []),
            "game_time": row_texts([duration] if duration else []),
        }
        flat = tuple(value for row in searches for value in row)
        return cls(game, flat, failure, programs, record.setup, duration, texts)


def _game_row(record: GameRecord) -> tuple[Any, ...]:
    game, ending = record.game, record.ending
    size, komi = record.board
    moves = " ".join(f"{move.colour}{move.vertex}" for move in record.moves)
    return (
        game.id, game.pair, game.number, game.black, game.white, size, komi + 0.0, record.opening,
        record.opening_moves, ending.result, ending.winner, ending.reason, ending.offender, ending.detail,
        moves, len(record.moves), record.seconds("b"), record.seconds("w"), record.nodes("b"),
        record.nodes("w"), record.started, record.finished, blake2b(moves.encode(), digest_size=16).digest(),
    )  # fmt: skip
