"""What the store writes of a game, made by the worker that played it: one coordinator serves many workers."""

from __future__ import annotations

from hashlib import blake2b
from typing import Any, NamedTuple

from harness.match.records import GameRecord
from harness.match.store_checksums import row_texts


class GameRows(NamedTuple):
    """The row of a game, and the rows of its searches without the key of the game, also as `row_texts`."""

    game: tuple[Any, ...]
    searches: tuple[tuple[Any, ...], ...]
    search_texts: str
    seconds: float  # of all searches

    @classmethod
    def of(cls, record: GameRecord) -> GameRows:
        """The rows of a record."""
        searches = tuple(
            # As SQLite returns them: real numbers, without a negative zero.
            (move, colour, vertex, nodes, None if score is None else score + 0.0, seconds + 0.0)
            for move, colour, vertex, nodes, score, seconds in record.searches
        )
        seconds = record.seconds("b"), record.seconds("w")
        return cls(_game_row(record, seconds), searches, row_texts(searches), sum(seconds))


def _game_row(record: GameRecord, seconds: tuple[float, float]) -> tuple[Any, ...]:
    game, ending = record.game, record.ending
    moves = " ".join(f"{move.colour}{move.vertex}" for move in record.moves)
    return (
        game.id, game.pair, game.number, game.black, game.white, *record.board, record.opening,
        record.opening_moves, ending.result, ending.winner, ending.reason, ending.offender, ending.detail,
        moves, len(record.moves), *seconds, record.nodes("b"), record.nodes("w"), record.started,
        record.finished, blake2b(moves.encode(), digest_size=16).digest(),
    )  # fmt: skip
