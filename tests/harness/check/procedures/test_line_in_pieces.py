"""A line in two pieces: what counts is that it is answered like the whole line."""

from __future__ import annotations

import pytest

from harness.check.model import Outcome
from harness.check.procedures.wire import LineInPieces, PiecesRecord
from harness.gtp import Answer, Exchange, parse_answer

LINE = b"protocol_version\n"


def exchange(raw: bytes, noise: bytes = b"") -> Exchange:
    answer = parse_answer(raw)
    assert isinstance(answer, Answer)
    return Exchange(LINE, raw, answer, "answer", noise, 0.0)


RIGHT = exchange(b"= 2\n\n")
OLD = exchange(b"= 1\n\n")
UNKNOWN = exchange(b"? unknown command\n\n")
TWICE = exchange(b"? unknown command\n\n", noise=b"? unknown command\n\n")


@pytest.mark.parametrize(
    ("whole", "pieces", "fails"),
    [
        (RIGHT, RIGHT, False),
        (OLD, OLD, False),  # the version is the subject of another check
        (UNKNOWN, UNKNOWN, False),
        (RIGHT, UNKNOWN, True),
        (RIGHT, OLD, True),
        (UNKNOWN, TWICE, True),
        (TWICE, TWICE, False),  # so is what is printed beside every answer
    ],
)
def test_it_is_answered_like_the_whole_line(whole: Exchange, pieces: Exchange, fails: bool) -> None:
    judged = LineInPieces().judge(PiecesRecord(whole, pieces))
    assert judged.outcome is (Outcome.FAIL if fails else Outcome.PASS)
