"""Reads lines of analysis: the records of `info` lines, and the JSON of CGOS.

The line `info move D4 visits 10 winrate 5210 pv D4 E5` has one record, with the move D4, 10 visits, and the
variation after `pv`. The fields of a record may come in any order. A line of another kind has no record.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from harness.gtp.errors import VertexError
from harness.gtp.numbers import parse_count, parse_decimal
from harness.gtp.syntax import printable
from harness.gtp.vertex import parse_vertex

RECORD = "info"
VARIATION = "pv"
OTHER_PARTS = frozenset({"ownership", "ownershipStdev", "rootInfo"})
"""Words that begin a part of a line which is not about one move."""

LEAST_LEFT = 0.5
"""Least fraction of the earlier visits of a move that must be left: with fewer, the visits fell.

Chosen: a search of several threads may count a few visits in advance and take them back.
"""


@dataclass(frozen=True)
class MoveRecord:
    """The record of one move.

    text     the record as it was printed; of JSON, its names and values
    fields   the values by name; of an `info` record, those before the variation
    """

    text: str
    fields: Mapping[str, str]

    @property
    def move(self) -> str:
        """The text in place of the move, in capitals, which may be no vertex; empty without one."""
        return self.fields.get("move", "").upper()

    @property
    def visits(self) -> int | None:
        """The number of visits; None if it is missing or no whole number."""
        return parse_count(self.fields.get("visits", ""))

    def fault(self, size: int) -> str:
        """Return the part that is missing or wrong, for a report; empty for a right record.

        A right move is a vertex, `pass` or `resign`.
        """
        if self.move != "RESIGN":
            try:
                parse_vertex(self.move, size)
            except VertexError:
                return f"no vertex after move: “{self.text}”"
        if self.visits is None:
            return f"no whole number after visits: “{self.text}”"
        if parse_decimal(self.fields.get("winrate", "")) is None:
            return f"no number after winrate: “{self.text}”"
        return ""


def fall_of_visits(record: MoveRecord, most: dict[str, int]) -> str:
    """Return in words how far the visits of a move fell during an analysis; empty if they did not.

    They fell if less than LEAST_LEFT of them is left.

    most   largest number of visits of each move in the earlier records; this function updates it
    """
    visits, before = record.visits, most.get(record.move, 0)
    if visits is None:
        return ""
    if visits < LEAST_LEFT * before:
        return f"{record.move} had {before} visits, and {visits} in a later line"
    most[record.move] = max(before, visits)
    return ""


def is_analysis(line: bytes) -> bool:
    """Return True if a line is one of analysis: an `info` line, or one that begins as JSON does."""
    text = _text(line)
    return text.split(" ", 1)[0] == RECORD or text.startswith("{")


def records_in(line: bytes) -> list[MoveRecord]:
    """Return the records of a line, in its order; none for a line that is not one of analysis."""
    text = _text(line)
    if text.startswith("{"):
        return list(_json_records(text))
    return list(_info_records(text.split())) if is_analysis(line) else []


def _text(line: bytes) -> str:
    """Return a line as printable text, without the sign and the id of a success before it."""
    text = printable(line.strip())
    return text.lstrip("=0123456789").lstrip() if text.startswith("=") else text


def _info_records(words: Sequence[str]) -> Iterator[MoveRecord]:
    """Yield the records in the words of a line: each from `info` to the beginning of the next part."""
    start = 0
    for place in range(1, len(words) + 1):
        if place == len(words) or words[place] == RECORD or words[place] in OTHER_PARTS:
            if words[start] == RECORD:
                yield _info_record(words[start:place])
            start = place


def _info_record(words: Sequence[str]) -> MoveRecord:
    """Return the record in `info NAME VALUE NAME VALUE … pv VERTEX …`."""
    end = words.index(VARIATION) if VARIATION in words else len(words)
    pairs = words[1:end]
    return MoveRecord(" ".join(words), dict(zip(pairs[::2], pairs[1::2], strict=False)))


def _json_records(text: str) -> Iterator[MoveRecord]:
    """Yield the records in a line of CGOS: `{"moves": [{"move": "D4", "visits": 10, …}, …], …}`.

    Nothing for a text that is no such JSON.
    """
    try:
        moves = json.loads(text).get("moves", [])
    except (ValueError, AttributeError, RecursionError):
        return
    for move in moves if isinstance(moves, list) else []:
        if isinstance(move, dict):
            fields = {name: str(value) for name, value in move.items()}
            yield MoveRecord(" ".join(f"{name} {value}" for name, value in fields.items()), fields)
